#include "schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "support/interrupt.hpp"
#include "support/memory.hpp"
#include "support/steps.hpp"

namespace gossamer {
namespace {

/// Every machine has this many bytes.
constexpr std::uint64_t kSmall = std::uint64_t{1} << 28;

/// Appends them piece by piece, so that gigabytes do not keep an interruption waiting.
template <typename T>
void append(std::vector<T>& all, std::span<const T> more) {
  constexpr std::size_t kPiece = (std::size_t{1} << 24) / sizeof(T);
  for (; more.size() > kPiece; more = more.subspan(kPiece)) {
    stop_if_interrupted();
    all.insert(all.end(), more.begin(), more.begin() + kPiece);
  }
  all.insert(all.end(), more.begin(), more.end());
}

/// Room for so many more. A full vector doubles.
template <typename T>
void make_room_in(std::vector<T>& all, std::size_t more) {
  if (all.size() + more <= all.capacity()) return;
  std::vector<T> larger;
  larger.reserve(std::max(2 * all.capacity(), all.size() + more));
  append<T>(larger, all);
  all.swap(larger);
}

}  // namespace

Schedule::Schedule(Topology topology, Collective collective, Model model, Symmetry symmetry)
    : topology_(std::move(topology)),
      symmetry_(std::move(symmetry)),
      collective_(collective),
      model_(model) {}

Schedule::Schedule(Topology topology, Collective collective, Model model)
    : Schedule(topology, collective, model, Symmetry(topology)) {}

void Schedule::add(std::uint32_t round, std::span<const Node> path,
                   std::span<const Message> messages, std::uint32_t line) {
  step_done(round);  // all planners call this function, so it is here that they are interrupted
  if (round == 0) throw std::logic_error("Schedule::add: rounds count from 1");
  if (round < rounds()) throw std::logic_error("Schedule::add: rounds must not decrease");
  if (path.empty()) throw std::logic_error("Schedule::add: a path has a node at least");
  make_room(path.size(), messages.size());
  transfers_.push_back({.round = round,
                        .line = line,
                        .path_begin = paths_.size(),
                        .messages_begin = messages_.size(),
                        .path_size = static_cast<std::uint32_t>(path.size()),
                        .messages_size = static_cast<std::uint32_t>(messages.size()),
                        .carry = Carry::Listed});
  append(paths_, path);
  append(messages_, messages);
}

/// A full vector doubles. This is refused if it would fill the memory, so that a schedule that is
/// too large ends with a message and the system does not kill the program.
void Schedule::make_room(std::size_t path_size, std::size_t messages_size) {
  const bool grows = transfers_.size() == transfers_.capacity() ||
                     paths_.size() + path_size > paths_.capacity() ||
                     messages_.size() + messages_size > messages_.capacity();
  if (!grows || bytes() < kSmall) return;
  const std::uint64_t free = free_memory();
  if (2 * bytes() > free) refuse_to_grow(free);
  make_room_in(transfers_, 1);
  make_room_in(paths_, path_size);
  make_room_in(messages_, messages_size);
}

void Schedule::refuse_to_grow(std::uint64_t free) const {
  throw TooLarge(fmt::format(
      "{}: the schedule is too large for this machine: {} transfers up to round {} take {} of "
      "memory, and {} are free for the rest",
      topology_.spec(), transfers_.size(), rounds(), in_bytes(static_cast<double>(bytes())),
      in_bytes(static_cast<double>(free))));
}

void Schedule::add_everything(std::uint32_t round, std::span<const Node> path, std::uint32_t line) {
  add(round, path, {}, line);
  transfers_.back().carry = Carry::Everything;
}

void Schedule::add_new(std::uint32_t round, std::span<const Node> path, std::uint32_t line) {
  add(round, path, {}, line);
  transfers_.back().carry = Carry::New;
}

void Schedule::add_hop(std::uint32_t round, Node from, Node to, Node origin) {
  const Node path[] = {from, to};
  const Message message[] = {{.origin = origin}};
  add(round, path, message);
}

Schedule without_orbits(const Schedule& schedule) {
  Schedule all(schedule.topology(), schedule.collective(), schedule.model());
  all.algorithm = schedule.algorithm;
  all.root = schedule.root;
  all.faults = schedule.faults;
  all.initiator = schedule.initiator;
  const Topology& topology = schedule.topology();
  const bool trivial = schedule.symmetry().order() == 1;
  const auto moved = [&](Node x, Node by) { return trivial ? x : topology.translate(x, by); };
  const auto translations = schedule.symmetry().elements();
  std::vector<Node> path;
  std::vector<Message> messages;
  for (const Transfer& t : schedule.transfers()) {
    for (const Node by : translations) {
      path.clear();
      messages.clear();
      for (const Node x : schedule.path(t)) path.push_back(moved(x, by));
      for (const Message& m : schedule.messages(t)) {
        messages.push_back(
            {moved(m.origin, by), m.destination == kNoNode ? kNoNode : moved(m.destination, by)});
      }
      all.add(t.round, path, messages, t.line);
      all.transfers_.back().carry = t.carry;
    }
  }
  return all;
}

std::optional<std::string> root_fault(const Schedule& schedule) {
  if (has_root(schedule.collective()) && schedule.faults.dead(schedule.root)) {
    return fmt::format("node {} is the root; it must be healthy", schedule.root);
  }
  if (schedule.initiator && schedule.faults.dead(schedule.initiator->node)) {
    return fmt::format("node {} is the initiator; it must be healthy", schedule.initiator->node);
  }
  return std::nullopt;
}

}  // namespace gossamer
