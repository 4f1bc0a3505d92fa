#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Reductions on any connected graph: a broadcast backwards in time is a reduce, a gossip backwards
/// a reduce-scatter. An all-reduce is both, one after the other: of the whole vector to a root and
/// back, or of a piece for each member, whichever takes fewer cycles.
extern const Algorithm kReversed;

}  // namespace gossamer
