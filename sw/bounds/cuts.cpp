#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "bounds/claims.hpp"
#include "bounds/distances.hpp"
#include "support/job.hpp"
#include "topology/topology.hpp"

namespace gossamer::bounds {
namespace {

/// Nodes times arcs, for the flows from every node.
constexpr std::uint64_t kMostWork = 50'000'000;

/// Is there a set S with fewer than N = |V| nodes plus T for each arc that leaves it? Then the
/// messages of the other N - |S| nodes need more than T rounds to enter. That is a minimum cut in a
/// network with capacity T on every arc, and an arc of capacity 1 from every node to the sink. A
/// set is looked for among those whose first node (in some order) is x: x is the source, and
/// earlier nodes belong to the sink.
class SmallCut {
 public:
  SmallCut(const Arcs& arcs, std::int64_t rounds)
      : arcs_(arcs),
        rounds_(rounds),
        flow_(arcs.count()),
        sunk_(arcs.nodes()),
        level_(arcs.nodes()),
        next_(arcs.nodes()) {}

  /// The set whose first node is `x`, if there is one; else it is empty.
  std::vector<Node> find(Node x, const std::vector<bool>& earlier) {
    std::ranges::fill(flow_, 0);
    std::ranges::fill(sunk_, 0);
    for (std::int64_t left = arcs_.nodes(); left > 0;) {
      std::vector<Node> reached = levels(x, earlier);
      if (!sink_reached_) return reached;
      for (Node y = 0; y < arcs_.nodes(); ++y) next_[y] = arcs_.first(y);
      left -= push(x, left, earlier);
    }
    return {};
  }

 private:
  /// Breadth-first search in what is left of the capacities (Dinic's algorithm).
  std::vector<Node> levels(Node x, const std::vector<bool>& earlier) {
    std::ranges::fill(level_, kUnseen);
    std::vector<Node> reached = {x};
    level_[x] = 0;
    sink_reached_ = false;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const Node y = reached[i];
      if (earlier[y] || sunk_[y] == 0) sink_reached_ = true;
      if (earlier[y]) continue;
      for (ArcId a = arcs_.first(y); a < arcs_.first(y) + arcs_.degree(y); ++a) {
        if (level_[arcs_.head(a)] != kUnseen || capacity(a) == 0) continue;
        level_[arcs_.head(a)] = level_[y] + 1;
        reached.push_back(arcs_.head(a));
      }
    }
    return reached;
  }

  std::int64_t capacity(ArcId a) const { return rounds_ - flow_[a] + flow_[arcs_.reverse(a)]; }

  std::int64_t push(Node y, std::int64_t most, const std::vector<bool>& earlier) {
    if (earlier[y]) return most;
    std::int64_t pushed = 0;
    if (sunk_[y] == 0) {
      sunk_[y] = 1;
      pushed = 1;
    }
    for (ArcId& a = next_[y]; a < arcs_.first(y) + arcs_.degree(y) && pushed < most; ++a) {
      if (level_[arcs_.head(a)] != level_[y] + 1 || capacity(a) == 0) continue;
      const std::int64_t more = push(arcs_.head(a), std::min(most - pushed, capacity(a)), earlier);
      flow_[a] += more;
      pushed += more;
      if (pushed == most) break;
    }
    return pushed;
  }

  static constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

  const Arcs& arcs_;
  std::int64_t rounds_;
  std::vector<std::int64_t> flow_;
  std::vector<std::uint8_t> sunk_;  ///< by the node's own arc to the sink
  std::vector<std::uint32_t> level_;
  std::vector<ArcId> next_;
  bool sink_reached_ = false;
};

/// Rounds until everything from outside has come to each node of `set`.
std::uint64_t rounds_into(const Arcs& arcs, const std::vector<Node>& set, Duplex duplex) {
  std::vector<bool> inside(arcs.nodes(), false);
  for (const Node x : set) inside[x] = true;
  std::vector<Node> entrances;  // once for each arc
  for (const Node x : set) {
    for (const Node y : arcs.neighbours(x)) {
      if (!inside[y]) entrances.push_back(x);
    }
  }
  const std::uint64_t outside = arcs.nodes() - set.size();
  if (duplex == Duplex::Half) return divide_up(arcs.nodes(), entrances.size());
  std::uint64_t most = divide_up(outside, entrances.size());
  for (const Node target : set) {
    const auto distance = distances_from(arcs, target);
    const auto enter_in = [&](std::uint64_t rounds) {
      std::uint64_t sum = 0;
      for (const Node x : entrances) sum += rounds - std::min<std::uint64_t>(rounds, distance[x]);
      return sum;
    };
    while (enter_in(most) < outside) ++most;
  }
  return most;
}

}  // namespace

std::uint64_t gossip_cut_rounds(const Topology& topology, Duplex duplex) {
  const std::uint64_t n = topology.nodes();
  if (n < 3 || topology.translatable()) return 0;  // there a node's own links are the best cut
  const Arcs arcs(topology);
  if (n * arcs.count() > kMostWork) return 0;
  ArcId fewest = arcs.degree(0);
  for (Node x = 0; x < n; ++x) fewest = std::min(fewest, arcs.degree(x));
  std::uint64_t rounds = divide_up(n - 1, fewest);
  std::uint64_t most = duplex == Duplex::Half ? divide_up(n, fewest) : rounds;
  std::vector<bool> earlier(n, false);
  for (Node x = 0; x < n; ++x) {
    stop_if_interrupted();
    for (;;) {
      const auto set = SmallCut(arcs, static_cast<std::int64_t>(rounds)).find(x, earlier);
      if (set.empty()) break;
      const std::uint64_t better = rounds_into(arcs, set, Duplex::Full);
      most = std::max({most, better, rounds_into(arcs, set, duplex)});
      rounds = std::max(rounds + 1, better);
    }
    earlier[x] = true;
  }
  return most;
}

namespace {

/// Marks what is reached from a node, itself included, past what is marked; how many nodes it is.
std::uint64_t reach(const Arcs& arcs, Node from, std::vector<bool>& seen) {
  return reached_from(
             from, seen,
             [&](Node x, const auto& reach) { std::ranges::for_each(arcs.neighbours(x), reach); })
      .size();
}

std::vector<bool> only(const Arcs& arcs, Node x) {
  std::vector<bool> seen(arcs.nodes(), false);
  seen[x] = true;
  return seen;
}

/// The parts into which the graph falls without node `x`.
std::uint64_t parts_without(const Arcs& arcs, Node x) {
  std::vector<bool> seen = only(arcs, x);
  std::uint64_t parts = 0;
  for (const Node first : arcs.neighbours(x)) {
    if (seen[first]) continue;
    ++parts;
    reach(arcs, first, seen);
  }
  return parts;
}

/// The most that `rounds` gives for a node and the parts without it.
template <typename Rounds>
std::uint64_t best_cut_node(const Topology& topology, const Rounds& rounds) {
  if (topology.factors().size() > 1) return 0;  // no node cuts a product
  const Arcs arcs(topology);
  if (std::uint64_t{arcs.nodes()} * arcs.count() > kMostWork) return 0;
  std::uint64_t most = 0;
  for (Node x = 0; x < arcs.nodes(); ++x) {
    stop_if_interrupted();
    most = std::max<std::uint64_t>(most, rounds(arcs, x, parts_without(arcs, x)));
  }
  return most;
}

}  // namespace

std::uint64_t gossip_cut_node_rounds(const Topology& topology, Duplex duplex) {
  const std::uint64_t n = topology.nodes();
  return best_cut_node(topology, [&](const Arcs&, Node, std::uint64_t parts) {
    return (parts - 1) * n + 1 + (duplex == Duplex::Half ? n - 1 : 0);
  });
}

std::uint64_t gossip_combining_cut_node_rounds(const Topology& topology, Duplex duplex) {
  return best_cut_node(topology, [&](const Arcs&, Node, std::uint64_t parts) {
    return duplex == Duplex::Half ? 2 * parts : 2 * parts - 1;
  });
}

std::uint64_t broadcast_cut_node_rounds(const Topology& topology, Node root) {
  const auto distance = distances_from(Arcs(topology), root);
  return best_cut_node(topology, [&](const Arcs&, Node x, std::uint64_t parts) {
    return x == root ? parts : distance[x] + parts - 1;
  });
}

std::uint64_t scatter_cut_node_rounds(const Topology& topology, Node root) {
  const auto distance = distances_from(Arcs(topology), root);
  return best_cut_node(topology, [&](const Arcs& arcs, Node x, std::uint64_t parts) {
    if (x == root || parts < 2) return std::uint64_t{0};
    std::vector<bool> seen = only(arcs, x);
    const std::uint64_t behind = arcs.nodes() - 1 - reach(arcs, root, seen);
    return distance[x] + 2 * behind;
  });
}

}  // namespace gossamer::bounds
