#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/any_graph/effort.hpp"
#include "topology/arcs.hpp"

namespace gossamer::any_graph {

/// Broadcast through all ports: every node passes the message on as soon as it has it. Takes as
/// many rounds as the farthest node is away, which no schedule beats.
std::vector<Hop> broadcast_all_ports(const Arcs& arcs, Node root);

/// Broadcast through a single port: the shortest schedule found; the search ends at `bound` rounds.
/// Both serve half-duplex links too, because no link and no node is needed in both directions.
std::vector<Hop> broadcast_single_port(const Arcs& arcs, Node root, std::uint32_t bound,
                                       const Effort& effort);

/// How far the shortest ways from the root go on beyond each node.
std::vector<std::uint32_t> hops_beyond(const Arcs& arcs, Node root);

}  // namespace gossamer::any_graph
