#pragma once

#include <map>
#include <vector>

#include "engines/tile/link_slots.hpp"
#include "fabric/ranks.hpp"

namespace gossamer::tb {

/// The links that leave a rank's block of nodes. Their flits are put into ghost slots, behind the
/// slots of the block's own nodes, and are sent to the neighbour's slots at the end of the cycle.
template <unsigned P>
class Boundary {
 public:
  using Slots = LinkSlots<P>;

  /// The block [first, last) is this rank's; without ranks it is all nodes. `slot_at(x, p)` is set
  /// for every output of the block: its slot, or a ghost.
  template <class SetSlot>
  void wire(const Topology& topology, Ranks* ranks, Node first, Node last,
            const SetSlot& set_slot) {
    ranks_ = ranks;
    neighbours_.clear();
    std::map<unsigned, std::vector<Ghost>> ghosts;
    for (Node x = first; x < last; ++x) {
      for (Port p = 0; p < topology.ports(); ++p) {
        const Endpoint to = topology.peer(x, p);
        if (!to.connected()) continue;
        if (to.node >= first && to.node < last) {
          set_slot(x, p, Slots::slot(to.node - first, to.port));
          continue;
        }
        const unsigned owner = ranks->owner(topology.nodes(), to.node);
        const Node base = ranks->block(topology.nodes(), owner).first;
        ghosts[owner].push_back({x, p, Slots::slot(to.node - base, to.port)});
      }
    }
    std::uint32_t ghost = Slots::slot(last - first, 0);
    for (const auto& [owner, links] : ghosts) {
      Neighbour& n = neighbours_.emplace_back();
      n.first_ghost = ghost;
      for (const Ghost& link : links) {
        set_slot(link.node, link.port, ghost++);
        n.slots.push_back(link.slot);
      }
      // Links are bidirectional: as many flits can arrive as can leave.
      exchanges_.resize(neighbours_.size());
      Ranks::Exchange& e = exchanges_.back();
      e.rank = owner;
      e.sent.resize(links.size());
      e.received.resize(links.size());
    }
    ghosts_ = ghost - Slots::slot(last - first, 0);
  }

  /// The number of nodes that have as many slots as there are ghosts.
  std::size_t extra_nodes() const { return (ghosts_ + Slots::kStride - 1) / Slots::kStride; }

  /// Sends the flits that will be on links in `cycle` to the ranks at the other ends.
  void exchange(Slots& all, std::uint64_t cycle) {
    const typename Slots::Cycle slots = all.at(cycle);
    for (std::size_t i = 0; i < neighbours_.size(); ++i) {
      Ranks::Exchange& e = exchanges_[i];
      e.sending = 0;
      const Neighbour& n = neighbours_[i];
      for (std::size_t k = 0; k < n.slots.size(); ++k) {
        const auto flit = slots.take_slot(n.first_ghost + k);
        if (!flit.valid) continue;
        e.sent[e.sending++] = {n.slots[k] | (flit.last ? kLast : 0), flit.data};
      }
    }
    ranks_->exchange(exchanges_);
    for (const Ranks::Exchange& e : exchanges_) {
      for (std::size_t k = 0; k < e.receiving; ++k) {
        const RemoteFlit& flit = e.received[k];
        slots.put(flit.slot & ~kLast, (flit.slot & kLast) != 0, flit.data);
      }
    }
  }

 private:
  static constexpr std::uint32_t kLast = std::uint32_t{1} << 31;
  struct Ghost {
    Node node;
    Port port;
    std::uint32_t slot;
  };
  struct Neighbour {
    std::uint32_t first_ghost = 0;
    std::vector<std::uint32_t> slots;  ///< by ghost: its slot there
  };

  Ranks* ranks_ = nullptr;
  std::vector<Neighbour> neighbours_;
  std::vector<Ranks::Exchange> exchanges_;
  std::size_t ghosts_ = 0;
};

}  // namespace gossamer::tb
