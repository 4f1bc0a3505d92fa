#include "topology/families.hpp"

#include <fmt/format.h>

#include "support/job.hpp"

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

Graph path(Node n) {
  Graph graph = ring(n);
  graph.spec = fmt::format("path:{}", n);
  if (n == 2) return graph;  // x+1 exchanges the two ends of the only link: cyclic
  graph.cyclic = false;
  graph.peers[1] = {};                       // node 0 has no port towards -1
  graph.peers[std::size_t{n - 1} * 2] = {};  // node n-1 none towards +1
  return graph;
}

Graph complete(Node n) {
  Graph graph{fmt::format("complete:{}", n), n, n - 1, /*cyclic=*/true, {}};
  graph.peers.reserve(std::size_t{n} * (n - 1));
  for (Node x = 0; x < n; ++x) {
    // The way back from x+k+1 is n-k-1 steps long.
    for (Port k = 0; k < n - 1; ++k) graph.peers.push_back({(x + k + 1) % n, n - 2 - k});
  }
  return graph;
}

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
