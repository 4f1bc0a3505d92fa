#include <algorithm>
#include <utility>

#include "topology/families.hpp"

namespace gossamer {
namespace {

/// Every link from both of its ends, sorted by end and then by neighbour; each once, no self loop.
std::vector<Edge> arcs_of(const std::vector<Edge>& edges) {
  std::vector<Edge> arcs;
  arcs.reserve(2 * edges.size());
  for (const auto& [a, b] : edges) {
    if (a == b) continue;
    arcs.emplace_back(a, b);
    arcs.emplace_back(b, a);
  }
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  return arcs;
}

}  // namespace

Graph graph_of_edges(std::string spec, Node nodes, std::vector<Edge> edges) {
  const std::vector<Edge> arcs = arcs_of(edges);
  std::vector<std::size_t> first(std::size_t{nodes} + 1, 0);  // of a node's arcs
  for (const auto& [from, to] : arcs) ++first[from + 1];
  for (Node x = 0; x < nodes; ++x) first[x + 1] += first[x];

  Graph graph{std::move(spec), nodes, 0, /*cyclic=*/false, {}};
  for (Node x = 0; x < nodes; ++x) {
    graph.ports = std::max(graph.ports, static_cast<Port>(first[x + 1] - first[x]));
  }
  graph.peers.resize(std::size_t{nodes} * graph.ports);
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    const auto [from, to] = arcs[a];
    const auto back = std::lower_bound(arcs.begin(), arcs.end(), Edge{to, from}) - arcs.begin();
    graph.peers[std::size_t{from} * graph.ports + (a - first[from])] = {
        to, static_cast<Port>(static_cast<std::size_t>(back) - first[to])};
  }
  return graph;
}

}  // namespace gossamer
