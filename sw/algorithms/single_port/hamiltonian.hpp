#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Gossip in the fewest steps along a hamiltonian cycle of any graph (Dimakopoulos 1999, section
/// 3).
extern const Algorithm kHamiltonian;

}  // namespace gossamer
