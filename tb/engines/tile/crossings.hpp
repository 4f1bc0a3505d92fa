#pragma once

#include <cstdint>
#include <vector>

#include "engines/tile/link_slots.hpp"
#include "engines/tile/node_blocks.hpp"

namespace gossamer::tb {

/// The links between nodes of different threads. Their flits are put into ghost slots, after the
/// slots of the nodes, and the receiving thread moves them to its nodes' slots before it evaluates
/// these nodes. So only few cache lines go from core to core in a cycle, and they are adjacent.
template <unsigned P>
class Crossings {
 public:
  using Slots = LinkSlots<P>;

  /// `to` has the slot at the other end of each output of each node. Those that are a node's slot
  /// but belong to another block become ghosts, numbered from `first_ghost` on.
  void wire(std::vector<std::uint32_t>& to, const NodeBlocks& blocks, std::uint32_t first_ghost) {
    arriving_.assign(blocks.size(), {});
    end_ = first_ghost;
    for (unsigned receiver = 0; receiver < blocks.size(); ++receiver) {
      for (unsigned sender = 0; sender < blocks.size(); ++sender) {
        if (sender == receiver) continue;
        end_ = (end_ + kLine - 1) / kLine * kLine;
        for (std::size_t i = blocks.first(sender) * P; i < blocks.last(sender) * P; ++i) {
          const std::size_t target = to[i] / Slots::kStride;
          if (target < blocks.first(receiver) || target >= blocks.last(receiver)) continue;
          if (end_ % kGroup == 0) arriving_[receiver].push_back({end_, {}});
          arriving_[receiver].back().slots[end_ % kGroup] = to[i];
          to[i] = end_++;
        }
      }
    }
  }

  /// The number of nodes that have as many slots as nodes and ghosts together.
  std::size_t nodes() const { return (end_ + Slots::kStride - 1) / Slots::kStride; }

  /// Moves the flits that come to the nodes of a block.
  void deliver(const typename Slots::Cycle& now, unsigned block) const {
    // Prefetches, so that all lines come from the other cores at the same time.
    for (const Group& group : arriving_[block]) now.prefetch_slots(group.ghost);
    for (const Group& group : arriving_[block]) now.move_group(group.ghost, group.slots);
  }

 private:
  static constexpr std::uint32_t kLine = 64, kGroup = 8;
  /// Eight ghosts, and the slots to which their flits go.
  struct Group {
    std::uint32_t ghost;
    std::uint32_t slots[kGroup];
  };
  std::vector<std::vector<Group>> arriving_;  ///< by block
  std::uint32_t end_ = 0;
};

}  // namespace gossamer::tb
