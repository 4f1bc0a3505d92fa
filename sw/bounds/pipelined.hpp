#pragma once

#include <cstdint>

#include "topology/topology.hpp"

namespace gossamer::bounds {

/// Total exchange of pipelined messages through single ports, without combining. A node injects in
/// n-1 slots and receives in n-1; a message of d hops arrives d-1 slots behind its injection. With
/// n-1+k slots a node's injections lie in the first slots or later, its arrivals in the last or
/// earlier, and all arrivals together are at most n(n-1)k slots behind all injections: k is the
/// average distance less 1 at least, rounded up.
std::uint64_t pipelined_port_slots(const Topology& topology);

/// The same for links. In slot s no more paths can be under way than s injections of each node
/// have begun, and in the last slot but s no more than s+1 arrivals can end. So some links rest in
/// the first and the last slots, and the others must carry all hops: those of the whole topology,
/// and those of each factor.
std::uint64_t pipelined_link_slots(const Topology& topology);

/// The least S for which the sum of min(links, s, S+1-s) over s = 1 ... S is `hops` at least. All
/// three are those of n nodes, of which each injects and receives one message in a slot.
std::uint64_t slots_for_hops(std::uint64_t hops, std::uint64_t links, std::uint64_t nodes);

}  // namespace gossamer::bounds
