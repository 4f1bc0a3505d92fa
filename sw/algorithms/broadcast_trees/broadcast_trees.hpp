#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Broadcast in one round of circuits that fork: each piece of the message goes down an out-tree of
/// its own, and no two trees share an arc (ours). A long message then takes its flits through all
/// ports of the root, and its way little longer than the root is eccentric.
extern const Algorithm kBroadcastTrees;

}  // namespace gossamer
