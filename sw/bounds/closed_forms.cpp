#include "bounds/closed_forms.hpp"

#include <algorithm>

#include "bounds/arithmetic.hpp"
#include "bounds/distances.hpp"
#include "bounds/gossip_load.hpp"

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

std::uint64_t total_exchange_link_rounds(const Topology& topology, Duplex duplex) {
  return arc_forwarding_bound(topology, /*both_directions=*/duplex == Duplex::Half);
}

std::uint64_t total_exchange_node_rounds(const Topology& topology, Duplex duplex) {
  const std::uint64_t n = topology.nodes();
  return n < 2 ? 0 : divide_up(sum_of_distances(topology), duplex == Duplex::Half ? n / 2 : n);
}

std::uint64_t single_port_gossip(std::uint64_t n) { return n - 1; }

std::uint64_t single_port_gossip_half_duplex(std::uint64_t n) {
  return n < 2 ? 0 : divide_up(n * (n - 1), n / 2);
}

std::uint64_t single_port_gossip_half_duplex_pipelined(std::uint64_t n) { return 2 * (n - 1); }

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

}  // namespace gossamer::bounds
