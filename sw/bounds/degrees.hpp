#pragma once

#include <cstdint>

#include "topology/topology.hpp"

namespace gossamer::bounds {

/// Single ports: rounds until all nodes can hold a message of `root`. A node informs one neighbour
/// in a round, but never the one that informed it, so a node of d links informs d - 1 others, in
/// the next d - 1 rounds at best; only the root informs d. The number of holders is largest if the
/// nodes with most links are informed first: where a schedule informs one with fewer links earlier,
/// the two can change places. On regular graphs these are the generalized Fibonacci numbers of
/// Liestman and Peters (1988). 0 if the topology is too large.
std::uint64_t broadcast_degree_rounds(const Topology& topology, Node root);

/// Single ports: the rounds of a broadcast on a tree, exactly. A node informs the neighbours first
/// that need most rounds to inform all behind them. 0 if the topology is not a tree.
std::uint64_t broadcast_tree_rounds(const Topology& topology, Node root);

}  // namespace gossamer::bounds
