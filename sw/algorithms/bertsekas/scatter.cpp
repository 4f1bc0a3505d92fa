// Single node scatter (section 3): ceil((2^d-1)/d) rounds, d 2^(d-1) transmissions. Gather is the
// same with time reversed; a single node broadcast uses the same tree.

#include <algorithm>
#include <bit>

#include "algorithms/bertsekas/bertsekas.hpp"

namespace gossamer::bertsekas {
namespace {

/// A packet between the root 0 and node `end` crosses the link from `from` to `to`.
struct Hop {
  Node from = 0, to = 0, end = 0;
};
using Rounds = std::vector<std::vector<Hop>>;

/// Number of links between the root and a node.
unsigned distance(Node x) { return static_cast<unsigned>(std::popcount(x)); }

/// The nodes of each subtree in the order in which the root sends to them: the farthest first.
std::vector<std::vector<Node>> sending_orders(const BalancedTree& tree, unsigned d) {
  std::vector<std::vector<Node>> orders(d);
  for (Node x = 1; x <= all_ones(d); ++x) orders[tree.subtree[x] - 1].push_back(x);
  for (auto& order : orders) std::ranges::stable_sort(order, std::greater{}, distance);
  return orders;
}

/// The root sends a packet into each subtree in every round, and no packet ever waits.
Rounds scatter_rounds(unsigned d) {
  const BalancedTree tree = balanced_tree(d);
  Rounds rounds(packets_over_links(d));
  for (const auto& order : sending_orders(tree, d)) {
    for (std::size_t sent = 0; sent < order.size(); ++sent) {
      const Node end = order[sent];
      for (Node x = end; x != 0; x = tree.parent[x]) {
        rounds[sent + distance(x) - 1].push_back({tree.parent[x], x, end});
      }
    }
  }
  return rounds;
}

void add(Schedule& schedule, std::uint32_t round, Node from, Node to, const Message& message) {
  const Node path[] = {from, to};
  schedule.add(round, path, {&message, 1});
}

}  // namespace

Schedule scatter(const Topology& topology, Node root) {
  Schedule schedule = empty_schedule(topology, Collective::Scatter, /*all_alike=*/false);
  schedule.root = root;
  std::uint32_t round = 0;
  for (const auto& hops : scatter_rounds(dimension(topology))) {
    ++round;
    for (const Hop& h : hops)
      add(schedule, round, root ^ h.from, root ^ h.to, {root, root ^ h.end});
  }
  return schedule;
}

Schedule gather(const Topology& topology, Node root) {
  Schedule schedule = empty_schedule(topology, Collective::Gather, /*all_alike=*/false);
  schedule.root = root;
  std::uint32_t round = 0;
  Rounds backwards = scatter_rounds(dimension(topology));
  std::ranges::reverse(backwards);
  for (const auto& hops : backwards) {
    ++round;
    for (const Hop& h : hops)
      add(schedule, round, root ^ h.to, root ^ h.from, {root ^ h.end, root});
  }
  return schedule;
}

/// Along any tree of shortest paths, here the balanced one: every node passes the packet on to all
/// its children in the round after it received it. That takes d rounds and 2^d - 1 transmissions.
Schedule broadcast(const Topology& topology, Node root) {
  const unsigned d = dimension(topology);
  Schedule schedule = empty_schedule(topology, Collective::Broadcast, /*all_alike=*/false);
  schedule.root = root;
  const BalancedTree tree = balanced_tree(d);
  std::vector<Node> nodes;
  for (Node x = 1; x <= all_ones(d); ++x) nodes.push_back(x);
  std::ranges::stable_sort(nodes, {}, distance);
  for (const Node x : nodes) {
    schedule.add_hop(distance(x), root ^ tree.parent[x], root ^ x, root);
  }
  return schedule;
}

}  // namespace gossamer::bertsekas
