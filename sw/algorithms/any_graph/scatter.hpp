#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/any_graph/effort.hpp"
#include "bounds/resources.hpp"

namespace gossamer::any_graph {

/// Scatter through all ports over full-duplex links, in the fewest rounds, which are at least
/// `bound`: the paths of a flow over time (bounds/flow_over_time.hpp).
std::vector<Hop> scatter_all_ports(const Arcs& arcs, Node root, std::uint32_t bound);

/// Scatter through a single port over full-duplex links: the farthest first, along one tree of
/// shortest paths. The root sends one message a round, and no message ever waits, because all those
/// at the same distance from the root have left it in different rounds. So it takes as many rounds
/// as the bound of the root's port.
std::vector<Hop> scatter_single_port(const Arcs& arcs, Node root);

/// Scatter over half-duplex links. Through all ports the paths of the flow are enough if no link is
/// used both ways in a round. Else routes of small load, and the shortest of some list schedules.
std::vector<Hop> scatter_half_duplex(const Arcs& arcs, Node root,
                                     const bounds::Resources& resources, PortModel ports,
                                     std::uint32_t bound, const Effort& effort);

/// A gather from a scatter: time and directions reversed, origins and destinations exchanged.
std::vector<Hop> reversed(std::vector<Hop> hops);

}  // namespace gossamer::any_graph
