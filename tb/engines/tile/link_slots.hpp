#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engines/tile/tile_threads.hpp"
#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// The flits on the inputs of a tile.
struct Inputs {
  std::uint64_t valid = 0;  ///< bit per port
  std::uint64_t last = 0;
};

/// The flits between two cycles: a slot for every input of every node. What a node sends in cycle t
/// goes into the slots of cycle t+1, while others still take their flits of cycle t. So the nodes
/// can be evaluated in any order, by any thread, in one pass. Each slot's flags are a byte, because
/// different senders write different slots. A link with register stages puts its flits into the
/// slots of a later cycle.
///
/// This class knows slots only; LinkSlots below knows whose they are.
class FlitSlots {
 public:
  /// Slots are counted in eights, because eight flags are one word.
  static constexpr std::size_t kGroup = 8;
  /// Slots of a node with so many ports.
  static constexpr std::size_t stride(std::size_t ports) {
    return (ports + kGroup - 1) / kGroup * kGroup;
  }

  /// The flits on the links in one cycle.
  class Cycle {
   public:
    void prefetch_slots(std::size_t first) const {
      __builtin_prefetch(flags_ + first, 1);
      __builtin_prefetch(data_ + first, 1);
    }

    /// Takes the flit of one slot.
    Flit take_slot(std::size_t slot) const {
      const std::uint8_t flags = flags_[slot];
      flags_[slot] = 0;
      return {flags != 0, flags == 3, data_[slot]};
    }

    /// Moves the flits of eight neighbouring slots to other slots.
    void move_group(std::size_t from, const std::uint32_t* to) const {
      std::uint64_t flags;
      std::memcpy(&flags, flags_ + from, 8);
      if (flags == 0) return;
      std::memset(flags_ + from, 0, 8);
      for (unsigned k = 0; k < 8; ++k) {
        const auto flag = static_cast<std::uint8_t>(flags >> 8 * k);
        if (flag == 0) continue;
        flags_[to[k]] = flag;
        data_[to[k]] = data_[from + k];
      }
    }

    void put(std::size_t slot, bool last, std::uint32_t word) const {
      flags_[slot] = static_cast<std::uint8_t>(last ? 3 : 1);
      data_[slot] = word;
    }

   protected:
    friend FlitSlots;
    Cycle(std::uint8_t* flags, std::uint32_t* data) : flags_(flags), data_(data) {}
    std::uint8_t* flags_;
    std::uint32_t* data_;
  };

  /// Empties all slots. `stages` are those of the longest link.
  void clear_slots(std::size_t slots, std::uint32_t stages) {
    moments_.resize(std::bit_ceil(std::size_t{stages} + 2));
    for (Moment& moment : moments_) {
      moment.flags.assign(slots, 0);
      moment.data.assign(slots, 0);
    }
  }

  /// After so many cycles the same slots are used again.
  std::size_t period() const { return moments_.size(); }

  Cycle at(std::uint64_t cycle) {
    Moment& moment = moments_[cycle & (moments_.size() - 1)];
    return {moment.flags.data(), moment.data.data()};
  }

 private:
  struct Moment {
    std::vector<std::uint8_t> flags;
    std::vector<std::uint32_t> data;
  };
  std::vector<Moment> moments_;  ///< their number is a power of two
};

/// The same for nodes with P ports.
template <unsigned P>
class LinkSlots : public FlitSlots {
 public:
  static constexpr std::size_t kStride = stride(P);

  void clear(std::size_t nodes, std::uint32_t stages = 0) { clear_slots(nodes * kStride, stages); }

  class Cycle : public FlitSlots::Cycle {
   public:
    explicit Cycle(const FlitSlots::Cycle& cycle) : FlitSlots::Cycle(cycle) {}

    void prefetch(std::size_t node) const { __builtin_prefetch(data_ + node * kStride, 1); }

    bool any(std::size_t node) const {
      std::uint64_t flags[kStride / 8], all = 0;
      std::memcpy(flags, flags_ + node * kStride, kStride);
      for (const std::uint64_t group : flags) all |= group;
      return all != 0;
    }

    /// Takes the flits on the inputs of a node, and leaves the inputs empty. The words are copied
    /// to `data`.
    Inputs take(std::size_t node, std::uint32_t* data) const {
      Inputs inputs;
      for (unsigned group = 0; group < kStride; group += 8) {
        std::uint8_t* at = flags_ + node * kStride + group;
        std::uint64_t flags;
        std::memcpy(&flags, at, 8);
        if (flags == 0) continue;
        std::memset(at, 0, 8);
        inputs.valid |= low_bits(flags) << group;
        inputs.last |= low_bits(flags >> 1) << group;
        const std::uint32_t* words = data_ + node * kStride + group;
        std::memcpy(data + group, words, std::min(8u, P - group) * sizeof(std::uint32_t));
      }
      return inputs;
    }

    /// The same without the words.
    Inputs take_flags(std::size_t node) const {
      Inputs inputs;
      for (unsigned group = 0; group < kStride; group += 8) {
        std::uint8_t* at = flags_ + node * kStride + group;
        std::uint64_t flags;
        std::memcpy(&flags, at, 8);
        std::memset(at, 0, 8);
        inputs.valid |= low_bits(flags) << group;
        inputs.last |= low_bits(flags >> 1) << group;
      }
      return inputs;
    }
    /// The same, and they stay.
    std::uint64_t valid(std::size_t node) const {
      std::uint64_t valid = 0;
      for (unsigned group = 0; group < kStride; group += 8) {
        std::uint64_t flags;
        std::memcpy(&flags, flags_ + node * kStride + group, 8);
        valid |= low_bits(flags) << group;
      }
      return valid;
    }
    /// The word on an input of a node.
    std::uint32_t word(std::size_t node, Port p) const { return data_[node * kStride + p]; }

   private:
    using FlitSlots::Cycle::data_;
    using FlitSlots::Cycle::flags_;
  };

  Cycle at(std::uint64_t cycle) { return Cycle(FlitSlots::at(cycle)); }

  static std::uint32_t slot(Node node, Port port) {
    return static_cast<std::uint32_t>(node * kStride + port);
  }

 private:
  /// The lowest bits of eight neighbouring bytes.
  static std::uint64_t low_bits(std::uint64_t bytes) {
    return (bytes & 0x0101010101010101) * 0x0102040810204080 >> 56;
  }
};

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
