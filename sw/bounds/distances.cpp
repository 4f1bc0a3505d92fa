#include "bounds/distances.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "support/job.hpp"

namespace gossamer::bounds {
namespace {

/// The most link ends that the searches from all nodes may visit together, and the number of nodes
/// up to which all nodes are tried.
constexpr std::uint64_t kMaxVisits = std::uint64_t{1} << 26;
constexpr Node kFewNodes = 1024;

bool all_pairs_affordable(const Graph& graph) {
  const std::uint64_t per_search = std::uint64_t{graph.nodes} * std::max<Port>(graph.ports, 1);
  return per_search <= kMaxVisits / graph.nodes;
}

/// Breadth-first search: all nodes in order of their distance from `x`, and the number of nodes at
/// each distance.
struct Search {
  std::vector<Node> order;
  Profile counts;

  Search(const Graph& graph, Node x) : order{x} {
    std::vector<bool> seen(graph.nodes, false);
    seen[x] = true;
    for (std::size_t begin = 0; begin < order.size();) {
      const std::size_t end = order.size();
      counts.push_back(end - begin);
      for (; begin < end && order.size() < graph.nodes; ++begin) {
        stop_if_interrupted();
        add_neighbours(graph, order[begin], seen);
      }
      begin = end;
    }
  }

  void add_neighbours(const Graph& graph, Node x, std::vector<bool>& seen) {
    for (Port p = 0; p < graph.ports; ++p) {
      const Endpoint e = graph.peer(x, p);
      if (!e.connected() || seen[e.node]) continue;
      seen[e.node] = true;
      order.push_back(e.node);
    }
  }
};

/// The distances between all pairs of nodes.
struct AllPairs {
  std::uint64_t sum = 0, longest = 0;

  /// Searches from 64 nodes at once, a bit for each: `seen` by what, and `comes` to be seen next.
  explicit AllPairs(const Graph& graph) {
    constexpr Node kAtOnce = 64;
    for (Node first = 0; first < graph.nodes; first += kAtOnce) {
      std::vector<std::uint64_t> seen(graph.nodes, 0), comes(graph.nodes, 0), news(graph.nodes, 0);
      std::vector<Node> now, next;
      for (Node x = first; x < std::min(graph.nodes, first + kAtOnce); ++x) {
        comes[x] = std::uint64_t{1} << (x - first);
        next.push_back(x);
      }
      for (std::uint64_t distance = 0; !next.empty(); ++distance) {
        stop_if_interrupted();
        longest = std::max(longest, distance);
        now = std::exchange(next, {});
        for (const Node x : now) {
          news[x] = std::exchange(comes[x], 0);
          seen[x] |= news[x];
          sum += distance * static_cast<std::uint64_t>(std::popcount(news[x]));
        }
        for (const Node x : now) {
          for (Port p = 0; p < graph.ports; ++p) {
            const Endpoint e = graph.peer(x, p);
            if (!e.connected()) continue;
            const std::uint64_t more = news[x] & ~seen[e.node] & ~comes[e.node];
            if (more == 0) continue;
            if (comes[e.node] == 0) next.push_back(e.node);
            comes[e.node] |= more;
          }
        }
      }
    }
  }
};

std::uint64_t sum(const Profile& counts) {
  std::uint64_t total = 0;
  for (std::size_t d = 0; d < counts.size(); ++d) total += d * counts[d];
  return total;
}

Node farthest(const Graph& graph, Node x) { return Search(graph, x).order.back(); }

Port degree(const Graph& graph, Node x) {
  Port links = 0;
  for (Port p = 0; p < graph.ports; ++p) links += graph.peer(x, p).connected() ? 1 : 0;
  return links;
}

Node of_fewest_links(const Graph& graph) {
  Node best = 0;
  for (Node x = 1; x < graph.nodes; ++x) {
    if (degree(graph, x) < degree(graph, best)) best = x;
  }
  return best;
}

Node far_out(const Graph& graph) { return farthest(graph, farthest(graph, 0)); }

/// The node whose digits are chosen factor by factor.
template <typename Choose>
Node compose(const Topology& topology, Choose choose) {
  Node x = 0;
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    x += choose(topology.factors()[f]) * topology.stride(f);
  }
  return x;
}

}  // namespace

Profile profile(const Graph& graph, Node x) { return Search(graph, x).counts; }

Profile profile(const Topology& topology, Node x, std::span<const std::uint64_t> hops) {
  Profile all = {1};
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    const Profile one = profile(topology.factors()[f], topology.digit(x, f));
    const std::size_t hop = hops.empty() ? 1 : hops[f];
    Profile both(all.size() + (one.size() - 1) * hop, 0);
    for (std::size_t a = 0; a < all.size(); ++a) {
      stop_if_interrupted();
      for (std::size_t b = 0; b < one.size(); ++b) both[a + b * hop] += all[a] * one[b];
    }
    all = std::move(both);
  }
  return all;
}

std::uint64_t arcs(const Graph& graph) {
  return static_cast<std::uint64_t>(std::count_if(graph.peers.begin(), graph.peers.end(),
                                                  [](Endpoint e) { return e.connected(); }));
}

std::uint64_t arcs(const Topology& topology) {
  std::uint64_t total = 0;
  for (const Graph& factor : topology.factors()) {
    total += arcs(factor) * (topology.nodes() / factor.nodes);
  }
  return total;
}

std::uint64_t sum_of_distances(const Graph& graph) {
  if (graph.cyclic) return graph.nodes * sum(profile(graph, 0));
  if (!all_pairs_affordable(graph)) return 0;
  return AllPairs(graph).sum;
}

std::uint64_t sum_of_distances(const Topology& topology) {
  std::uint64_t total = 0;
  for (const Graph& factor : topology.factors()) {
    const std::uint64_t copies = topology.nodes() / factor.nodes;
    total = add_saturating(total, multiply_saturating(sum_of_distances(factor), copies * copies));
  }
  return total;
}

std::uint64_t diameter(const Graph& graph) {
  if (graph.cyclic) return profile(graph, 0).size() - 1;
  if (!all_pairs_affordable(graph)) return profile(graph, farthest(graph, 0)).size() - 1;
  return AllPairs(graph).longest;
}

std::uint64_t diameter(const Topology& topology) {
  std::uint64_t total = 0;
  for (const Graph& factor : topology.factors()) total += diameter(factor);
  return total;
}

std::vector<Node> nodes_to_try(const Topology& topology) {
  if (topology.translatable()) return {0};
  if (topology.nodes() > kFewNodes) {
    return {compose(topology, of_fewest_links), compose(topology, far_out)};
  }
  return numbers_below(topology.nodes());
}

}  // namespace gossamer::bounds
