#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Reduce and all-reduce in pieces that follow one another up a tree, and down again, with few
/// branches: what comes from all but one of a node's children it merges before it sends, so that
/// many branches make rounds long, and few make the tree deep.
extern const Algorithm kTreeReduce;

}  // namespace gossamer
