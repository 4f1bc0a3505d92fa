#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "support/interrupt.hpp"
#include "support/memory.hpp"
#include "topology/families.hpp"

namespace gossamer {
namespace {

/// The neighbours of every node, in increasing order; without repetition unless links are parallel.
class Neighbours {
 public:
  Neighbours(Node nodes, const std::vector<Edge>& edges, bool parallel)
      : begin_(std::size_t{nodes} + 1, 0) {
    for (const auto& [a, b] : edges) {
      stop_if_interrupted();
      if (a == b) continue;
      ++begin_[a + 1];
      ++begin_[b + 1];
    }
    for (Node x = 0; x < nodes; ++x) begin_[x + 1] += begin_[x];
    list_.resize(begin_[nodes]);
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (const auto& [a, b] : edges) {
      stop_if_interrupted();
      if (a == b) continue;
      list_[next[a]++] = b;
      list_[next[b]++] = a;
    }
    sort_each(nodes, parallel);
  }

  std::span<const Node> of(Node x) const {
    return {list_.data() + begin_[x], begin_[x + 1] - begin_[x]};
  }

 private:
  void sort_each(Node nodes, bool parallel) {
    std::size_t kept = 0;
    for (Node x = 0; x < nodes; ++x) {
      stop_if_interrupted();
      const auto first = list_.begin() + static_cast<std::ptrdiff_t>(begin_[x]);
      const auto last = list_.begin() + static_cast<std::ptrdiff_t>(begin_[x + 1]);
      std::sort(first, last);
      const auto end = parallel ? last : std::unique(first, last);
      const std::size_t begin = kept;
      for (auto y = first; y != end; ++y) list_[kept++] = *y;
      begin_[x] = begin;
    }
    begin_[nodes] = kept;
  }

  std::vector<std::size_t> begin_;
  std::vector<Node> list_;
};

}  // namespace

Graph graph_of_edges(std::string spec, Node nodes, std::vector<Edge> edges, bool parallel) {
  const Neighbours neighbours(nodes, edges, parallel);
  Graph graph{std::move(spec), nodes, 0, /*cyclic=*/false, {}};
  for (Node x = 0; x < nodes; ++x) {
    graph.ports = std::max(graph.ports, static_cast<Port>(neighbours.of(x).size()));
  }
  require_link_table(graph.spec, nodes, graph.ports);
  graph.peers.resize(std::size_t{nodes} * graph.ports);
  for (Node x = 0; x < nodes; ++x) {
    stop_if_interrupted();
    Endpoint* const row = graph.peers.data() + std::size_t{x} * graph.ports;
    for (std::size_t p = 0; p < neighbours.of(x).size(); ++p) {
      const Node y = neighbours.of(x)[p];
      const auto first = [&](Node from, Node to) {
        const auto all = neighbours.of(from);
        return static_cast<Port>(std::ranges::lower_bound(all, to) - all.begin());
      };
      const Port lane = static_cast<Port>(p) - first(x, y);
      row[p] = {y, first(y, x) + lane};
      graph.parallel = graph.parallel || lane > 0;
    }
  }
  return graph;
}

void require_link_table(const std::string& spec, std::uint64_t nodes, std::uint64_t ports) {
  const double bytes = static_cast<double>(nodes) * static_cast<double>(ports) * sizeof(Endpoint);
  const std::string what =
      fmt::format("{}: the table of links of {} nodes with up to {} each", spec, nodes, ports);
  if (bytes > static_cast<double>(kMaxLinkEnds * sizeof(Endpoint))) {
    throw TooLarge(fmt::format("{} needs {}; it may have {}", what, in_bytes(bytes),
                               in_bytes(static_cast<double>(kMaxLinkEnds * sizeof(Endpoint)))));
  }
  require_memory(bytes, what);
}

}  // namespace gossamer
