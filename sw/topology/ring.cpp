#include <fmt/format.h>

#include "topology/families.hpp"

namespace gossamer {

Graph ring(Node n) {
  const Port ports = n == 2 ? 1 : 2;
  Graph graph{fmt::format("ring:{}", n), n, ports, /*cyclic=*/true, {}};
  graph.peers.reserve(std::size_t{n} * ports);
  for (Node x = 0; x < n; ++x) {
    graph.peers.push_back({(x + 1) % n, ports - 1});
    if (ports == 2) graph.peers.push_back({(x + n - 1) % n, 0});
  }
  return graph;
}

}  // namespace gossamer
