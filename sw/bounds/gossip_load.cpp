#include "bounds/gossip_load.hpp"

#include <algorithm>
#include <utility>

#include "bounds/arithmetic.hpp"
#include "bounds/distances.hpp"

namespace gossamer::bounds {
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

std::uint64_t torus_arc_forwarding_index(std::uint64_t n, unsigned k) {
  std::uint64_t twice = n * n / 4;
  for (unsigned i = 1; i < k; ++i) twice *= n;
  return divide_up(twice, 2);
}

std::uint64_t gossip_load_rounds(const Topology& topology, std::uint64_t factor, bool half_duplex) {
  const std::uint64_t needed = arc_forwarding_bound(topology, half_duplex);
  std::uint64_t rounds = growth_rounds(topology.nodes(), factor);
  while (total_gossip_load(rounds, factor, topology.nodes()) < needed) ++rounds;
  return rounds;
}

}  // namespace gossamer::bounds
