#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer::bounds {

/// a / b, rounded up.
constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); }

/// Sums and products that stay at the largest number instead of wrapping around: a bound computed
/// with them is then at worst too low.
constexpr std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return a > kMost - b ? kMost : a + b;
}
constexpr std::uint64_t multiply_saturating(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > kMost / b ? kMost : a * b;
}

/// How many nodes are at distance 0, 1, 2, ... of a node.
using Profile = std::vector<std::uint64_t>;

Profile profile(const Graph& graph, Node x);
/// Distances in a product are sums of distances in its factors, in which a hop counts as many as
/// `hops` says (empty: 1).
Profile profile(const Topology& topology, Node x, std::span<const std::uint64_t> hops = {});

/// Directed links.
std::uint64_t arcs(const Graph& graph);
std::uint64_t arcs(const Topology& topology);

/// The sum over all ordered pairs of nodes. 0 if it would take too long: a bound from it is then
/// weak but not wrong.
std::uint64_t sum_of_distances(const Graph& graph);
std::uint64_t sum_of_distances(const Topology& topology);

/// The largest distance. On a large graph that cannot be translated it is found by a double sweep
/// (the farthest node from a farthest node), which is exact on trees and never too large.
std::uint64_t diameter(const Graph& graph);
std::uint64_t diameter(const Topology& topology);

/// Nodes to try for a bound that holds for each node: one if all are alike, all if they are few,
/// else those of the fewest links and those farthest out.
std::vector<Node> nodes_to_try(const Topology& topology);

}  // namespace gossamer::bounds
