#pragma once

#include <vector>

#include "engines/tile/link_slots.hpp"
#include "fabric/ranks.hpp"

namespace gossamer::tb {

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
