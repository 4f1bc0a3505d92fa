#pragma once

#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// Hamiltonian cycles no two of which share a link. On products of rings of three nodes and more,
/// and of pairs of links, one for each ring and pair if the search finds so many (Kotzig 1973: two
/// rings have two; the same is known of more); on other graphs the one of hamiltonian_cycle(), or
/// none.
std::vector<std::vector<Node>> disjoint_hamiltonian_cycles(const Topology& topology);

}  // namespace gossamer
