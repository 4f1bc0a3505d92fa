#include <fmt/format.h>

#include "support/interrupt.hpp"
#include "topology/families.hpp"

namespace gossamer {

Graph cube_connected_cycles(Node d) {
  const Node nodes = d << d;
  std::vector<Edge> edges;
  edges.reserve(std::size_t{nodes} * 3 / 2);
  for (Node vertex = 0; vertex < Node{1} << d; ++vertex) {
    stop_if_interrupted();
    for (Node i = 0; i < d; ++i) {
      const Node across = vertex ^ (Node{1} << i);
      edges.emplace_back(i + d * vertex, (i + 1) % d + d * vertex);
      if (vertex < across) edges.emplace_back(i + d * vertex, i + d * across);
    }
  }
  return graph_of_edges(fmt::format("ccc:{}", d), nodes, std::move(edges));
}

}  // namespace gossamer
