#pragma once

#include <cstdint>

#include "topology/topology.hpp"

namespace gossamer::bounds {

/// Total exchange of pipelined messages through single ports, without combining. A node injects in
/// n-1 slots and receives in n-1; a message of d hops arrives d-1 slots after its injection. With
/// n-1+k slots a node's injections are in the first slots or later, its arrivals in the last or
/// earlier, and all arrivals together are at most n(n-1)k slots after all injections: k is at least
/// the average distance less 1, rounded up.
std::uint64_t pipelined_port_slots(const Topology& topology);

/// The same for links. In slot s the paths under way are at most those of s injections per node,
/// and in the slot s before the last at most those of s+1 arrivals per node. So some links are idle
/// in the first and the last slots, and the others must carry all hops: those of the whole
/// topology, and those of each factor.
std::uint64_t pipelined_link_slots(const Topology& topology);

/// The least S for which the sum of min(links, s, S+1-s) over s = 1 ... S is at least `hops`. All
/// three count n nodes, each of which injects and receives one message per slot.
std::uint64_t slots_for_hops(std::uint64_t hops, std::uint64_t links, std::uint64_t nodes);

}  // namespace gossamer::bounds
