#include "topology/arcs.hpp"

namespace gossamer {

Arcs::Arcs(const Topology& topology) : first_{0} {
  const Node n = topology.nodes();
  std::vector<ArcId> arc_at(std::size_t{n} * topology.ports(), kNoArcId);
  for (Node x = 0; x < n; ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (!topology.sends(x, p)) continue;
      arc_at[std::size_t{x} * topology.ports() + p] = static_cast<ArcId>(heads_.size());
      heads_.push_back(e.node);
      tails_.push_back(x);
    }
    first_.push_back(static_cast<ArcId>(heads_.size()));
  }
  reverse_.resize(heads_.size());
  for (Node x = 0; x < n; ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (!topology.sends(x, p)) continue;
      reverse_[arc_at[std::size_t{x} * topology.ports() + p]] =
          arc_at[std::size_t{e.node} * topology.ports() + e.port];
    }
  }
}

std::vector<std::uint32_t> distances_from(const Arcs& arcs, Node x) {
  std::vector<std::uint32_t> distance(arcs.nodes(), ~std::uint32_t{0});
  std::vector<Node> order = {x};
  distance[x] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Node y : arcs.neighbours(order[i])) {
      if (distance[y] != ~std::uint32_t{0}) continue;
      distance[y] = distance[order[i]] + 1;
      order.push_back(y);
    }
  }
  return distance;
}

}  // namespace gossamer
