#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Gossip on a product of graphs from the algorithms of its dimensions (Dimakopoulos 1999, section
/// 4).
extern const Algorithm kProduct;

}  // namespace gossamer
