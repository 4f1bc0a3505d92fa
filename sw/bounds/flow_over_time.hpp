#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/arcs.hpp"

namespace gossamer::bounds {

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
