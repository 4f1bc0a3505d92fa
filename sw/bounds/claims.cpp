#include "bounds/claims.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "bounds/distances.hpp"
#include "support/job.hpp"
#include "topology/topology.hpp"

namespace gossamer::bounds {

std::uint64_t receive_rounds(std::uint64_t n, std::uint64_t at_once) {
  return n < 2 ? 0 : divide_up(n - 1, at_once);
}

std::uint64_t receive_rounds_by_distance(const Profile& profile, std::uint64_t at_once) {
  std::uint64_t rounds = 0, that_far = 0;
  for (std::size_t k = profile.size() - 1; k >= 1; --k) {
    that_far += profile[k];
    rounds = std::max(rounds, k - 1 + divide_up(that_far, at_once));
  }
  return rounds;
}

std::uint64_t half_duplex_link_rounds(const Topology& topology) {
  const std::uint64_t n = topology.nodes();
  return n < 2 ? 0 : divide_up(n * (n - 1), arcs(topology) / 2);
}

std::uint64_t total_exchange_node_rounds(const Topology& topology, Duplex duplex) {
  const std::uint64_t n = topology.nodes();
  return n < 2 ? 0 : divide_up(sum_of_distances(topology), duplex == Duplex::Half ? n / 2 : n);
}

std::uint64_t single_port_gossip_half_duplex(std::uint64_t n) {
  return n < 2 ? 0 : divide_up(n * (n - 1), n / 2);
}

std::uint64_t pipelined_port_slots(const Topology& topology) {
  const std::uint64_t n = topology.nodes();
  if (n < 2) return 0;
  const std::uint64_t average_up = divide_up(sum_of_distances(topology), n * (n - 1));
  return n - 1 + average_up - 1;
}

std::uint64_t slots_for_hops(std::uint64_t hops, std::uint64_t links, std::uint64_t nodes) {
  // From both ends, two slots at a time, until they use all links.
  std::uint64_t slots = 0, carried = 0;
  for (std::uint64_t under_way = nodes; under_way < links; under_way += nodes) {
    if (carried >= hops) return slots;
    if (carried + under_way >= hops) return slots + 1;
    carried += 2 * under_way;
    slots += 2;
  }
  return carried >= hops ? slots : slots + divide_up(hops - carried, links);
}

std::uint64_t pipelined_link_slots(const Topology& topology) {
  const std::uint64_t n = topology.nodes();
  if (n < 2) return 0;
  std::uint64_t bound = slots_for_hops(sum_of_distances(topology), arcs(topology), n);
  for (const Graph& factor : topology.factors()) {
    const std::uint64_t copies = n / factor.nodes;
    if (arcs(factor) == 0) continue;
    const std::uint64_t hops =
        multiply_saturating(sum_of_distances(factor), multiply_saturating(copies, copies));
    bound = std::max(bound, slots_for_hops(hops, arcs(factor) * copies, n));
  }
  return bound;
}

std::uint64_t fault_tolerant_rounds(unsigned d, unsigned k, PortModel ports) {
  if (ports == PortModel::Single) return k >= 1 ? d + k + 1 : d;
  return d >= 2 && k + 1 == d ? d + 1 : d;
}

namespace {

/// Links between digits 0 .. i and the others, for each i.
std::vector<std::uint64_t> links_across(const Graph& graph) {
  std::vector<std::uint64_t> across(graph.nodes, 0), ending(graph.nodes, 0);
  for (Node x = 0; x < graph.nodes; ++x) {
    for (Port p = 0; p < graph.ports; ++p) {
      const Endpoint e = graph.peer(x, p);
      if (!e.connected()) continue;
      ++(e.node > x ? across : ending)[x];
    }
  }
  for (Node i = 1; i < graph.nodes; ++i) across[i] += across[i - 1] - ending[i];
  return across;
}

bool is_long_path(const Graph& graph) {
  const auto across = links_across(graph);
  return graph.nodes > 2 && !graph.cyclic && graph.ports == 2 &&
         std::all_of(across.begin(), across.end() - 1, [](std::uint64_t l) { return l == 1; });
}

}  // namespace

double average_status(const Topology& topology) {
  double sum = 0;
  for (const Graph& dimension : topology.factors()) {
    std::uint64_t total = 0;
    for (Node x = 0; x < dimension.nodes; ++x) {
      const Profile counts = profile(dimension, x);
      for (std::size_t d = 0; d < counts.size(); ++d) total += d * counts[d];
    }
    sum += static_cast<double>(total) / dimension.nodes / dimension.nodes;
  }
  return topology.nodes() * sum;
}

std::uint64_t cut_rounds(const Topology& topology, Duplex duplex, std::uint64_t flits) {
  std::uint64_t most = 0;
  for (const Graph& dimension : topology.factors()) {
    const std::uint64_t r = dimension.nodes, copies = topology.nodes() / r;
    const std::vector<std::uint64_t> across = links_across(dimension);
    for (std::uint64_t i = 0; i + 1 < r; ++i) {
      std::uint64_t messages = multiply_saturating(copies, (i + 1) * (r - 1 - i));
      if (duplex == Duplex::Half) messages = multiply_saturating(messages, 2);
      most = std::max(most, divide_up(multiply_saturating(messages, flits), across[i]));
    }
  }
  return most;
}

std::uint64_t middle_of_path_rounds(const Topology& topology) {
  std::uint64_t most = 0;
  for (const Graph& dimension : topology.factors()) {
    if (!is_long_path(dimension)) continue;
    const std::uint64_t r = dimension.nodes, middle = topology.nodes() / r, c = r / 2;
    const std::uint64_t across = (c + 1) * (r - 1 - c) + c * (r - c);
    most = std::max(most, multiply_saturating(middle, across) + middle - 1);
  }
  return most;
}

namespace {

/// min(factor^exponent, most)
std::uint64_t capped_power(std::uint64_t factor, std::uint64_t exponent, std::uint64_t most) {
  std::uint64_t power = 1;
  for (std::uint64_t i = 0; i < exponent && power < most; ++i) {
    power = multiply_saturating(power, factor);
  }
  return std::min(power, most);
}

}  // namespace

std::uint64_t half_duplex_growth_rounds(std::uint64_t n) {
  // The t-th power is the Lucas number L(t) = L(t-1) + L(t-2) less the t-th power of -1/phi, which
  // is below 1: so it is at least n if L(t) > n, or L(t) = n and t is odd. Not for t = 0 and 1.
  if (n < 2) return 0;
  std::uint64_t last = 1, lucas = 3;  // L(1), L(2)
  std::uint64_t t = 2;
  while (lucas < n || (lucas == n && t % 2 == 0)) {
    last = std::exchange(lucas, lucas + last);
    ++t;
  }
  return t;
}

std::uint64_t growth_rounds(std::uint64_t n, std::uint64_t factor) {
  if (factor < 2) return 0;  // no links: one node and nothing to do
  std::uint64_t rounds = 0;
  for (std::uint64_t holders = 1; holders < n; holders = multiply_saturating(holders, factor)) {
    ++rounds;
  }
  return rounds;
}

std::uint64_t total_gossip_load(std::uint64_t rounds, std::uint64_t factor, std::uint64_t n) {
  std::uint64_t load = 0;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const std::uint64_t known = capped_power(factor, t - 1, n);
    const std::uint64_t reached = capped_power(factor, rounds - t, n);
    load = add_saturating(load, multiply_saturating(known, reached));
  }
  return load;
}

std::uint64_t arc_forwarding_bound(const Topology& topology, bool both_directions) {
  std::uint64_t bound = 0;
  for (const Graph& factor : topology.factors()) {
    // Each ordered pair of digits stands for (N/n)^2 pairs of nodes, each arc for N/n arcs.
    const std::uint64_t copies = topology.nodes() / factor.nodes;
    const std::uint64_t ways = both_directions ? arcs(factor) / 2 : arcs(factor);
    if (ways == 0) continue;
    bound = std::max(bound, divide_up(multiply_saturating(sum_of_distances(factor), copies), ways));
  }
  return bound;
}

std::uint64_t gossip_load_rounds(const Topology& topology, std::uint64_t factor, bool half_duplex) {
  const std::uint64_t needed = arc_forwarding_bound(topology, half_duplex);
  std::uint64_t rounds = growth_rounds(topology.nodes(), factor);
  while (total_gossip_load(rounds, factor, topology.nodes()) < needed) ++rounds;
  return rounds;
}

namespace {

constexpr Node kMostNodesOfTrees = Node{1} << 22;

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
  if (topology.nodes() > kMostNodesOfTrees) return 0;
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
  if (topology.nodes() > kMostNodesOfTrees) return 0;
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
