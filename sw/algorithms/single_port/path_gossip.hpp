#pragma once

#include "algorithms/single_port/single_port.hpp"

namespace gossamer {

/// Gossip on a path of n >= 3 nodes (ours; the paper has only paths of two nodes). An inner node
/// must send n+1 messages (towards each end what comes from the other side, and its own to both),
/// so every schedule takes at least n+1 steps (full duplex) or 2n (half duplex, with n-1
/// receptions).
class PathGossip : public ListedGossip {
 public:
  PathGossip(Node nodes, Duplex duplex);

  /// floor((3n-1)/2) steps in full duplex, floor((5n-3)/2) in half duplex.
  static Formula formula(Node nodes, Duplex duplex);
};

}  // namespace gossamer
