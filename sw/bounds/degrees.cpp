#include "bounds/degrees.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "support/job.hpp"
#include "topology/arcs.hpp"

namespace gossamer::bounds {
namespace {

constexpr Node kMostNodes = Node{1} << 22;

/// The links of all nodes but `root`, most first.
std::vector<Port> degrees_without(const Topology& topology, Node root) {
  std::vector<Port> degrees;
  for (Node x = 0; x < topology.nodes(); ++x) {
    stop_if_interrupted();
    if (x != root) degrees.push_back(topology.degree(x));
  }
  std::ranges::sort(degrees, std::greater{});
  return degrees;
}

/// Rounds in which a node informs neighbours that then need so many each, the largest first.
std::uint64_t informs_in(const std::vector<std::uint64_t>& needs) {
  std::uint64_t rounds = 0;
  for (std::size_t i = 0; i < needs.size(); ++i) rounds = std::max(rounds, i + 1 + needs[i]);
  return rounds;
}

bool is_tree(const Arcs& arcs) {
  return arcs.count() == 2 * (arcs.nodes() - 1);  // it is connected
}

/// What each neighbour of the root of a tree needs to inform its branch, the largest first.
std::vector<std::uint64_t> needs_of_branches(const Arcs& arcs, Node root) {
  std::vector<Node> order = {root}, from(arcs.nodes(), kNoNode);
  for (std::size_t i = 0; i < order.size(); ++i) {
    stop_if_interrupted();
    for (const Node y : arcs.neighbours(order[i])) {
      if (y == from[order[i]]) continue;
      from[y] = order[i];
      order.push_back(y);
    }
  }
  std::vector<std::vector<std::uint64_t>> behind(arcs.nodes());
  for (auto x = order.rbegin(); x != order.rend(); ++x) {
    std::ranges::sort(behind[*x], std::greater{});
    if (*x != root) behind[from[*x]].push_back(informs_in(behind[*x]));
  }
  return std::move(behind[root]);
}

}  // namespace

std::uint64_t broadcast_degree_rounds(const Topology& topology, Node root) {
  if (topology.nodes() > kMostNodes) return 0;
  const std::vector<Port> degrees = degrees_without(topology, root);
  std::uint64_t rounds = 0, informing = 1;  // nodes that inform another in the next round
  std::vector<std::uint64_t> stop_after;    // of those, by the round of their last one
  const auto starts = [&](std::uint64_t last) {
    if (stop_after.size() <= last) stop_after.resize(last + 1, 0);
    ++stop_after[last];
  };
  starts(topology.degree(root));
  for (std::size_t informed = 0; informed < degrees.size();) {
    const std::size_t most = std::min<std::size_t>(degrees.size(), informed + informing);
    if (informed == most) return 0;
    ++rounds;
    informing -= stop_after[rounds];  // who informs stops in this round or a later one
    for (; informed < most; ++informed) {
      if (degrees[informed] < 2) continue;
      ++informing;
      starts(rounds + degrees[informed] - 1);
    }
  }
  return rounds;
}
std::uint64_t broadcast_tree_rounds(const Topology& topology, Node root) {
  if (topology.nodes() > kMostNodes) return 0;
  const Arcs arcs(topology);
  return is_tree(arcs) ? informs_in(needs_of_branches(arcs, root)) : 0;
}

std::uint64_t gossip_combining_tree_rounds(const Topology& topology) {
  constexpr Node kMostNodesOfAllTrees = 4096;
  if (topology.nodes() > kMostNodesOfAllTrees) return 0;
  const Arcs arcs(topology);
  if (!is_tree(arcs)) return 0;
  std::uint64_t most = 0;
  for (Node x = 0; x < arcs.nodes(); ++x) {
    const std::vector<std::uint64_t> needs = needs_of_branches(arcs, x);
    std::uint64_t afterwards = ~std::uint64_t{0};
    for (std::size_t last = 0; last < needs.size(); ++last) {
      std::vector<std::uint64_t> others = needs;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(last));
      afterwards = std::min(afterwards, informs_in(others));
    }
    most = std::max(most, informs_in(needs) + afterwards);
  }
  return most;
}

std::uint64_t gossip_combining_ring_rounds(const Topology& topology) {
  const std::uint64_t n = topology.nodes();
  if (n < 5 || n % 2 == 0 || topology.ports() != 2) return 0;
  for (Node x = 0; x < n; ++x) {
    stop_if_interrupted();
    if (topology.degree(x) != 2) return 0;
  }
  return (n + 3) / 2;
}

}  // namespace gossamer::bounds
