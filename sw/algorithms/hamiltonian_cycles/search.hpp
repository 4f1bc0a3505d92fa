#pragma once

#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"

namespace gossamer {

/// A hamiltonian cycle of any graph by search: first backtracking over all paths, the neighbours
/// with the fewest continuations first (Warnsdorff), which decides small graphs; then paths that
/// are extended and rotated at random (Posa), from fixed seeds. Effort is bounded (some seconds at
/// the most). A graph that cannot have such a cycle is refused with the reason.
FoundCycle search_cycle(const Topology& topology);

/// Rotates a path through all nodes until its ends are linked. Empty if that takes too long.
std::vector<Node> close_path(const Topology& topology, std::vector<Node> path);

}  // namespace gossamer
