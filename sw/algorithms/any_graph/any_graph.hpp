#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/common/algorithm.hpp"
#include "bounds/flows.hpp"
#include "schedule/schedule.hpp"
#include "support/job.hpp"
#include "topology/topology.hpp"

namespace gossamer::any_graph {

/// Random numbers that are the same on every machine (the generator splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// From 0 to `count` - 1. The slight preference of some numbers does not matter here.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>(((next() >> 32) * count) >> 32);
  }
  template <typename T>
  void shuffle(std::vector<T>& all) {
    for (auto i = static_cast<std::uint32_t>(all.size()); i > 1; --i) {
      std::swap(all[i - 1], all[below(i)]);
    }
  }

 private:
  std::uint64_t state_;
};

/// How a search goes on after the work that it always does, which is the same on every machine.
struct Effort {
  std::uint32_t seed = 1;
  std::optional<std::chrono::steady_clock::time_point> until = std::nullopt;

  /// Has the search done `enough`, and is the time over?
  bool over(std::uint64_t work, std::uint64_t enough) const {
    return work >= enough && (!until || std::chrono::steady_clock::now() >= *until);
  }
};

inline Effort effort_of(const Request& request) {
  Effort effort{request.seed};
  if (request.seconds) {
    using Clock = std::chrono::steady_clock;
    effort.until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(*request.seconds));
  }
  return effort;
}

/// The work of a search that plans schedules of so many hops: so many hops in all, but no more than
/// three thousand schedules. On small graphs more of them do not help.
constexpr std::uint64_t enough_work(std::uint64_t hops_in_all, std::uint64_t hops_of_a_schedule) {
  constexpr std::uint64_t kSchedules = 3000;
  return std::min(hops_in_all, kSchedules * hops_of_a_schedule);
}

/// The work of a schedule in which every round looks at all arcs. It is as if so many hops were
/// planned: on dense graphs through single ports most arcs are looked at in vain.
constexpr std::uint64_t work_of(std::uint64_t hops, std::uint64_t rounds, std::uint64_t arcs) {
  return std::max(hops, rounds * arcs / 8);
}

/// Improves what is already there. Ctrl-C ends an improvement that was given its time, not the
/// program: what was found so far is checked and reported.
template <typename Improve>
void best_so_far(const Effort& effort, Improve improve) {
  try {
    improve();
  } catch (const Interrupted&) {
    if (!effort.until || !ended_by_control_c()) throw;
  }
}

/// Which arcs send in a round. An arc claims its resources; if its receiver is busy, the arc that
/// keeps it busy may move to another receiver of the same sender, and so on: an augmenting path in
/// the matching of senders with receivers.
class Claims {
 public:
  Claims(const Arcs& arcs, const bounds::Resources& resources)
      : arcs_(arcs),
        resources_(resources),
        user_(resources.count(), kNoArcId),
        visited_(resources.count(), 0) {}

  void begin_round() { std::ranges::fill(user_, kNoArcId); }

  bool sends(ArcId a) const { return user_[resources_.of(a).front()] == a; }

  /// `usable` says of an arc whether it has anything to send.
  template <typename Usable>
  bool claim(ArcId a, const Usable& usable) {
    const bounds::Resource one = resources_.of(a).front(), other = resources_.of(a).back();
    if (user_[one] != kNoArcId) return false;
    if (one == other) {
      user_[one] = a;
      return true;
    }
    ++visit_;
    visited_[one] = visit_;
    if (user_[other] != kNoArcId && !make_idle(other, kLongestPath, usable)) return false;
    user_[one] = user_[other] = a;
    return true;
  }

 private:
  template <typename Usable>
  bool make_idle(bounds::Resource r, unsigned longest, const Usable& usable) {
    visited_[r] = visit_;
    const ArcId a = user_[r];
    const bounds::Resource sender = resources_.of(a).front(), receiver = resources_.of(a).back();
    if (longest == 0 || receiver != r) return false;  // with half duplex r may be the sender
    const Node x = arcs_.tail(a);
    for (ArcId b = arcs_.first(x); b < arcs_.first(x) + arcs_.degree(x); ++b) {
      const bounds::Resource its = resources_.of(b).back();
      if (visited_[its] == visit_ || !usable(b)) continue;
      if (user_[its] != kNoArcId && !make_idle(its, longest - 1, usable)) continue;
      user_[sender] = user_[its] = b;
      user_[r] = kNoArcId;
      return true;
    }
    return false;
  }

  /// Arcs that may move for one that claims.
  static constexpr unsigned kLongestPath = 8;

  const Arcs& arcs_;
  const bounds::Resources& resources_;
  std::vector<ArcId> user_;  ///< of each resource in this round
  std::vector<std::uint32_t> visited_;
  std::uint32_t visit_ = 0;
};

/// Broadcast through all ports: every node passes the message on as soon as it has it. Takes as
/// many rounds as the farthest node is away, which no schedule beats.
std::vector<Hop> broadcast_all_ports(const Arcs& arcs, Node root);

/// Broadcast through a single port: the shortest schedule found; the search ends at `bound` rounds.
/// Both serve half-duplex links too, because no link and no node is needed in both directions.
std::vector<Hop> broadcast_single_port(const Arcs& arcs, Node root, std::uint32_t bound,
                                       const Effort& effort);

/// How far the shortest ways from the root go on beyond each node.
std::vector<std::uint32_t> hops_beyond(const Arcs& arcs, Node root);

/// A chunk that `message.origin` holds, and who must hold it in the end.
struct Demand {
  Message message;
  std::vector<Node> receivers;
  std::uint64_t cycles = 1;  ///< of a round in which it is the longest
};

/// Brings every chunk to its receivers, in any model: each down a tree of its own, of shortest
/// paths that avoid busy resources. The shortest of some attempts, which end at `bound` cycles.
std::vector<Hop> send_down_trees(const Arcs& arcs, const bounds::Resources& resources,
                                 const std::vector<Demand>& demands, std::uint64_t bound,
                                 const Effort& effort);

/// Gossip, one message on an arc in a round. Returns the shortest schedule found; the search ends
/// at `bound` rounds.
std::vector<Hop> gossip(const Arcs& arcs, const bounds::Resources& resources, std::uint32_t bound,
                        const Effort& effort);

/// Scatter through all ports over full-duplex links, in the fewest rounds, which are at least
/// `bound`: the paths of a flow over time (bounds/flows.hpp).
std::vector<Hop> scatter_all_ports(const Arcs& arcs, Node root, std::uint32_t bound);

/// Scatter through a single port over full-duplex links: the farthest first, along one tree of
/// shortest paths. The root sends one message a round, and no message ever waits, because all those
/// at the same distance from the root have left it in different rounds. So it takes as many rounds
/// as the bound of the root's port.
std::vector<Hop> scatter_single_port(const Arcs& arcs, Node root);

/// Scatter over half-duplex links. Through all ports the paths of the flow are enough if no link is
/// used both ways in a round. Else one tree, the best of some, or routes of small load.
std::vector<Hop> scatter_half_duplex(const Arcs& arcs, Node root,
                                     const bounds::Resources& resources, PortModel ports,
                                     std::uint32_t bound, const Effort& effort);

/// A message and its way, arc by arc.
struct Packet {
  Message message;
  std::vector<ArcId> route;
};

/// Routes for a packet from each origin to each destination, so that the busiest resource has few
/// hops; no fewer than `goal` are looked for.
std::vector<Packet> balanced_routes(const Arcs& arcs, const bounds::Resources& resources,
                                    std::vector<Message> messages, std::uint64_t goal,
                                    std::uint32_t seed);

/// The messages of a total exchange.
std::vector<Message> all_to_all(Node nodes);

/// Messages that each go to one node, in any model: routes of small load, then the shortest of some
/// list schedules.
std::vector<Hop> send_along_routes(const Arcs& arcs, const bounds::Resources& resources,
                                   const std::vector<Message>& messages, std::uint32_t bound,
                                   const Effort& effort);

}  // namespace gossamer::any_graph

namespace gossamer {

/// The schedule of any-graph on one factor of a product: what an algorithm for products uses in a
/// dimension that it has no rule for. It is planned once in a program.
const Schedule& factor_plan(const Graph& graph, Collective collective, PortModel ports,
                            Duplex duplex);

/// Why any-graph does not serve the factor; nothing if it does.
std::optional<std::string> factor_refusal(const Graph& graph, Collective collective,
                                          PortModel ports, Duplex duplex);

}  // namespace gossamer
