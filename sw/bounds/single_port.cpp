#include "bounds/single_port.hpp"

#include "bounds/arithmetic.hpp"

namespace gossamer::bounds {

std::uint64_t single_port_gossip(std::uint64_t n) { return n - 1; }

std::uint64_t single_port_gossip_half_duplex(std::uint64_t n) {
  return n < 2 ? 0 : divide_up(n * (n - 1), n / 2);
}

std::uint64_t single_port_gossip_half_duplex_pipelined(std::uint64_t n) { return 2 * (n - 1); }

}  // namespace gossamer::bounds
