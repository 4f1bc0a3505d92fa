#include "checker/use.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gossamer::checking {
namespace {

/// How far ahead of its own round a transfer may use a link, plus one.
std::size_t window(const Schedule& schedule) {
  std::size_t longest = 1;
  if (schedule.model().switching != Switching::Pipelined) return longest;
  for (const Transfer& t : schedule.transfers()) {
    longest = std::max<std::size_t>(longest, t.path_size);
  }
  return longest;
}

std::size_t arc_keys(const Schedule& schedule) {
  return std::max<std::size_t>(
      1, std::size_t{schedule.symmetry().classes()} * schedule.topology().ports());
}

std::uint64_t hops(const Schedule& schedule) {
  std::uint64_t sum = 0;
  for (const Transfer& t : schedule.transfers()) sum += t.path_size;
  return sum;
}

}  // namespace

UseRules::UseRules(const Schedule& schedule, FaultLog& faults)
    : schedule_(schedule),
      faults_(faults),
      arcs_(arc_keys(schedule), window(schedule), hops(schedule)),
      senders_(schedule.symmetry().classes(), window(schedule), schedule.transfers().size()),
      receivers_(schedule.symmetry().classes(), window(schedule), schedule.transfers().size()) {}

void UseRules::check(std::uint32_t index) {
  const Transfer& t = schedule_.transfers()[index];
  const bool pipelined = schedule_.model().switching == Switching::Pipelined;
  for (std::uint32_t hop = 0; hop + 1 < t.path_size; ++hop) {
    check_hop(index, hop, pipelined ? t.round + hop : t.round);
  }
  if (schedule_.model().ports == PortModel::Single) check_ports(index);
}

void UseRules::check_hop(std::uint32_t index, std::size_t hop, std::uint32_t round) {
  const Transfer& t = schedule_.transfers()[index];
  const auto path = schedule_.path(t);
  const Node from = path[hop], to = path[hop + 1];
  const Port port = schedule_.topology().port_to(from, to);
  const std::size_t forward = arc(from, port);
  if (const auto other = arcs_.user(round, forward); other != UseTable::kFree) {
    faults_.add(t, from, to,
                fmt::format("this arc already carries {} in round {}; the paths of a round must be "
                            "arc-disjoint",
                            name(other, index), round));
    return;
  }
  arcs_.take(round, forward, index);
  if (schedule_.model().duplex == Duplex::Full) return;
  const Endpoint head = schedule_.topology().peer(from, port);
  if (const auto other = arcs_.user(round, arc(head.node, head.port)); other != UseTable::kFree) {
    faults_.add(t, from, to,
                fmt::format("this half-duplex link already carries {} in the other direction in "
                            "round {}; it carries one direction in a round",
                            name(other, index), round));
  }
}

void UseRules::check_ports(std::uint32_t index) {
  const Transfer& t = schedule_.transfers()[index];
  const auto path = schedule_.path(t);
  const bool pipelined = schedule_.model().switching == Switching::Pipelined;
  const std::uint32_t sent = t.round, received = pipelined ? t.round + t.path_size - 2 : t.round;
  const Node source = path.front(), destination = path.back();
  const Node source_class = schedule_.symmetry().class_of(source);
  const Node destination_class = schedule_.symmetry().class_of(destination);
  const auto broken = [&](bool sends, std::uint32_t other, const char* rule) {
    const auto from = sends ? path[0] : path[path.size() - 2];
    const auto to = sends ? path[1] : path.back();
    faults_.add(t, from, to,
                fmt::format("node {} already takes part in {} in round {}; {}",
                            sends ? source : destination, name(other, index),
                            sends ? sent : received, rule));
  };

  if (const auto other = senders_.user(sent, source_class); other != UseTable::kFree) {
    broken(true, other, "a single-port node sends one transfer in a round");
  }
  senders_.take(sent, source_class, index);
  if (const auto other = receivers_.user(received, destination_class); other != UseTable::kFree) {
    broken(false, other, "a single-port node receives one transfer in a round");
  }
  receivers_.take(received, destination_class, index);
  if (schedule_.model().duplex == Duplex::Full) return;

  constexpr const char* kRule = "a half-duplex single-port node sends or receives, never both";
  const auto receiving = receivers_.user(sent, source_class);
  const auto sending = senders_.user(received, destination_class);
  if (receiving != UseTable::kFree) {
    broken(true, receiving, kRule);
  } else if (sending != UseTable::kFree) {
    broken(false, sending, kRule);
  }
}

std::string UseRules::name(std::uint32_t index, std::uint32_t asked_by) const {
  if (index == asked_by) {
    return schedule_.symmetry().order() == 1 ? "the same path"
                                             : "a translation of the same transfer";
  }
  const Transfer& t = schedule_.transfers()[index];
  const auto path = schedule_.path(t);
  if (t.line == 0) return fmt::format("the transfer {}-{}", path.front(), path.back());
  return fmt::format("the transfer {}-{} of line {}", path.front(), path.back(), t.line);
}

std::size_t UseRules::arc(Node tail, Port port) const {
  return std::size_t{schedule_.symmetry().class_of(tail)} * schedule_.topology().ports() + port;
}

}  // namespace gossamer::checking
