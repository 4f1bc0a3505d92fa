#pragma once

#include <cstdint>

#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer::bounds {

/// Gossip through all ports without combining (ours): the messages of all nodes outside a set S
/// must enter it over the arcs that lead into it, one an arc and round; and what enters at a node x
/// of S in round t is at a node y of S, d(x,y) hops away, in round t + d(x,y) at the earliest. With
/// half duplex the links also serve the messages that leave S, at least one for each node of S. The
/// best sets are found by maximum flows. 0 if the topology is too large.
std::uint64_t gossip_cut_rounds(const Topology& topology, Duplex duplex);

/// Single ports (ours). If a node is removed and the graph falls into k parts, the node must send
/// to each part the messages of all nodes outside it: in a gossip (k-1) N + 1 messages. With half
/// duplex it cannot receive its N - 1 messages meanwhile.
std::uint64_t gossip_cut_node_rounds(const Topology& topology, Duplex duplex);
/// With combining the node must receive something from each part, which takes k rounds, and then
/// send the last of it to the others; with half duplex it must send to each part besides.
std::uint64_t gossip_combining_cut_node_rounds(const Topology& topology, Duplex duplex);
/// In a broadcast it is informed after as many rounds as it is away from the root, and then must
/// inform each part that the message does not come from.
std::uint64_t broadcast_cut_node_rounds(const Topology& topology, Node root);
/// Over half-duplex links, a node through which all messages for m others go receives m + 1 and
/// sends m, one in a round, after the rounds that the first one needs to it. For a gather the same
/// with time reversed.
std::uint64_t scatter_cut_node_rounds(const Topology& topology, Node root);

}  // namespace gossamer::bounds
