#include "bounds/general.hpp"

#include <algorithm>

#include "bounds/arithmetic.hpp"
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

}  // namespace gossamer::bounds
