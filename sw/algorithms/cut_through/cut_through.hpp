#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Every collective on any connected graph, all ports, in slots of one hop's cycles: for messages
/// that are too short for packets. The routes of the schedule for packets, in other rounds, so that
/// flits pass through nodes wherever they need not wait.
extern const Algorithm kCutThrough;

}  // namespace gossamer
