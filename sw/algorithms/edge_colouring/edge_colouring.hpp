#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Total exchange on tori of any sides, all ports, packets: the hops of all messages are the edges
/// of a bipartite multigraph, and the rounds are their colours (docs/research/beyond.md).
extern const Algorithm kEdgeColouring;

}  // namespace gossamer
