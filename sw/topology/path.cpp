#include <fmt/format.h>

#include "topology/families.hpp"

namespace gossamer {

Graph path(Node n) {
  Graph graph = ring(n);
  graph.spec = fmt::format("path:{}", n);
  if (n == 2) return graph;  // the two ends of one link change places under x+1: cyclic
  graph.cyclic = false;
  graph.peers[1] = {};                       // node 0 has no port towards -1
  graph.peers[std::size_t{n - 1} * 2] = {};  // node n-1 none towards +1
  return graph;
}

}  // namespace gossamer
