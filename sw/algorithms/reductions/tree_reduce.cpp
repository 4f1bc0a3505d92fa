#include "algorithms/reductions/tree_reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "algorithms/reductions/costs.hpp"
#include "topology/arcs.hpp"

namespace gossamer {
namespace {

using namespace reductions;

constexpr Node kMostNodes = 8192;

bool gives_back(const Request& request) { return request.collective == Collective::AllReduce; }

std::optional<std::string> refuses(const Request& request) {
  if (request.collective != Collective::Reduce && !gives_back(request)) {
    return "tree-reduce plans reduce and all-reduce only";
  }
  if (gives_back(request) && request.ports == PortModel::All && request.duplex == Duplex::Half) {
    return "tree-reduce gives results back over full-duplex links, or through single ports, only";
  }
  if (!request.cycle.empty()) return "tree-reduce takes no cycle: use ring-reduce";
  const Node n = request.topology.nodes();
  if (n < 2) return "tree-reduce needs two nodes at least";
  if (n > kMostNodes) {
    return fmt::format("tree-reduce plans on up to {} nodes, {} has {}", kMostNodes,
                       request.topology.spec(), n);
  }
  return std::nullopt;
}

/// A spanning tree, from the root on.
struct Tree {
  std::vector<Node> order;   ///< parents first
  std::vector<Node> parent;  ///< by node
  std::vector<std::uint32_t> children;
};

/// Nodes take their nearest free neighbours, up to `most` each and `at_root` at the root, those
/// with the fewest free neighbours of their own first. What nobody could take goes where it can.
Tree tree_of(const Arcs& arcs, Node root, std::uint32_t most, std::uint32_t at_root) {
  Tree tree;
  tree.parent.assign(arcs.nodes(), kNoNode);
  tree.children.assign(arcs.nodes(), 0);
  const auto is_free = [&](Node x) { return x != root && tree.parent[x] == kNoNode; };
  const auto free_around = [&](Node x) {
    return std::ranges::count_if(arcs.neighbours(x), is_free);
  };
  tree.order = {root};
  for (std::uint32_t more = 0; more < arcs.nodes() && tree.order.size() < arcs.nodes(); ++more) {
    for (std::size_t i = 0; i < tree.order.size(); ++i) {
      const Node x = tree.order[i];
      std::vector<Node> near;
      std::ranges::copy_if(arcs.neighbours(x), std::back_inserter(near), is_free);
      std::ranges::stable_sort(near, {}, free_around);
      for (const Node y : near) {
        if (tree.children[x] >= (x == root ? at_root : most) + more) break;
        if (!is_free(y)) continue;  // of two links to the same node
        tree.parent[y] = x;
        tree.order.push_back(y);
        ++tree.children[x];
      }
    }
  }
  return tree;
}

/// The nodes but the root, parents first, and of one depth those first below which there is most.
std::vector<Node> below_root(const Tree& tree) {
  std::vector<std::uint32_t> depth(tree.parent.size()), height(tree.parent.size());
  std::vector<Node> rest(tree.order.begin() + 1, tree.order.end());
  for (const Node x : rest) depth[x] = depth[tree.parent[x]] + 1;
  for (std::size_t i = rest.size(); i-- > 0;) {
    std::uint32_t& above = height[tree.parent[rest[i]]];
    above = std::max(above, height[rest[i]] + 1);
  }
  std::ranges::stable_sort(rest, [&](Node a, Node b) {
    return depth[a] != depth[b] ? depth[a] < depth[b] : height[a] > height[b];
  });
  return rest;
}

/// What nodes do in the rounds of a period. Through all ports they may do anything in each.
class Period {
 public:
  Period(const Request& request, std::uint32_t rounds)
      : single_(request.ports == PortModel::Single),
        half_(request.duplex == Duplex::Half),
        rounds_(rounds),
        sends_(single_ ? std::size_t{rounds} * request.topology.nodes() : 0),
        receives_(sends_.size()) {}

  /// Takes the first free round of `next(0)`, `next(1)` and so on. Nothing if none is free.
  template <class Next>
  std::optional<std::uint32_t> take(Node from, Node to, const Next& next) {
    for (std::uint32_t i = 0; i < rounds_; ++i) {
      const std::uint32_t round = next(i);
      if (!single_) return round;
      const std::size_t f = at(from, round), t = at(to, round);
      if (sends_[f] || receives_[t] || (half_ && (receives_[f] || sends_[t]))) continue;
      sends_[f] = receives_[t] = true;
      return round;
    }
    return std::nullopt;
  }
  /// Rounds in which the node sends nothing, so that it can merge.
  std::uint32_t without_sends(Node x) const {
    std::uint32_t count = 0;
    for (std::uint32_t r = 0; single_ && r < rounds_; ++r) count += sends_[at(x, r)] ? 0 : 1;
    return count;
  }

 private:
  std::size_t at(Node x, std::uint32_t round) const {
    return std::size_t{x} * rounds_ + round % rounds_;
  }
  bool single_, half_;
  std::uint32_t rounds_;
  std::vector<bool> sends_, receives_;
};

/// A tree, and the rounds in which the first piece takes its links: `up` from a node to its parent,
/// and `down` back. The others follow, one every `period` rounds.
struct Way {
  Tree tree;
  std::uint32_t period = 1, pieces = 1;
  std::vector<std::uint32_t> up = {}, down = {};  ///< by node
  std::uint32_t last = 0;                         ///< of these rounds
  std::uint32_t merges = 0;  ///< of a piece at a node, for which nothing else can wait
  std::uint64_t cycles = ~std::uint64_t{0};
};

/// Each link in the first round that its ends have left: after that to the parent on the way down,
/// and before that from it on the way up. False if some have none left.
bool give_rounds(const Request& request, Way& way) {
  const Tree& tree = way.tree;
  const std::vector<Node> rest = below_root(tree);
  Period period(request, way.period);
  const std::uint32_t deep = way.period * static_cast<std::uint32_t>(tree.parent.size());
  way.up.assign(tree.parent.size(), deep + 1);
  for (const Node x : rest) {
    const std::uint32_t before = way.up[tree.parent[x]];
    const auto round =
        period.take(x, tree.parent[x], [&](std::uint32_t i) { return before - 1 - i; });
    if (!round) return false;
    way.up[x] = *round;
  }
  way.down.assign(tree.parent.size(), deep);
  for (const Node x : rest) {
    if (!gives_back(request)) break;
    const std::uint32_t after = way.down[tree.parent[x]];
    const auto round =
        period.take(tree.parent[x], x, [&](std::uint32_t i) { return after + 1 + i; });
    if (!round) return false;
    way.down[x] = *round;
  }
  const std::uint32_t first = rest.empty() ? 1 : std::ranges::min(way.up);
  for (auto* begin : {&way.up, &way.down}) {
    for (std::uint32_t& round : *begin) round -= first - 1;
  }
  way.last = gives_back(request) ? std::ranges::max(way.down) : deep - (first - 1);
  for (const Node x : tree.order) {
    if (x == request.root && !gives_back(request)) continue;
    const std::uint32_t needed = std::max(tree.children[x], 1u) - 1;
    way.merges = std::max(way.merges, needed - std::min(needed, period.without_sends(x)));
  }
  return true;
}

Way fastest(const Request& request) {
  const Arcs arcs(request.topology);
  const bool back = gives_back(request), single = request.ports == PortModel::Single;
  Way best;
  for (std::uint32_t most = 1; most <= request.topology.ports(); ++most) {
    Way way{.tree = tree_of(arcs, request.root, most, back || single ? most : 1)};
    while (!give_rounds(request, way)) ++way.period;
    way.pieces = request.pieces.value_or(std::max<std::uint32_t>(request.flits / kRound, 1));
    const std::uint64_t hops = (back ? 2 : 1) * arcs.nodes();
    way.pieces =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(way.pieces, kMostTransfers / hops + 1));
    way.pieces = std::min(way.pieces, kMostPieces);
    const std::uint64_t flits = (request.flits + way.pieces - 1) / way.pieces;
    const std::uint64_t rounds = way.last + std::uint64_t{way.period} * (way.pieces - 1);
    way.cycles = rounds * std::max(kRound, flits) +
                 rounds / way.period * way.merges * std::max(kMerge, flits);
    if (way.cycles < best.cycles) best = std::move(way);
  }
  return best;
}

Schedule plan(const Request& request) {
  const Way way = fastest(request);
  const Model model{request.ports, request.duplex, Switching::Packet, /*combining=*/false};
  Schedule schedule = empty_schedule(request, model);
  schedule.algorithm = kTreeReduce.name;
  schedule.cut(way.pieces);
  const std::uint32_t rounds = way.last + way.period * (way.pieces - 1);
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    const auto send = [&](Node from, Node to, std::uint32_t first) {
      if (round < first || (round - first) % way.period != 0) return;
      const std::uint32_t number = (round - first) / way.period;
      if (number >= way.pieces) return;
      const Node path[] = {from, to};
      const Message piece[] = {{request.root, kNoNode, number}};
      schedule.add(round, path, piece);
    };
    for (const Node x : way.tree.order) {
      if (x == request.root) continue;
      const Node parent = way.tree.parent[x];
      send(x, parent, way.up[x]);
      if (gives_back(request)) send(parent, x, way.down[x]);
    }
  }
  return schedule;
}

}  // namespace

const Algorithm kTreeReduce = {
    .name = "tree-reduce",
    .source = "ours",
    .summary = "reduce and all-reduce on any connected graph, in pieces along a tree",
    .serves =
        [] {
          std::vector<Serves> serves =
              every({Collective::Reduce, Collective::AllReduce},
                    {PortModel::Single, PortModel::All}, {Duplex::Full, Duplex::Half});
          std::erase_if(serves, [](const Serves& s) {
            return s.collective == Collective::AllReduce && s.ports == PortModel::All &&
                   s.duplex == Duplex::Half;
          });
          return serves;
        }(),
    .refuses = refuses,
    .formula = nullptr,
    .plan = plan,
    .any_graph = true,
    .cuts = true,
};

}  // namespace gossamer
