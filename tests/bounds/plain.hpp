// Graphs as matrices, for bounds worked out in the plainest way.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <numeric>
#include <random>
#include <set>

#include "catch.hpp"
#include "topology/families.hpp"
#include "topology/topology.hpp"

namespace gossamer::test {

using Numbers = std::vector<std::uint64_t>;

inline std::uint64_t up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// A graph as a matrix of its links and one of its distances.
struct Plain {
  Node n;
  std::vector<std::vector<bool>> link;
  std::vector<Numbers> distance;
  std::vector<std::pair<Node, Node>> arcs;
  std::string text;  ///< all links

  explicit Plain(const Topology& t)
      : n(t.nodes()), link(n, std::vector<bool>(n, false)), distance(n, Numbers(n, 1'000'000)) {
    for (Node x = 0; x < n; ++x) {
      distance[x][x] = 0;
      for (Port p = 0; p < t.ports(); ++p) {
        const Endpoint e = t.peer(x, p);
        if (!e.connected()) continue;
        link[x][e.node] = true;
        distance[x][e.node] = 1;
        arcs.emplace_back(x, e.node);
        if (x < e.node) text += fmt::format(" {}-{}", x, e.node);
      }
    }
    for (Node k = 0; k < n; ++k) {
      for (Node x = 0; x < n; ++x) {
        for (Node y = 0; y < n; ++y) {
          distance[x][y] = std::min(distance[x][y], distance[x][k] + distance[k][y]);
        }
      }
    }
  }
  Node degree(Node x) const { return static_cast<Node>(std::ranges::count(link[x], true)); }
  std::uint64_t sum_from(Node x) const {
    return std::accumulate(distance[x].begin(), distance[x].end(), std::uint64_t{0});
  }
  std::uint64_t sum() const {
    std::uint64_t all = 0;
    for (Node x = 0; x < n; ++x) all += sum_from(x);
    return all;
  }
  std::uint64_t farthest(Node x) const { return std::ranges::max(distance[x]); }
  bool is_tree() const { return arcs.size() == 2 * (std::size_t{n} - 1); }
  /// The parts into which the graph falls without x; the part of each node.
  std::vector<Node> parts_without(Node x) const {
    std::vector<Node> part(n);
    std::iota(part.begin(), part.end(), Node{0});
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [a, b] : arcs) {
        if (a == x || b == x || part[a] <= part[b]) continue;
        part[a] = part[b];
        changed = true;
      }
    }
    return part;
  }
  std::uint64_t count_parts(Node x) const {
    std::uint64_t count = 0;
    const auto part = parts_without(x);
    for (Node y = 0; y < n; ++y) count += y != x && part[y] == y ? 1 : 0;
    return count;
  }
};

inline Graph random_graph(Node nodes, unsigned more, std::mt19937& random) {
  std::vector<Edge> edges;
  for (Node x = 1; x < nodes; ++x) edges.push_back({static_cast<Node>(random() % x), x});
  for (unsigned i = 0; i < more; ++i) {
    edges.push_back({static_cast<Node>(random() % nodes), static_cast<Node>(random() % nodes)});
  }
  return graph_of_edges("random", nodes, edges);
}

/// Graphs that are no products: all on 2 to 4 nodes, and random ones, every other a tree.
inline const std::vector<Topology>& graphs() {
  static const std::vector<Topology> all = [] {
    std::vector<Topology> made;
    for (Node n = 2; n <= 4; ++n) {
      std::vector<Edge> possible;
      for (Node y = 1; y < n; ++y) {
        for (Node x = 0; x < y; ++x) possible.push_back({x, y});
      }
      for (unsigned chosen = 1; chosen < 1u << possible.size(); ++chosen) {
        std::vector<Edge> edges;
        for (std::size_t i = 0; i < possible.size(); ++i) {
          if ((chosen >> i & 1) != 0) edges.push_back(possible[i]);
        }
        Topology t("tiny", {graph_of_edges("tiny", n, edges)});
        if (Plain(t).farthest(0) < n) made.push_back(std::move(t));
      }
    }
    std::mt19937 random(3);
    // Two groups, in each of which all are neighbours, and a few links between them.
    for (unsigned i = 0; i < 24; ++i) {
      const Node first = 3 + i % 3, n = first + 3 + i / 3 % 3;
      std::vector<Edge> edges;
      for (Node y = 1; y < n; ++y) {
        for (Node x = 0; x < y; ++x) {
          if ((x < first) == (y < first)) edges.push_back({x, y});
        }
      }
      for (unsigned k = 0; k <= i / 9; ++k) {
        edges.push_back({static_cast<Node>(random() % first),
                         static_cast<Node>(first + random() % (n - first))});
      }
      made.push_back(Topology("groups", {graph_of_edges("groups", n, edges)}));
    }
    for (unsigned i = 0; i < 60; ++i) {
      const Node n = 5 + i % 6;
      made.push_back(Topology("random", {random_graph(n, i % 2 == 0 ? 0 : 1 + i % 5, random)}));
    }
    return made;
  }();
  return all;
}

inline std::vector<Topology> products() {
  std::vector<Topology> all;
  for (const char* spec :
       {"path:2", "path:3", "path:7", "ring:3", "ring:6", "mesh:3x4", "mesh:2x5", "torus:3x4",
        "complete:5", "ghc:3x4", "mesh:2x3x3", "debruijn:3", "hypercube:4", "path:9", "mesh:5x5"}) {
    all.push_back(Topology::parse(spec));
  }
  std::mt19937 random(4);
  for (int i = 0; i < 12; ++i) {
    all.push_back(Topology("product", {random_graph(2 + random() % 4, random() % 3, random),
                                       i % 3 == 0 ? path(3) : random_graph(4, i % 3, random)}));
  }
  return all;
}

/// Cycles until `flits` flits are at `y`, on any ways: one after the other goes through the graph
/// of all nodes in all cycles, over what those before it have left or given back.
inline std::uint64_t cycles_between(const Plain& plain, Node x, Node y, std::uint64_t flits,
                                    std::uint64_t hop) {
  for (std::uint64_t cycles = plain.distance[x][y] * hop + 1;; ++cycles) {
    // What is left on arc k from cycle t on; and by how much more than nothing a node waits.
    std::vector<std::vector<int>> used(cycles, std::vector<int>(plain.arcs.size(), 0)),
        waits(cycles, std::vector<int>(plain.n, 0));
    std::uint64_t arrived = 0;
    while (arrived < flits) {
      using State = std::pair<std::uint64_t, Node>;
      std::vector<std::vector<std::function<void()>>> take(
          cycles, std::vector<std::function<void()>>(plain.n));
      std::vector<std::vector<State>> before(cycles, std::vector<State>(plain.n));
      std::deque<State> next = {{0, x}};
      take[0][x] = [] {};
      const auto go = [&](State from, State to, std::function<void()> how) {
        if (take[to.first][to.second]) return;
        take[to.first][to.second] = std::move(how);
        before[to.first][to.second] = from;
        next.push_back(to);
      };
      while (!next.empty()) {
        const State at = next.front();
        next.pop_front();
        const auto t = at.first;
        const auto v = at.second;
        if (t + 1 < cycles) go(at, {t + 1, v}, [&waits, t, v] { ++waits[t][v]; });
        if (t > 0 && waits[t - 1][v] > 0) {
          go(at, {t - 1, v}, [&waits, t, v] { --waits[t - 1][v]; });
        }
        for (std::size_t k = 0; k < plain.arcs.size(); ++k) {
          const auto [from, to] = plain.arcs[k];
          if (from == v && t + hop < cycles && used[t][k] == 0) {
            go(at, {t + hop, to}, [&used, t, k] { used[t][k] = 1; });
          }
          if (to == v && t >= hop && used[t - hop][k] != 0) {
            go(at, {t - hop, from}, [&used, t, k, hop] { used[t - hop][k] = 0; });
          }
        }
      }
      if (!take[cycles - 1][y]) break;
      for (State at{cycles - 1, y}; at != State{0, x}; at = before[at.first][at.second]) {
        take[at.first][at.second]();
      }
      ++arrived;
    }
    if (arrived == flits) return cycles;
  }
}

}  // namespace gossamer::test
