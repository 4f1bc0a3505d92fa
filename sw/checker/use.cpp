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
    longest = std::max<std::size_t>(longest, t.path_size);  // of a tree at least
  }
  return longest * schedule.model().hop_rounds;
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
  for (const TransferHop hop : schedule_.hops(t)) check_hop(index, hop);
  if (schedule_.model().ports == PortModel::Single) check_ports(index);
}

void UseRules::check_hop(std::uint32_t index, const TransferHop& hop) {
  const Transfer& t = schedule_.transfers()[index];
  const Node from = hop.from, to = hop.to;
  const std::uint32_t round = schedule_.round_of(t, hop);
  const Port port = port_out(schedule_.topology(), hop);
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
  const TransferHops hops = schedule_.hops(t);
  const Node source_class = schedule_.symmetry().class_of(hops[0].from);
  const auto broken = [&](bool sends, const TransferHop& hop, std::uint32_t other,
                          const char* rule) {
    faults_.add(
        t, hop.from, hop.to,
        fmt::format("node {} already takes part in {} in round {}; {}", sends ? hop.from : hop.to,
                    name(other, index), schedule_.round_of(t, hop), rule));
  };
  for (std::uint32_t i = 1; t.tree && i < hops.size(); ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      if (hops[i].before != hops[j].before) continue;
      faults_.add(t, hops[i].from, hops[i].to,
                  fmt::format("node {} sends on two links; a single-port node sends on one in a "
                              "round",
                              hops[i].from));
      break;
    }
  }
  if (const auto other = senders_.user(t.round, source_class); other != UseTable::kFree) {
    broken(true, hops[0], other, "a single-port node sends one transfer in a round");
  }
  senders_.take(t.round, source_class, index);
  const auto stored = schedule_.stored_hops(t);
  for (const TransferHop hop : stored) {
    const std::uint32_t round = schedule_.round_of(t, hop);
    const Node at = schedule_.symmetry().class_of(hop.to);
    if (const auto other = receivers_.user(round, at); other != UseTable::kFree) {
      broken(false, hop, other, "a single-port node receives one transfer in a round");
    }
    receivers_.take(round, at, index);
  }
  if (schedule_.model().duplex == Duplex::Full) return;

  constexpr const char* kRule = "a half-duplex single-port node sends or receives, never both";
  if (const auto other = receivers_.user(t.round, source_class); other != UseTable::kFree) {
    return broken(true, hops[0], other, kRule);
  }
  for (const TransferHop hop : stored) {
    const auto sending =
        senders_.user(schedule_.round_of(t, hop), schedule_.symmetry().class_of(hop.to));
    if (sending != UseTable::kFree) return broken(false, hop, sending, kRule);
  }
}

std::string UseRules::name(std::uint32_t index, std::uint32_t asked_by) const {
  if (index == asked_by) {
    const bool tree = schedule_.transfers()[index].tree;
    return schedule_.symmetry().order() == 1 ? tree ? "the same tree" : "the same path"
                                             : "a translation of the same transfer";
  }
  const Transfer& t = schedule_.transfers()[index];
  const std::string name =
      t.tree ? fmt::format("the tree of node {}", schedule_.source(t))
             : fmt::format("the transfer {}-{}", schedule_.source(t), schedule_.path(t).back());
  return t.line == 0 ? name : fmt::format("{} of line {}", name, t.line);
}

std::size_t UseRules::arc(Node tail, Port port) const {
  return std::size_t{schedule_.symmetry().class_of(tail)} * schedule_.topology().ports() + port;
}

}  // namespace gossamer::checking
