#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Total exchange with pipelined circuits, one injection and one arrival per node and slot, on tori
/// of two dimensions: every node does the same. A table holds schedules of square tori; with
/// Request::seconds the search runs again, on any sides (docs/research/beyond.md).
extern const Algorithm kTdmSearch;

}  // namespace gossamer
