#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Gossip on a product of graphs from the algorithms of its dimensions (paper 1, section 4).
extern const Algorithm kProduct;

}  // namespace gossamer
