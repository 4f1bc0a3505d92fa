#include "engines/tile/link_slots.hpp"

#include <map>

namespace gossamer::tb {
namespace {

constexpr std::uint32_t kLine = 64;

std::uint32_t rounded_up(std::uint32_t slot, std::uint32_t unit) {
  return (slot + unit - 1) / unit * unit;
}

}  // namespace

void Crossings::wire(std::vector<std::uint32_t>& to, std::size_t ports, const NodeBlocks& blocks,
                     std::uint32_t first_ghost) {
  const std::size_t stride = FlitSlots::stride(ports);
  arriving_.assign(blocks.size(), {});
  end_ = first_ghost;
  for (unsigned receiver = 0; receiver < blocks.size(); ++receiver) {
    for (unsigned sender = 0; sender < blocks.size(); ++sender) {
      if (sender == receiver) continue;
      end_ = rounded_up(end_, kLine);
      for (std::size_t i = blocks.first(sender) * ports; i < blocks.last(sender) * ports; ++i) {
        const std::size_t target = to[i] / stride;
        if (target < blocks.first(receiver) || target >= blocks.last(receiver)) continue;
        if (end_ % FlitSlots::kGroup == 0) arriving_[receiver].push_back({end_, {}});
        arriving_[receiver].back().slots[end_ % FlitSlots::kGroup] = to[i];
        to[i] = end_++;
      }
    }
  }
  end_ = rounded_up(end_, FlitSlots::kGroup);
}

std::vector<std::uint32_t> Boundary::wire(const Topology& topology, Ranks* ranks, Node first,
                                          Node last, std::size_t ports) {
  /// An output whose link leaves the block, and its slot in the other one.
  struct Ghost {
    std::size_t output;
    std::uint32_t slot;
  };
  const std::size_t stride = FlitSlots::stride(ports);
  const auto slot = [&](std::size_t node, Port port) {
    return static_cast<std::uint32_t>(node * stride + port);
  };
  std::vector<std::uint32_t> to((last - first) * ports, kNowhere);
  std::map<unsigned, std::vector<Ghost>> ghosts;
  for (Node x = first; x < last; ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint peer = topology.peer(x, p);
      if (!peer.connected()) continue;
      const std::size_t output = (x - first) * ports + p;
      if (peer.node >= first && peer.node < last) {
        to[output] = slot(peer.node - first, peer.port);
        continue;
      }
      const unsigned owner = ranks->owner(topology.nodes(), peer.node);
      const Node base = ranks->block(topology.nodes(), owner).first;
      ghosts[owner].push_back({output, slot(peer.node - base, peer.port)});
    }
  }
  ranks_ = ranks;
  neighbours_.clear();
  end_ = slot(last - first, 0);
  for (const auto& [owner, links] : ghosts) {
    Neighbour& n = neighbours_.emplace_back();
    n.first_ghost = end_;
    for (const Ghost& link : links) {
      to[link.output] = end_++;
      n.slots.push_back(link.slot);
    }
    // Links are bidirectional: as many flits can arrive as can leave.
    exchanges_.resize(neighbours_.size());
    Ranks::Exchange& e = exchanges_.back();
    e.rank = owner;
    e.sent.resize(links.size());
    e.received.resize(links.size());
  }
  return to;
}

void Boundary::exchange(const FlitSlots::Cycle& slots) {
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

}  // namespace gossamer::tb
