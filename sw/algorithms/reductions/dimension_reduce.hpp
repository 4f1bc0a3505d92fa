#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Reductions on products of graphs, one dimension after the other: in each, gossips backwards in
/// time leave every node with its share of the sums along that dimension, a share of what the
/// dimension before left. A reduce or an all-reduce then goes the way back. The vector has a part
/// for each dimension to begin with, so that the links of all are used at the same time.
extern const Algorithm kDimensionReduce;

}  // namespace gossamer
