#include <fmt/format.h>

#include "topology/families.hpp"

namespace gossamer {

Graph complete(Node n) {
  Graph graph{fmt::format("complete:{}", n), n, n - 1, /*cyclic=*/true, {}};
  graph.peers.reserve(std::size_t{n} * (n - 1));
  for (Node x = 0; x < n; ++x) {
    // The way back from x+k+1 is n-k-1 steps long.
    for (Port k = 0; k < n - 1; ++k) graph.peers.push_back({(x + k + 1) % n, n - 2 - k});
  }
  return graph;
}

}  // namespace gossamer
