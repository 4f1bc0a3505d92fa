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

/// Single-port gossip with combining on a tree; 0 on other graphs. A node hears the last of each
/// branch in a round of its own, and no sooner than that branch can tell its neighbour: a broadcast
/// from the node, backwards. What it hears last it must then tell all other branches.
std::uint64_t gossip_combining_tree_rounds(const Topology& topology);

/// The same on a ring of 2k + 1 nodes, k >= 2: k + 2 rounds; 0 on other graphs. Assume k + 1. A
/// node hears of at least 2k others from the left and from the right, of at most one more a round
/// from either side, and of none from the side that it does not listen to in the last round. So
/// either that side was done with k nodes in the k rounds before; or it stays at k - 1 and the
/// other side brings one more in every round. A node that listens to nobody in the last round would
/// need both sides done in k rounds, but in round k it heard one of them only. So all nodes receive
/// in the last round, and all send. Two neighbours that exchange leave an odd number of others, so
/// all send the same way, say to the right. Backwards the same is true of the first round. If all
/// send to the right in it, no node hears of k from the right in rounds 1 to k, so all hear one
/// more from the left in every round, and nobody ever hears anything from the right: k - 1 = 0. If
/// all send to the left, none hears one more from the left in every round, so all hear one more
/// from the right in rounds 1 to k, and from the left only in the last: k = 1.
std::uint64_t gossip_combining_ring_rounds(const Topology& topology);

}  // namespace gossamer::bounds
