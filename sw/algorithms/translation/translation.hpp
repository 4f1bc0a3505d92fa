#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Gossip on tori of any sides, all ports, packets: every node does the same, and every port
/// receives a new message in every round (docs/research/beyond.md).
extern const Algorithm kTranslation;

}  // namespace gossamer
