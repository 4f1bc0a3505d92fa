#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// All-reduce by doubling: in each round the two ends of a link add up what the other has, over one
/// bit of the nodes' numbers after the other. After round k the sums are of 2^k nodes each.
extern const Algorithm kDoubling;

}  // namespace gossamer
