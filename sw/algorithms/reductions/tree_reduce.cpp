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
  if (request.ports != PortModel::All) return "tree-reduce needs all ports";
  if (gives_back(request) && request.duplex == Duplex::Half) {
    return "tree-reduce gives results back over full-duplex links only";
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
  std::vector<std::uint32_t> depth;
  std::uint32_t deepest = 0;
  std::uint32_t branches = 1;  ///< most children of a node that sends
};

/// Nodes take their nearest free neighbours, up to `most` each and `at_root` at the root, those
/// with the fewest free neighbours of their own first. What nobody could take goes where it can.
Tree tree_of(const Arcs& arcs, Node root, std::uint32_t most, std::uint32_t at_root,
             bool root_sends) {
  Tree tree;
  tree.parent.assign(arcs.nodes(), kNoNode);
  tree.depth.assign(arcs.nodes(), 0);
  std::vector<std::uint32_t> children(arcs.nodes(), 0);
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
        if (children[x] >= (x == root ? at_root : most) + more) break;
        if (!is_free(y)) continue;  // of two links to the same node
        tree.parent[y] = x;
        tree.depth[y] = tree.depth[x] + 1;
        tree.deepest = std::max(tree.deepest, tree.depth[y]);
        tree.order.push_back(y);
        ++children[x];
      }
    }
  }
  for (Node x = 0; x < arcs.nodes(); ++x) {
    if (x != root || root_sends) tree.branches = std::max(tree.branches, children[x]);
  }
  return tree;
}

/// A tree, and pieces.
struct Way {
  Tree tree;
  std::uint32_t pieces = 1;
  std::uint64_t cycles = ~std::uint64_t{0};
};

Way fastest(const Request& request) {
  const Arcs arcs(request.topology);
  const bool back = gives_back(request);
  Way best;
  for (std::uint32_t most = 1; most <= request.topology.ports(); ++most) {
    Tree tree = tree_of(arcs, request.root, most, back ? most : 1, back);
    const std::uint64_t ways = back ? 2 : 1;
    std::uint32_t pieces =
        request.pieces.value_or(std::max<std::uint32_t>(request.flits / kRound, 1));
    const std::uint64_t hops = ways * arcs.nodes();
    pieces = static_cast<std::uint32_t>(std::min<std::uint64_t>(pieces, kMostTransfers / hops + 1));
    pieces = std::min(pieces, kMostPieces);
    const std::uint64_t flits = (request.flits + pieces - 1) / pieces;
    const std::uint64_t round =
        (tree.branches - 1) * std::max(kMerge, flits) + std::max(kRound, flits);
    const std::uint64_t cycles = (ways * tree.deepest + pieces - 1) * round;
    if (cycles < best.cycles) best = {std::move(tree), pieces, cycles};
  }
  return best;
}

Schedule plan(const Request& request) {
  const Way way = fastest(request);
  const Tree& tree = way.tree;
  const std::uint32_t pieces = way.pieces;
  const Model model{request.ports, request.duplex, Switching::Packet, /*combining=*/false};
  Schedule schedule = empty_schedule(request, model);
  schedule.algorithm = kTreeReduce.name;
  schedule.cut(pieces);
  const std::uint32_t up = tree.deepest, down = gives_back(request) ? tree.deepest : 0;
  for (std::uint32_t round = 1; round <= up + down + pieces - 1; ++round) {
    for (const Node x : tree.order) {
      if (x == request.root) continue;
      const Node parent = tree.parent[x];
      const std::uint32_t depth = tree.depth[x];
      // Piece k leaves a node in round up - depth + 1 + k, and comes back in round up + depth + k.
      const std::uint32_t first = up - depth + 1, back = up + depth;
      const auto send = [&](Node from, Node to, std::uint32_t begin) {
        if (round < begin || round >= begin + pieces) return;
        const Node path[] = {from, to};
        const Message piece[] = {{request.root, kNoNode, round - begin}};
        schedule.add(round, path, piece);
      };
      send(x, parent, first);
      if (down > 0) send(parent, x, back);
    }
  }
  return schedule;
}

}  // namespace

const Algorithm kTreeReduce = {
    .name = "tree-reduce",
    .source = "ours",
    .summary = "reduce and all-reduce on any connected graph, all ports, in pieces along a tree",
    .serves = {{Collective::Reduce, PortModel::All, Duplex::Full},
               {Collective::Reduce, PortModel::All, Duplex::Half},
               {Collective::AllReduce, PortModel::All, Duplex::Full}},
    .refuses = refuses,
    .formula = nullptr,
    .plan = plan,
    .any_graph = true,
    .cuts = true,
};

}  // namespace gossamer
