#include "schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "support/job.hpp"
#include "support/memory.hpp"
#include "support/refuse.hpp"

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

TransferHop TransferHops::arc(std::uint32_t i) const {
  const auto numbers = [&](std::uint32_t k) { return data_ + 1 + std::size_t{kNumbers} * k; };
  const Node* const arc = numbers(join_ ? size_ - 1 - i : i);
  const bool first = arc[kBefore] == TransferHop::kNone;
  const Node from = first ? data_[0] : *numbers(arc[kBefore]);
  if (!join_) return {from, arc[0], arc[kBefore], arc[kDepth], arc[kStored] != 0};
  // A join's last number is the most hops from the source on.
  const Node deepest = *numbers(size_);
  return {arc[0], from, first ? TransferHop::kNone : size_ - 1 - arc[kBefore],
          deepest - 1 - arc[kDepth], first};
}

Schedule::Schedule(Topology topology, Collective collective, Model model, Symmetry symmetry)
    : topology_(std::move(topology)),
      symmetry_(std::move(symmetry)),
      collective_(collective),
      model_(model) {}

Schedule::Schedule(Topology topology, Collective collective, Model model)
    : Schedule(topology, collective, model, Symmetry(topology)) {}

void Schedule::add(std::uint32_t round, std::span<const Node> path,
                   std::span<const Message> messages, std::uint32_t line) {
  append_transfer(round, path, messages, line);
  if (topology_.parallel()) take_lanes(transfers_.back());
}

void Schedule::append_transfer(std::uint32_t round, std::span<const Node> path,
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
  for (const Message& m : messages) messages_.push_back(numbers_.number(m));
}

void Schedule::take_lanes(const Transfer& t, std::span<const Branch> branches) {
  lanes_.resize(paths_.size());
  taken_.erase(taken_.begin(), taken_.lower_bound({t.round, 0, 0}));
  for (std::uint32_t i = 0; i + 1 < t.path_size; ++i) {
    const TransferHop hop = hops(t)[i];
    const std::uint32_t round = round_of(t, hop);
    // The checker says what is wrong with a path that follows no links.
    if (hop.from >= topology_.nodes() || topology_.port_to(hop.from, hop.to) == kNoPort) continue;
    const std::uint32_t at = t.join ? t.path_size - 2 - i : i;
    const std::uint32_t wanted = branches.empty() ? kAnyLane : branches[at].lane;
    const LaneUse use{t.path_begin + at, hop.from, hop.to, wanted != kAnyLane};
    if (use.named) {
      lanes_[use.at] = static_cast<std::uint8_t>(wanted);
      if (const auto link = link_of(round, use, lanes_[use.at])) taken_.emplace(*link, use);
      continue;
    }
    if (take_lane(round, use)) continue;
    // With half duplex a hop of the other direction may leave its link for one that leads only
    // there.
    for (std::uint8_t lane = 0;; ++lane) {
      const auto link = link_of(round, use, lane);
      if (!link) break;
      LaneUse& other = taken_.at(*link);
      if (other.from == use.from || other.named || !take_lane(round, other)) continue;
      other = use;
      lanes_[use.at] = lane;
      break;
    }
  }
}

bool Schedule::take_lane(std::uint32_t round, const LaneUse& use) {
  for (std::uint8_t lane = 0;; ++lane) {
    const auto link = link_of(round, use, lane);
    if (!link) return false;
    if (!taken_.emplace(*link, use).second) continue;
    lanes_[use.at] = lane;
    return true;
  }
}

/// The link that a hop takes as that lane of a round; none if there are no more.
auto Schedule::link_of(std::uint32_t round, const LaneUse& use, std::uint8_t lane) const
    -> std::optional<RoundLink> {
  Endpoint link{use.from, topology_.port_to(use.from, use.to, lane)};
  if (link.port == kNoPort) return std::nullopt;
  // Hops that are translations of one another use the same link.
  const bool turns = model_.duplex == Duplex::Half && symmetry_.order() == 1;
  if (turns && use.to < use.from) link = topology_.peer(link.node, link.port);
  return RoundLink{round, symmetry_.class_of(link.node), link.port};
}

void Schedule::cut(std::uint32_t pieces) {
  if (!transfers_.empty()) throw std::logic_error("Schedule::cut: there are transfers already");
  const std::uint64_t most =
      std::min<std::uint64_t>(kMostPieces, ((std::uint64_t{1} << 32) - 1) / topology_.nodes());
  if (pieces < 1 || pieces > most) {
    refuse("{} pieces of a message on {}; expected 1 to {}", pieces, topology_.spec(), most);
  }
  numbers_ = MessageNumbers(pieces);
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

void Schedule::add_tree(std::uint32_t round, Node source, std::span<const Branch> branches,
                        std::span<const Message> messages, Carry carry, std::uint32_t line) {
  append_tree(round, source, branches, messages, line);
  transfers_.back().carry = carry;
  if (topology_.parallel()) take_lanes(transfers_.back(), branches);
}

void Schedule::append_tree(std::uint32_t round, Node source, std::span<const Branch> branches,
                           std::span<const Message> messages, std::uint32_t line) {
  std::vector<Node> numbers = {source};
  for (std::uint32_t i = 0; i < branches.size(); ++i) {
    const auto& [to, before, stored, lane] = branches[i];
    if (before >= i && before != TransferHop::kNone) {
      throw std::logic_error("Schedule::add_tree: a branch continues one before it");
    }
    const Node depth =
        before == TransferHop::kNone
            ? 0
            : numbers[1 + TransferHops::kNumbers * before + TransferHops::kDepth] + 1;
    numbers.insert(numbers.end(), {to, stored ? 1u : 0u, before, depth});
  }
  append_transfer(round, numbers, messages, line);
  Transfer& t = transfers_.back();
  t.path_size = static_cast<std::uint32_t>(branches.size() + 1);
  t.tree = true;
}

void Schedule::add_join(std::uint32_t round, Node source, Port lane,
                        std::span<const Branch> branches, std::span<const Message> messages,
                        std::uint32_t line) {
  append_tree(round, source, branches, messages, line);
  const std::uint32_t depth = this->depth(transfers_.back());
  transfers_.back().join = true;
  for (const std::uint32_t more : {depth, lane}) paths_.push_back(more);
  if (topology_.parallel()) take_lanes(transfers_.back(), branches);
}

std::size_t Schedule::paths_of(const Transfer& t) const {
  if (!t.tree) return t.path_size;
  return 1 + std::size_t{TransferHops::kNumbers} * (t.path_size - 1) + (t.join ? 2 : 0);
}

void Schedule::add_copy(const Schedule& other, const Transfer& t, Node by) {
  const Topology& topology = other.topology();
  add_moved(other, t, [&](Node x) { return by == 0 ? x : topology.translate(x, by); });
}

void Schedule::add_renumbered(const Schedule& other, const Transfer& t,
                              std::span<const Node> numbers) {
  add_moved(other, t, [&](Node x) { return numbers[x]; });
}

template <typename Move>
void Schedule::add_moved(const Schedule& other, const Transfer& t, const Move& move) {
  const auto moved = [&](Node x) { return x == kNoNode ? x : move(x); };
  std::vector<Message> messages;
  for (const Message& m : other.messages(t)) {
    messages.push_back({moved(m.origin), moved(m.destination), m.piece});
  }
  if (t.tree) {
    Transfer tree = t;
    tree.join = false;
    std::vector<Branch> branches;
    for (const TransferHop& hop : other.hops(tree)) {
      branches.push_back({moved(hop.to), hop.before, hop.stored, hop.lane});
    }
    if (t.join) {
      return add_join(t.round, moved(other.source(t)), other.lane_of_join(t), branches, messages,
                      t.line);
    }
    return add_tree(t.round, moved(other.source(t)), branches, messages, t.carry, t.line);
  }
  std::vector<Node> path;
  for (const Node x : other.path(t)) path.push_back(moved(x));
  add(t.round, path, messages, t.line);
  transfers_.back().carry = t.carry;
}

std::uint64_t Schedule::listed_flits(const Transfer& t, const ChunkFlits& flits) const {
  if (flits.equal()) return std::uint64_t{t.messages_size} * flits.longest().of(0);
  std::uint64_t sum = 0;
  for (const Message& m : messages(t)) sum += flits.of(m);
  return sum;
}

std::uint32_t Schedule::depth_of_tree(const Transfer& t) const {
  std::uint32_t most = 0;
  for (const TransferHop& hop : hops(t)) most = std::max(most, hop.depth + 1);
  return most;
}

void Schedule::refuse_tree() {
  throw std::logic_error("Schedule::path: this transfer has a tree, not a path");
}

Schedule without_transfers(const Schedule& schedule, Topology topology) {
  Schedule empty(std::move(topology), schedule.collective(), schedule.model());
  empty.algorithm = schedule.algorithm;
  empty.root = schedule.root;
  empty.members = schedule.members;
  empty.sizes = schedule.sizes;
  empty.planned_for = schedule.planned_for;
  empty.op = schedule.op;
  empty.nodes = schedule.nodes;
  empty.faults = schedule.faults;
  empty.initiator = schedule.initiator;
  empty.tolerance = schedule.tolerance;
  empty.cut(schedule.pieces());
  return empty;
}

Schedule without_orbits(const Schedule& schedule) {
  Schedule all = without_transfers(schedule, schedule.topology());
  const auto translations = schedule.symmetry().elements();
  for (const Transfer& t : schedule.transfers()) {
    for (const Node by : translations) all.add_copy(schedule, t, by);
  }
  return all;
}

std::optional<std::string> root_fault(const Schedule& schedule) {
  std::vector<Node> roots;
  for (std::size_t i = 0; i < schedule.members.groups(); ++i) {
    roots.push_back(schedule.members.root(i));
  }
  if (roots.empty()) roots = {schedule.root};
  for (const Node root : roots) {
    if (!has_root(schedule.collective()) || !schedule.faults.dead(root)) continue;
    return fmt::format("node {} is the root; it must be healthy", root);
  }
  if (schedule.initiator && schedule.faults.dead(schedule.initiator->node)) {
    return fmt::format("node {} is the initiator; it must be healthy", schedule.initiator->node);
  }
  return std::nullopt;
}

namespace {

bool is_new(const Transfer& t) { return t.carry == Carry::New; }

/// Checks the model and the topology of an adaptive schedule.
std::optional<std::string> frame_fault(const Schedule& s) {
  const Model& model = s.model();
  if (!same_to_all(s.collective())) {
    return fmt::format("adaptive transfers (new) are for gossip and broadcast, not for {}",
                       to_string(s.collective()));
  }
  if (model.switching != Switching::Packet || model.duplex != Duplex::Full || !model.combining) {
    return "adaptive transfers (new) need packet switching, full duplex and combining";
  }
  const Topology& topology = s.topology();
  const bool cube = std::ranges::all_of(
      topology.factors(), [](const Graph& g) { return g.nodes == 2 && g.ports == 1; });
  if (!cube) {
    return fmt::format("adaptive transfers (new) need a hypercube, such as hypercube:4; {} is none",
                       topology.spec());
  }
  if (topology.nodes() > kMaxAdaptiveNodes) {
    return fmt::format("adaptive transfers (new) need a hypercube of at most {} nodes; {} has {}",
                       kMaxAdaptiveNodes, topology.spec(), topology.nodes());
  }
  if (s.rounds() > kMaxAdaptiveRounds) {
    return fmt::format("an adaptive schedule has at most {} rounds, not {}", kMaxAdaptiveRounds,
                       s.rounds());
  }
  if (s.symmetry().order() > 1) return "an adaptive schedule has no orbits: list all transfers";
  if (s.pieces() > 1) return "an adaptive schedule has whole messages, not pieces";
  if (!s.sizes.equal()) return "an adaptive schedule has messages of one length";
  if (!s.members.all()) return "an adaptive schedule has all nodes as members";
  return std::nullopt;
}

}  // namespace

bool adaptive(const Schedule& schedule) {
  return std::ranges::any_of(schedule.transfers(), is_new);
}

std::optional<std::string> adaptive_fault(const Schedule& schedule) {
  const bool any = adaptive(schedule);
  if (any) {
    if (const auto fault = frame_fault(schedule)) return fault;
    if (std::ranges::any_of(schedule.transfers(), &Transfer::tree)) {
      return "an adaptive transfer (new) has a path of one hop, not a tree";
    }
    if (!std::ranges::all_of(schedule.transfers(), is_new)) {
      return "some transfers are new and some are not; in an adaptive schedule all are";
    }
  }
  if (!schedule.initiator) return std::nullopt;
  if (!any || schedule.collective() != Collective::Gossip) {
    return "an initiator starts an adaptive gossip only (all transfers new)";
  }
  if (schedule.initiator->node >= schedule.topology().nodes()) {
    return fmt::format("initiator {} is no node; nodes are 0 to {}", schedule.initiator->node,
                       schedule.topology().nodes() - 1);
  }
  if (schedule.initiator->join == 0) return "all join in round 1 or later, not in round 0";
  return std::nullopt;
}

}  // namespace gossamer
