#pragma once

#include <cstdint>
#include <vector>

#include "engines/tile/link_slots.hpp"
#include "engines/tile/node_blocks.hpp"

namespace gossamer::tb {

/// The links between nodes of different threads. Their flits are put into ghost slots, after the
/// slots of the nodes, and the receiving thread moves them to its nodes' slots before it evaluates
/// these nodes. So only few cache lines go from core to core in a cycle, and they are adjacent.
class Crossings {
 public:
  /// `to` has the slot at the other end of each output of each node. Those that are a node's slot
  /// but belong to another block become ghosts, numbered from `first_ghost` on.
  void wire(std::vector<std::uint32_t>& to, std::size_t ports, const NodeBlocks& blocks,
            std::uint32_t first_ghost);

  /// The number of the slots of nodes and ghosts together.
  std::size_t slots() const { return end_; }

  /// Moves the flits that come to the nodes of a block.
  void deliver(const FlitSlots::Cycle& now, unsigned block) const {
    // Prefetches, so that all lines come from the other cores at the same time.
    for (const Group& group : arriving_[block]) now.prefetch_slots(group.ghost);
    for (const Group& group : arriving_[block]) now.move_group(group.ghost, group.slots);
  }

 private:
  /// Eight ghosts, and the slots to which their flits go.
  struct Group {
    std::uint32_t ghost;
    std::uint32_t slots[FlitSlots::kGroup];
  };
  std::vector<std::vector<Group>> arriving_;  ///< by block
  std::uint32_t end_ = 0;
};

}  // namespace gossamer::tb
