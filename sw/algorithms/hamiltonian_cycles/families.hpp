#pragma once

#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// Hamiltonian cycles of families of graphs by construction, in the node numbers of
/// topology/families.hpp.

/// `nodes` a power of two, at least 2: a binary de Bruijn sequence.
std::vector<Node> de_bruijn_cycle(Node nodes);
/// d >= 2.
std::vector<Node> butterfly_cycle(Node d);
/// d >= 2; empty for d = 2 and d = 3, which the construction does not cover. By construction for
/// even d; for odd d the last step is a search.
std::vector<Node> cube_connected_cycles_cycle(Node d);

}  // namespace gossamer
