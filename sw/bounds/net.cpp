#include "bounds/net.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace gossamer::bounds {

Net::Net(const Topology& topology, std::span<const std::uint64_t> hops, bool backwards)
    : out_(topology.nodes()), in_(topology.nodes()) {
  std::vector<std::uint32_t> link_at(std::size_t{topology.nodes()} * topology.ports());
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (!e.connected()) continue;
      const std::size_t here = std::size_t{x} * topology.ports() + p;
      const std::size_t there = std::size_t{e.node} * topology.ports() + e.port;
      link_at[here] = here < there ? links_++ : link_at[there];
      if (!topology.sends(x, p)) continue;
      const std::uint64_t hop = hops.empty() ? 1 : hops[p];
      const auto number = static_cast<std::uint32_t>(arcs_.size());
      arcs_.push_back({backwards ? e.node : x, backwards ? x : e.node, hop, link_at[here]});
      out_[arcs_.back().tail].push_back(number);
      in_[arcs_.back().head].push_back(number);
      least_ = std::min(least_, hop);
      most_ = std::max(most_, hop);
    }
  }
}

std::vector<std::uint64_t> times(const Net& net, std::span<const Node> nodes, Leads leads) {
  std::vector<std::uint64_t> time(net.nodes(), ~std::uint64_t{0});
  using Entry = std::pair<std::uint64_t, Node>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> near;
  std::deque<Node> next;  // enough if all hops take the same time
  const bool alike = net.least_hop() == net.most_hop();
  const auto reach = [&](Node x, std::uint64_t t) {
    if (t >= time[x]) return;
    time[x] = t;
    alike ? next.push_back(x) : near.push({t, x});
  };
  for (const Node x : nodes) reach(x, 0);
  while (!next.empty() || !near.empty()) {
    Node x = 0;
    if (alike) {
      x = next.front();
      next.pop_front();
    } else {
      const auto [t, nearest] = near.top();
      near.pop();
      if (t != time[nearest]) continue;
      x = nearest;
    }
    for (const std::uint32_t a : leads == Leads::Away ? net.out(x) : net.in(x)) {
      const NetArc& arc = net.arcs()[a];
      reach(leads == Leads::Away ? arc.head : arc.tail, time[x] + arc.hop);
    }
  }
  return time;
}

std::vector<std::uint64_t> hops_of_disjoint_paths(const Net& net, Node from, Node to) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  std::vector<std::uint64_t> hops;
  if (from == to) return hops;
  std::vector<bool> used(net.arcs().size(), false);
  for (std::uint64_t sum = 0;;) {
    // The cheapest way to one path more: it may also go back over an arc that is used, and frees
    // it.
    std::vector<std::int64_t> distance(net.nodes(), kFar);
    std::vector<std::uint32_t> arrives(net.nodes());
    std::vector<bool> waiting(net.nodes(), false);
    std::deque<Node> next = {from};
    distance[from] = 0;
    while (!next.empty()) {
      const Node x = next.front();
      next.pop_front();
      waiting[x] = false;
      const auto go = [&](std::uint32_t a, Node y, std::int64_t hop) {
        if (distance[x] + hop >= distance[y]) return;
        distance[y] = distance[x] + hop;
        arrives[y] = a;
        if (!waiting[y]) next.push_back(y);
        waiting[y] = true;
      };
      for (const std::uint32_t a : net.out(x)) {
        const NetArc& arc = net.arcs()[a];
        if (!used[a]) go(a, arc.head, static_cast<std::int64_t>(arc.hop));
      }
      for (const std::uint32_t a : net.in(x)) {
        const NetArc& arc = net.arcs()[a];
        if (used[a]) go(a, arc.tail, -static_cast<std::int64_t>(arc.hop));
      }
    }
    if (distance[to] == kFar) return hops;
    for (Node y = to; y != from;) {
      const NetArc& arc = net.arcs()[arrives[y]];
      used[arrives[y]] = !used[arrives[y]];
      y = arc.head == y ? arc.tail : arc.head;
    }
    hops.push_back(sum += static_cast<std::uint64_t>(distance[to]));
  }
}

}  // namespace gossamer::bounds
