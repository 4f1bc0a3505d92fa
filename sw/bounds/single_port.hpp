#pragma once

#include <cstdint>

namespace gossamer::bounds {

/// Gossip on n nodes with a single port and without combining: every node must receive n-1
/// messages one by one (Dimakopoulos 1999, equation (1)). Holds for both duplex models and any
/// switching.
std::uint64_t single_port_gossip(std::uint64_t n);

/// The same with half-duplex links: a node sends or receives, never both. n(n-1) receptions are
/// needed and floor(n/2) fit in a round, which is 2(n-1) for even n (Dimakopoulos 1999, equation
/// (2)) and 2n for odd n (equation (3)). Holds where a transfer starts and ends in one round
/// (packet, circuit).
std::uint64_t single_port_gossip_half_duplex(std::uint64_t n);

/// The same for pipelined switching, where a transfer may end in a later round than it starts, so
/// that all n nodes can be busy even if n is odd: 2(n-1).
std::uint64_t single_port_gossip_half_duplex_pipelined(std::uint64_t n);

}  // namespace gossamer::bounds
