#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bounds/distances.hpp"
#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer::bounds {

using Resource = std::uint32_t;

/// What a hop of a packet occupies for a round. Through all ports that is its arc, or with half
/// duplex its link. Through a single port it is the sender's output and the receiver's input, or
/// with half duplex both nodes. Each resource serves one hop in a round, so no schedule takes fewer
/// rounds than the hops of its busiest resource.
class Resources {
 public:
  Resources(const Arcs& arcs, PortModel ports, Duplex duplex) {
    const bool half = duplex == Duplex::Half;
    of_each_ = ports == PortModel::Single ? 2 : 1;
    count_ = of_each_ == 1 ? arcs.count() : half ? arcs.nodes() : 2 * arcs.nodes();
    at_once_ = of_each_ == 2 ? arcs.nodes() : arcs.count();
    if (half) at_once_ /= 2;
    for (ArcId a = 0; a < arcs.count(); ++a) {
      if (of_each_ == 1) {
        of_.push_back(half ? std::min(a, arcs.reverse(a)) : a);
      } else {
        of_.push_back(arcs.tail(a));
        of_.push_back(half ? arcs.head(a) : arcs.nodes() + arcs.head(a));
      }
    }
  }

  Resource count() const { return count_; }
  /// Hops in a round, at most.
  std::uint64_t at_once() const { return at_once_; }
  /// One or two.
  std::span<const Resource> of(ArcId a) const {
    return {of_.data() + std::size_t{a} * of_each_, of_each_};
  }
  /// The largest number of those of an arc.
  template <typename Number>
  Number most(ArcId a, const std::vector<Number>& numbers) const {
    return std::max(numbers[of(a).front()], numbers[of(a).back()]);
  }
  /// Their sum.
  template <typename Number>
  Number sum(ArcId a, const std::vector<Number>& numbers) const {
    return of_each_ == 1 ? numbers[of(a)[0]] : numbers[of(a)[0]] + numbers[of(a)[1]];
  }

 private:
  std::vector<Resource> of_;
  std::size_t of_each_ = 1;
  Resource count_ = 0;
  std::uint64_t at_once_ = 0;
};

/// The largest load of the best fractional routing of a total exchange, or somewhat less.
struct RoutingLoad {
  std::uint64_t distances = 0, lengths = 1;
  /// Rounded up, of messages of so many flits.
  std::uint64_t of(std::uint64_t flits) const {
    return divide_up(multiply_saturating(distances, flits), lengths);
  }
};

/// Total exchange without combining, any model (ours): give every resource a
/// length. A message from x to y uses resources of at least their distance in this metric, and in T
/// rounds at most T times the sum of all lengths is used. So T is at least
///     the sum of the distances of all pairs / the sum of the lengths
/// for any lengths; with the best lengths this is the largest load of the best fractional routing.
/// Where nodes send each other other `amounts` (by origins; empty: one message each), each distance
/// counts as often. The lengths are found by routing along shortest paths and lengthening what is
/// loaded, some times; the result is computed in whole numbers. 0 if the topology is too large, and
/// without amounts if it can be translated, where equal lengths are the best.
///
/// Through all ports the same holds with flits and cycles in the place of messages and rounds,
/// however messages are cut or switched. Remembers the last result of each thread.
RoutingLoad routing_load(const Topology& topology, PortModel ports, Duplex duplex,
                         std::span<const std::uint64_t> amounts = {});

/// A direction of a link, and the time that a flit takes over it.
struct NetArc {
  Node tail = 0, head = 0;
  std::uint64_t hop = 1;
  std::uint32_t link = 0;  ///< the same number for both directions
};

/// The directed links of a topology, each with its own time; or all of them backwards.
class Net {
 public:
  /// By port the cycles of a hop; empty: 1 each.
  explicit Net(const Topology& topology, std::span<const std::uint64_t> hops = {},
               bool backwards = false);

  Node nodes() const { return static_cast<Node>(out_.size()); }
  const std::vector<NetArc>& arcs() const { return arcs_; }
  std::uint32_t links() const { return links_; }
  /// The arcs that leave and enter a node, by their numbers.
  std::span<const std::uint32_t> out(Node x) const { return out_[x]; }
  std::span<const std::uint32_t> in(Node x) const { return in_[x]; }
  std::uint64_t least_hop() const { return least_; }
  std::uint64_t most_hop() const { return most_; }

 private:
  std::vector<NetArc> arcs_;
  std::vector<std::vector<std::uint32_t>> out_, in_;
  std::uint32_t links_ = 0;
  std::uint64_t least_ = ~std::uint64_t{0}, most_ = 0;
};

enum class Leads { Away, There };
/// The time from the nearest of some nodes to each node, or from each node to the nearest of them.
std::vector<std::uint64_t> times(const Net& net, std::span<const Node> nodes,
                                 Leads leads = Leads::Away);

/// The least time of 1, 2, ... paths from `from` to `to` together, no two of which share an arc; as
/// many as there are such paths.
std::vector<std::uint64_t> hops_of_disjoint_paths(const Net& net, Node from, Node to);

/// How a message of a scatter goes from the root to its destination: without waiting, from the
/// round in which it leaves the root.
struct TimedPath {
  std::uint32_t first_round = 0;
  std::vector<Node> nodes;
};

/// The paths of a scatter through all ports over full-duplex links in `rounds` rounds, by
/// destination (none for the root); nothing if no schedule is that short. This is a flow in the
/// network of the pairs (node, time): a message that waits may as well wait at the root, so there
/// are no other ways to wait. If the flow misses a node, the pairs from which the node can still be
/// reached by changing the flow are a cut that is full, and so no schedule exists.
std::optional<std::vector<TimedPath>> scatter_in(const Arcs& arcs, Node root, std::uint32_t rounds);

/// The fewest rounds of a scatter, at least `least`; by scatter_in. A gather takes as many, because
/// it is a scatter with time reversed.
std::uint32_t fewest_scatter_rounds(const Arcs& arcs, Node root, std::uint32_t least);

}  // namespace gossamer::bounds
