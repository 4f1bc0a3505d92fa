#include <fmt/format.h>

#include "support/interrupt.hpp"
#include "topology/families.hpp"

namespace gossamer {

Graph butterfly(Node d) {
  const Node nodes = d << d;
  std::vector<Edge> edges;
  edges.reserve(std::size_t{nodes} * 2);
  for (Node row = 0; row < Node{1} << d; ++row) {
    stop_if_interrupted();
    for (Node level = 0; level < d; ++level) {
      const Node next = (level + 1) % d;
      edges.emplace_back(level + d * row, next + d * row);
      edges.emplace_back(level + d * row, next + d * (row ^ (Node{1} << level)));
    }
  }
  return graph_of_edges(fmt::format("butterfly:{}", d), nodes, std::move(edges));
}

}  // namespace gossamer
