#pragma once

#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"

namespace gossamer {

/// A hamiltonian cycle of any graph by search: first every path by backtracking, the neighbours
/// with the fewest ways on first (Warnsdorff), which settles small graphs; then paths that are
/// extended and rotated at random (Posa), from fixed seeds. Effort is bounded (some seconds at the
/// most); what is seen to have no such cycle is refused with the reason.
FoundCycle search_cycle(const Topology& topology);

/// Rotates a path through all nodes until its ends are linked. Empty if that takes too long.
std::vector<Node> close_path(const Topology& topology, std::vector<Node> path);

}  // namespace gossamer
