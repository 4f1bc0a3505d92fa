#pragma once

#include <cstdint>
#include <vector>

#include "engines/tile/link_slots.hpp"
#include "engines/tile/tile_threads.hpp"
#include "fabric/ranks.hpp"

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

/// The links that leave a rank's block of nodes. Their flits are put into ghost slots, behind the
/// slots of the block's own nodes, and are sent to the neighbour's slots at the end of the cycle.
class Boundary {
 public:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  /// The block [first, last) is this rank's; without ranks it is all nodes. Returns for every
  /// output of the block, port by port, its slot or a ghost; kNowhere if it has no link.
  std::vector<std::uint32_t> wire(const Topology& topology, Ranks* ranks, Node first, Node last,
                                  std::size_t ports);

  /// The slot after all ghosts.
  std::uint32_t end() const { return end_; }

  /// Sends the flits of a cycle to come to the ranks at the other ends.
  void exchange(const FlitSlots::Cycle& slots);

 private:
  static constexpr std::uint32_t kLast = std::uint32_t{1} << 31;
  struct Neighbour {
    std::uint32_t first_ghost = 0;
    std::vector<std::uint32_t> slots;  ///< by ghost: its slot there
  };

  Ranks* ranks_ = nullptr;
  std::vector<Neighbour> neighbours_;
  std::vector<Ranks::Exchange> exchanges_;
  std::uint32_t end_ = 0;
};

}  // namespace gossamer::tb
