#pragma once

#include <algorithm>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer::test {

/// Hops from `source` to every node, by breadth-first search along peer().
inline std::vector<unsigned> distances(const Topology& topology, Node source) {
  constexpr unsigned kFar = ~0u;
  std::vector<unsigned> hops(topology.nodes(), kFar);
  std::vector<Node> queue = {source};
  hops[source] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(queue[i], p);
      if (!e.connected() || hops[e.node] != kFar) continue;
      hops[e.node] = hops[queue[i]] + 1;
      queue.push_back(e.node);
    }
  }
  return hops;
}

inline unsigned diameter(const Topology& topology) {
  unsigned longest = 0;
  for (Node x = 0; x < topology.nodes(); ++x) {
    const std::vector<unsigned> hops = distances(topology, x);
    longest = std::max(longest, *std::max_element(hops.begin(), hops.end()));
  }
  return longest;
}

}  // namespace gossamer::test
