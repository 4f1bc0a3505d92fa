#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Collectives on any connected graph in few rounds, of as many messages as there are to send
/// (docs/research/beyond.md).
extern const Algorithm kAnyGraphCombining;

}  // namespace gossamer
