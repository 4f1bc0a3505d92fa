#include "bounds/degrees.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "support/interrupt.hpp"
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
    informing -= rounds < stop_after.size() ? stop_after[rounds] : 0;
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
  if (arcs.count() != 2 * (arcs.nodes() - 1)) return 0;  // it is connected
  std::vector<Node> order = {root}, from(arcs.nodes(), kNoNode);
  for (std::size_t i = 0; i < order.size(); ++i) {
    stop_if_interrupted();
    for (const Node y : arcs.neighbours(order[i])) {
      if (y == from[order[i]]) continue;
      from[y] = order[i];
      order.push_back(y);
    }
  }
  std::vector<std::vector<std::uint64_t>> behind(arcs.nodes());  // needs of the nodes it informs
  std::uint64_t needs = 0;
  for (auto x = order.rbegin(); x != order.rend(); ++x) {
    std::ranges::sort(behind[*x], std::greater{});
    needs = 0;
    for (std::size_t i = 0; i < behind[*x].size(); ++i) {
      needs = std::max(needs, i + 1 + behind[*x][i]);
    }
    if (*x != root) behind[from[*x]].push_back(needs);
  }
  return needs;
}

}  // namespace gossamer::bounds
