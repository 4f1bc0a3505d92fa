#include "algorithms/any_graph/scatter.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "algorithms/any_graph/list_schedule.hpp"
#include "bounds/flow_over_time.hpp"

namespace gossamer::any_graph {
namespace {

void sort_by_round(std::vector<Hop>& hops) { std::ranges::stable_sort(hops, {}, &Hop::round); }

/// Is a link used in both directions in a round?
bool both_ways(const std::vector<Hop>& hops) {
  std::set<std::tuple<std::uint32_t, Node, Node>> used;
  for (const Hop& h : hops) used.insert({h.round, h.from, h.to});
  return std::ranges::any_of(hops, [&](const Hop& h) {
    return used.contains({h.round, h.to, h.from});
  });
}

}  // namespace

std::vector<Hop> scatter_all_ports(const Arcs& arcs, Node root, std::uint32_t bound) {
  auto paths = bounds::scatter_in(arcs, root, bound);
  while (!paths) paths = bounds::scatter_in(arcs, root, ++bound);
  std::vector<Hop> hops;
  for (Node x = 0; x < arcs.nodes(); ++x) {
    const auto& [first_round, nodes] = (*paths)[x];
    for (std::uint32_t h = 0; h + 1 < nodes.size(); ++h) {
      hops.push_back({first_round + h, nodes[h], nodes[h + 1], {root, x}});
    }
  }
  sort_by_round(hops);
  return hops;
}

std::vector<Hop> scatter_single_port(const Arcs& arcs, Node root) {
  const auto distance = distances_from(arcs, root);
  std::vector<Node> far_first(arcs.nodes());
  std::iota(far_first.begin(), far_first.end(), Node{0});
  std::ranges::stable_sort(far_first, std::greater{}, [&](Node x) { return distance[x]; });
  far_first.pop_back();  // the root
  const auto parent = [&](Node x) {
    return *std::ranges::find_if(arcs.neighbours(x),
                                 [&](Node y) { return distance[y] + 1 == distance[x]; });
  };
  std::vector<Hop> hops;
  for (std::uint32_t sent = 0; sent < far_first.size(); ++sent) {
    const Node end = far_first[sent];
    for (Node x = end; x != root; x = parent(x)) {
      hops.push_back({sent + distance[x], parent(x), x, {root, end}});
    }
  }
  sort_by_round(hops);
  return hops;
}

std::vector<Hop> scatter_half_duplex(const Arcs& arcs, Node root,
                                     const bounds::Resources& resources, PortModel ports,
                                     std::uint32_t bound, const Effort& effort) {
  constexpr std::uint64_t kEnough = 300'000;  // hops planned
  if (ports == PortModel::All) {
    std::vector<Hop> hops = scatter_all_ports(arcs, root, bound);
    if (!both_ways(hops)) return hops;
  }
  std::vector<Message> messages;
  for (Node x = 0; x < arcs.nodes(); ++x) {
    if (x != root) messages.push_back({root, x});
  }
  std::uint32_t seed = effort.seed;
  std::vector<Hop> best;
  best_so_far([&] {
    for (std::uint64_t work = 0;; ++seed) {
      const auto packets = balanced_routes(arcs, resources, messages, bound, seed);
      std::vector<Hop> next = list_schedule(arcs, resources, packets, seed);
      work += 4 * next.size();
      if (best.empty() || next.back().round < best.back().round) best = std::move(next);
      if (best.back().round <= bound || effort.over(work, kEnough)) break;
    }
  });
  if (best.empty()) throw Interrupted();
  return best;
}

std::vector<Hop> reversed(std::vector<Hop> hops) {
  std::ranges::reverse(hops);
  const std::uint32_t rounds = hops.empty() ? 0 : hops.front().round;
  for (Hop& hop : hops) {
    hop.round = rounds + 1 - hop.round;
    std::swap(hop.from, hop.to);
    std::swap(hop.message.origin, hop.message.destination);
  }
  return hops;
}

}  // namespace gossamer::any_graph
