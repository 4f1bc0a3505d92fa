#include "bounds/cycles.hpp"

#include <algorithm>

#include "bounds/arithmetic.hpp"
#include "bounds/distances.hpp"
#include "gossamer_constants.hpp"

namespace gossamer {
namespace {

using namespace bounds;

/// The fewest hops of all messages together, and the hops of the longest path.
struct Ways {
  std::uint64_t sum = 0, longest = 0;
};

Ways ways_of(const Topology& topology, Collective collective, Node root) {
  const std::uint64_t n = topology.nodes();
  Ways ways;
  if (!has_root(collective)) {
    ways.longest = diameter(topology);
    ways.sum = collective == Collective::Gossip ? n * (n - 1) : sum_of_distances(topology);
    return ways;
  }
  const Profile distances = profile(topology, root);
  ways.longest = distances.size() - 1;
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

/// Cycles that a node needs to receive its messages, or a root to send them.
std::uint64_t port_cycles(const Topology& topology, Collective collective, const Model& model,
                          Node root, unsigned flits) {
  const auto cycles = [&](Node x, std::uint64_t messages) {
    const std::uint64_t at_once = model.ports == PortModel::Single ? 1 : topology.degree(x);
    return divide_up(messages * flits, at_once);
  };
  const std::uint64_t n = topology.nodes();
  if (has_root(collective)) return cycles(root, collective == Collective::Broadcast ? 1 : n - 1);
  std::uint64_t most = 0;
  for (const Node x : nodes_to_try(topology)) most = std::max(most, cycles(x, n - 1));
  return most;
}

}  // namespace

Bound lower_bound_cycles(const Topology& topology, Collective collective, const Model& model,
                         Node root, unsigned flits, std::uint64_t stages) {
  const std::uint64_t hop = rtl::TIME_DELTA + stages;
  const Ways ways = ways_of(topology, collective, root);
  // The first flit has passed its first link in cycle `before` + 1.
  const std::uint64_t before = rtl::TIME_START + hop;
  Bound best{rtl::TIME_START + ways.longest * hop + flits, "the longest way, flit after flit"};
  const auto try_bound = [&best](std::uint64_t value, const char* source) {
    if (value > best.value) best = {value, source};
  };
  try_bound(before + port_cycles(topology, collective, model, root, flits),
            "what a node must take in or send, through its ports");
  try_bound(before + divide_up(ways.sum * flits, links_at_once(topology, model)),
            "hops of all flits, over all links that may carry one at once");
  return best;
}

}  // namespace gossamer
