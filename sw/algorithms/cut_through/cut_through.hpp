#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Every collective on any connected graph in slots of one hop's cycles: for messages that are too
/// short for packets, and for what must not stop at nodes that have a single port. The routes of
/// the schedule for packets, in other rounds, so that flits pass through nodes wherever they need
/// not wait; of a broadcast the pieces go each its own way.
extern const Algorithm kCutThrough;

}  // namespace gossamer
