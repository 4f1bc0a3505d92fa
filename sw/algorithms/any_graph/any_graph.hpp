#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Collectives on any connected graph, near their lower bounds (docs/research/beyond.md).
extern const Algorithm kAnyGraph;

}  // namespace gossamer
