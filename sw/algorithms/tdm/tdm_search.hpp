#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Total exchange with pipelined circuits, one injection and one arrival per node and slot, on square tori
/// of two dimensions: every node does the same. The schedules are those that a search has found, all as
/// short as the bound (docs/research/beyond.md).
extern const Algorithm kTdmSearch;

}  // namespace gossamer
