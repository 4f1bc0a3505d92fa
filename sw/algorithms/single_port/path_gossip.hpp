#pragma once

#include <vector>

#include "algorithms/single_port/single_port.hpp"

namespace gossamer {

/// Gossip on a path of n >= 3 nodes (ours; the paper has only paths of two nodes). An inner node
/// must send n+1 messages (towards each end what comes from the other side, and its own to both),
/// so every schedule takes at least n+1 steps (full duplex) or 2n (half duplex, with n-1
/// receptions).
class PathGossip : public SinglePortGossip {
 public:
  PathGossip(Node nodes, Duplex duplex);

  /// floor((3n-1)/2) steps in full duplex, floor((5n-3)/2) in half duplex.
  static Formula formula(Node nodes, Duplex duplex);

  std::uint32_t steps() const override { return static_cast<std::uint32_t>(sends_.size()); }
  std::optional<Send> send(std::uint32_t step, Node x) const override;
  Node origin(Node x, std::uint32_t index) const override { return logs_[x][index]; }
  Node period() const override { return 0; }

 private:
  std::vector<std::vector<Send>> sends_;  ///< by step and node; to kNoNode: sends nothing
  std::vector<std::vector<Node>> logs_;   ///< origins, by node
};

}  // namespace gossamer
