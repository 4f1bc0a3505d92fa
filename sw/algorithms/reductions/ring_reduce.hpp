#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Reductions along hamiltonian cycles that share no link, each in both directions where ports and
/// links allow it. A piece starts at the node that wants its sum, and each node adds its part as
/// the piece comes by; the last one before the start sends it there whole. So nothing is ever added
/// up at rest, and every port carries a piece in every round.
extern const Algorithm kRingReduce;

}  // namespace gossamer
