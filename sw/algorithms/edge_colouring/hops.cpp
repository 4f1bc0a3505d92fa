#include "algorithms/edge_colouring/hops.hpp"

namespace gossamer::edge_colouring {
namespace {

/// Decides, dimension by dimension, which way halfway messages go.
class Ways {
 public:
  Ways(const Topology& topology, Duplex duplex)
      : topology_(topology), halfway_(topology.factors().size(), 0) {
    if (duplex == Duplex::Half) return;
    for (std::size_t f = 0; f < topology.factors().size(); ++f) {
      const Graph& factor = topology.factors()[f];
      const bool even_ring = is_signed_ring(factor) && factor.nodes % 2 == 0;
      if (even_ring && topology.nodes() / factor.nodes % 2 == 1) tear(f);
    }
  }

  const SplitMessage& split() const { return split_; }

  void append(Node offset, std::size_t f, std::vector<Hop>& hops) {
    const Graph& factor = topology_.factors()[f];
    const Node digit = topology_.digit(offset, f);
    const Port first = topology_.first_port(f);
    if (digit == 0) return;
    if (is_complete(factor)) {
      hops.push_back({offset, first + digit - 1});
      return;
    }
    const bool back = 2 * digit > factor.nodes || (2 * digit == factor.nodes && backward_turn(f));
    const Node count = back ? factor.nodes - digit : digit;
    hops.insert(hops.end(), count, {offset, back ? first + 1 : first});
  }

 private:
  void tear(std::size_t f) {
    const Node half = topology_.factors()[f].nodes / 2;
    const Port first = topology_.first_port(f);
    split_ = {f, half * topology_.stride(f), half, first, first + 1};
  }
  bool backward_turn(std::size_t f) { return halfway_[f]++ % 2 == 1; }

  const Topology& topology_;
  std::vector<Node> halfway_;  ///< halfway messages so far, by dimension
  SplitMessage split_;
};

}  // namespace

bool is_complete(const Graph& factor) { return factor.cyclic && factor.ports + 1 == factor.nodes; }

bool is_signed_ring(const Graph& factor) {
  return factor.cyclic && factor.ports == 2 && factor.nodes > 3 && factor.peer(0, 0).node == 1;
}

Hops hops_of(const Topology& topology, Duplex duplex) {
  Ways ways(topology, duplex);
  Hops hops;
  hops.split = ways.split();
  for (Node offset = 1; offset < topology.nodes(); ++offset) {
    if (hops.split.exists() && offset == hops.split.offset) continue;
    for (std::size_t f = 0; f < topology.factors().size(); ++f) ways.append(offset, f, hops.list);
  }
  return hops;
}

}  // namespace gossamer::edge_colouring
