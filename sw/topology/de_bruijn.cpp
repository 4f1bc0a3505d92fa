#include <fmt/format.h>

#include "support/interrupt.hpp"
#include "topology/families.hpp"

namespace gossamer {

Graph de_bruijn(Node d) {
  const Node nodes = Node{1} << d;
  std::vector<Edge> edges;
  edges.reserve(std::size_t{nodes} * 2);
  for (Node x = 0; x < nodes; ++x) {
    stop_if_interrupted();
    edges.emplace_back(x, 2 * x % nodes);
    edges.emplace_back(x, (2 * x + 1) % nodes);
  }
  return graph_of_edges(fmt::format("debruijn:{}", d), nodes, std::move(edges));
}

}  // namespace gossamer
