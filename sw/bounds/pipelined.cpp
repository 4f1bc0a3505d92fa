#include "bounds/pipelined.hpp"

#include <algorithm>

#include "bounds/arithmetic.hpp"
#include "bounds/distances.hpp"

namespace gossamer::bounds {

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

}  // namespace gossamer::bounds
