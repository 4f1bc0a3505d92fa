#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "bounds/bounds.hpp"
#include "bounds/claims.hpp"
#include "bounds/distances.hpp"
#include "bounds/flits.hpp"
#include "bounds/flows.hpp"
#include "gossamer_constants.hpp"
#include "topology/topology.hpp"

namespace gossamer {
namespace {

using namespace bounds;

/// Is there a root that all messages leave or reach?
bool has_one_end(Collective c) { return has_root(c) && c != Collective::AllReduce; }

/// Cycles of a hop over the links of each factor.
using Hops = std::vector<std::uint64_t>;

/// Of no stages where none are given by port.
Hops hops_of(const Topology& topology, std::span<const std::uint32_t> stages) {
  constexpr std::uint64_t kMostCycles = std::uint64_t{1} << 27;
  const std::uint64_t least = rtl::TIME_DELTA + (stages.empty() ? 0 : std::ranges::min(stages));
  const Hops same(topology.factors().size(), least);
  if (stages.empty()) return same;
  Hops hops = same;
  std::uint64_t cycles = 0, first = 0;
  for (std::size_t f = 0; f < hops.size(); ++f) {
    const Graph& factor = topology.factors()[f];
    const auto its = stages.subspan(first, factor.ports);
    if (!its.empty()) hops[f] = rtl::TIME_DELTA + std::ranges::min(its);
    cycles += factor.nodes * hops[f];
    first += factor.ports;
  }
  // What is counted for each cycle must fit into memory.
  return cycles > kMostCycles ? same : hops;
}

/// Nodes by the cycles that the hops from one of them take at least: `nodes[i]` in i times `unit`.
struct Reach {
  std::uint64_t unit = 0;
  Profile nodes;

  Reach(const Topology& topology, Node x, Hops hops) {
    for (const std::uint64_t hop : hops) unit = std::gcd(unit, hop);
    for (std::uint64_t& hop : hops) hop /= unit;
    nodes = profile(topology, x, hops);
  }
  std::uint64_t longest() const { return unit * (nodes.size() - 1); }
};

/// The fewest hops of all messages together, and the cycles of the hops of the longest path.
struct Ways {
  std::uint64_t sum = 0, longest = 0;
};

Ways ways_of(const Topology& topology, Collective collective, Node root, const Hops& hops) {
  const std::uint64_t n = topology.nodes();
  std::uint64_t across = 0;
  if (!has_root(collective) || collective == Collective::AllReduce) {
    for (std::size_t f = 0; f < hops.size(); ++f) {
      across += diameter(topology.factors()[f]) * hops[f];
    }
  }
  if (collective == Collective::AllReduce) return {2 * (n - 1), across};
  Ways ways;
  if (!has_root(collective)) {
    ways.longest = across;
    ways.sum = collective == Collective::Gossip ? n * (n - 1) : sum_of_distances(topology);
    return ways;
  }
  const Profile distances = profile(topology, root);
  ways.longest = Reach(topology, root, hops).longest();
  for (std::size_t d = 1; d < distances.size(); ++d) ways.sum += d * distances[d];
  if (collective == Collective::Broadcast) ways.sum = n - 1;
  return ways;
}

/// Links that may carry a flit in the same cycle. A node uses a port to send or receive; flits that
/// only pass through use none.
std::uint64_t links_at_once(const Topology& topology, const Model& model) {
  const bool half = model.duplex == Duplex::Half;
  const std::uint64_t links = arcs(topology) / (half ? 2 : 1);
  if (model.ports == PortModel::All || model.switching != Switching::Packet) return links;
  return std::min<std::uint64_t>(links, topology.nodes() / (half ? 2 : 1));
}

std::uint64_t ports_at_once(const Topology& topology, const Model& model, Node x) {
  return model.ports == PortModel::Single ? 1 : topology.degree(x);
}

/// Cycles from the start until all messages have reached node `x` through its ports, or have left
/// it for all others: those for far nodes are on their last links so much later.
std::uint64_t port_cycles(const Topology& topology, const Model& model, Node x, std::uint64_t flits,
                          const Hops& hops) {
  const Reach reach(topology, x, hops);
  const std::uint64_t at_once = ports_at_once(topology, model, x);
  std::uint64_t most = 0, so_far = 0;
  for (std::size_t far = reach.nodes.size() - 1; far > 0; --far) {
    so_far += reach.nodes[far];
    most = std::max(most, far * reach.unit + divide_up(so_far * flits, at_once));
  }
  return most;
}

/// Cycles until links can have made as many hops as a broadcast from `root` needs: a link whose
/// nearer end is d hops away carries nothing before a flit can be there, one a cycle from then on,
/// and nothing of use to the root.
std::uint64_t spread_over_links(const Topology& topology, Duplex duplex, Node root,
                                std::uint64_t flits, std::uint64_t hop) {
  constexpr Node kMostToSpread = 1u << 20;
  if (topology.nodes() > kMostToSpread) return 0;
  const Arcs arcs(topology);
  const auto distance = distances_from(arcs, root);
  std::vector<std::uint64_t> begin;  // by links that may be used at once: from when on
  for (ArcId a = 0; a < arcs.count(); ++a) {
    const Node from = arcs.tail(a), to = arcs.head(a);
    if (to == root || (duplex == Duplex::Half && distance[from] > distance[to])) continue;
    if (duplex == Duplex::Half && distance[from] == distance[to] && from > to) continue;
    begin.push_back(distance[from] * hop);
  }
  return cycles_over(std::move(begin), (arcs.nodes() - 1) * flits);
}

/// Cycles until a message from `x` can be at one of its `count` farthest nodes, whichever takes
/// longest, if its flits may go different ways.
std::uint64_t farthest_flow(const Net& net, Node x, std::size_t count, std::uint64_t flits) {
  const auto distance = times(net, {&x, 1});
  std::vector<Node> targets = numbers_below(net.nodes());
  std::ranges::stable_sort(targets, std::ranges::greater(), [&](Node y) { return distance[y]; });
  targets.resize(std::min(count, targets.size() - 1));  // the last one is x itself
  std::uint64_t most = 0;
  for (const Node y : targets) {
    most = std::max(most, cycles_of_flow(hops_of_disjoint_paths(net, x, y), flits));
  }
  return most;
}

/// The same for all nodes that send, of which the longest way takes `farthest` cycles. Tries as
/// many pairs of nodes as it has time for.
std::uint64_t longest_way(const Topology& topology, Collective collective, const Model& model,
                          Node root, std::uint64_t flits, std::uint64_t hop,
                          std::uint64_t farthest) {
  constexpr std::uint64_t kMostSearch = 5'000'000, kFewestPairs = 8;
  if (model.ports == PortModel::Single) return farthest + flits;
  std::uint64_t most = farthest + divide_up(flits, topology.ports());
  std::vector<Node> from =
      has_one_end(collective) ? std::vector<Node>{root} : nodes_to_try(topology);
  const std::uint64_t pairs = kMostSearch / (arcs(topology) * topology.ports());
  if (pairs < kFewestPairs) return most;
  from.resize(std::min<std::uint64_t>(from.size(), pairs));
  const Net all(topology, std::vector<std::uint64_t>(topology.ports(), hop));
  for (const Node x : from) {
    most = std::max(most, farthest_flow(all, x, pairs / from.size(), flits));
  }
  return most;
}

Bound of_flits(const Topology& topology, Collective collective, const Model& model, Node root,
               unsigned flits, std::span<const std::uint32_t> stages) {
  const Hops hops = hops_of(topology, stages);
  const std::uint64_t hop = std::ranges::min(hops);
  const Ways ways = ways_of(topology, collective, root, hops);
  Bound best;
  // The first flit has passed its first link in cycle `before` + 1.
  const std::uint64_t before = rtl::TIME_START + hop;
  if (collective != Collective::Broadcast && collective != Collective::AllReduce) {
    for (const Node x : has_root(collective) ? std::vector<Node>{root} : nodes_to_try(topology)) {
      best.claim(rtl::TIME_START + port_cycles(topology, model, x, flits, hops),
                 "what a node must take in or send, through its ports");
      if (model.duplex == Duplex::Full || has_root(collective)) continue;
      const std::uint64_t others = topology.nodes() - 1;  // whose messages come; and own ones leave
      const std::uint64_t all = others + (collective == Collective::Gossip ? 1 : others);
      best.claim(before + divide_up(all * flits, ports_at_once(topology, model, x)),
                 "what a node must take in and send, through its ports");
    }
  }
  best.claim(before + divide_up(ways.sum * flits, links_at_once(topology, model)),
             "hops of all flits, over all links that may carry one at once");
  if (collective == Collective::Broadcast && topology.nodes() > 1) {
    best.claim(before + spread_over_links(topology, model.duplex, root, flits, hop),
               "hops of all flits, over links that flits can have come to");
  }
  if (collective == Collective::Broadcast && model.ports == PortModel::Single &&
      topology.nodes() > 1) {
    best.claim(rtl::TIME_START + 1 +
                   port_spread(profile(topology, root), topology.nodes() - 1, flits, hop),
               "what single ports can pass on and send, flit by flit");
  }
  if (collective == Collective::TotalExchange) {
    best.claim(before + cut_rounds(topology, model.duplex, flits),
               "what must cross a cut, over its links");
    best.claim(before + routing_load(topology, PortModel::All, model.duplex).of(flits),
               "loads of the best fractional routing");
  }
  // Ways are searched only if the longest one, all flits behind one another, would say more.
  if (rtl::TIME_START + ways.longest + flits >= best.value) {
    const std::uint64_t way =
        rtl::TIME_START + longest_way(topology, collective, model, root, flits, hop, ways.longest);
    if (way >= best.value) best = {way, "the longest way, over links that can be used at once"};
  }
  return best;
}

}  // namespace

Bound lower_bound_cycles(const Topology& topology, Collective collective, const Model& model,
                         Node root, unsigned flits, std::span<const std::uint32_t> stages) {
  if (!reduces(collective)) return of_flits(topology, collective, model, root, flits, stages);
  const Collective other = collective == Collective::AllReduce ? collective : backwards(collective);
  std::vector<std::uint32_t> longer(topology.ports(), rtl::TIME_JOIN);
  for (std::size_t p = 0; p < stages.size(); ++p) longer[p] += stages[p];
  Bound best = of_flits(topology, other, model, root, flits, longer);
  if (model.ports == PortModel::All || topology.nodes() < 2) return best;
  const std::uint64_t others = topology.nodes() - 1;
  const std::uint64_t hop = std::ranges::min(hops_of(topology, longer));
  const bool half = model.duplex == Duplex::Half;
  std::uint64_t ends = others * (half ? 2 : 1);  // of a flit's additions; see Claims::sums()
  if (collective == Collective::AllReduce) ends += others;
  if (collective == Collective::ReduceScatter) {
    ends *= topology.nodes();
  } else {
    best.claim(rtl::TIME_START + port_sum(profile(topology, root), others, hop) + flits,
               "what single ports can pass on and send, flit by flit");
  }
  best.claim(rtl::TIME_START + hop + divide_up(ends * flits, topology.nodes()),
             "what single ports can add up and pass on");
  return best;
}

}  // namespace gossamer
