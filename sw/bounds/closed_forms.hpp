#pragma once

#include <cstdint>

#include "bounds/distances.hpp"
#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer::bounds {

/// A node must receive a message of its own from every other node (or send one to each), at most
/// `at_once` per round: ceil((n-1)/at_once). Any switching, without combining.
std::uint64_t receive_rounds(std::uint64_t n, std::uint64_t at_once);

/// The same if a hop takes a round (packet and pipelined switching): what comes from a distance of
/// k or more arrives in round k at the earliest, so k-1 + ceil(nodes that far / at_once) rounds are
/// needed, for every k. k = 1 is receive_rounds, the largest k is at least the distance.
std::uint64_t receive_rounds_by_distance(const Profile& profile, std::uint64_t at_once);

/// Gossip, all ports, half duplex, without combining: n(n-1) receptions, one on a link in a round.
std::uint64_t half_duplex_link_rounds(const Topology& topology);

/// Total exchange without combining: the paths of all ordered pairs use the arcs of each factor at
/// least as often as the distances in it require, and a round offers each arc once (each link once
/// with half duplex). For a hypercube this is 2^(d-1) (Bertsekas et al. 1991, table I).
std::uint64_t total_exchange_link_rounds(const Topology& topology, Duplex duplex);

/// Total exchange of single-port packets without combining: every hop of every message is a
/// transmission, and a round has room for n (half duplex: floor(n/2)) (Dimakopoulos-Dimopoulos
/// 1998, equation (3): the average status).
std::uint64_t total_exchange_node_rounds(const Topology& topology, Duplex duplex);

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

/// The fewest rounds of a broadcast or gossip on the d-cube that tolerates any k < d faulty nodes
/// and links, which the nodes do not know (Chau-Fu, sections 1 and 2).
///
/// Single port: d+k+1 for k >= 1, a theorem of Fraigniaud's that the paper quotes; d for k = 0, the
/// distance. All ports: d+1 for k = d-1, because the d-1 faults can be the neighbours of a node at
/// distance d-1 that lie on its shortest paths, and every other path is two hops longer (so d must
/// be 2 or more, which the paper does not say); d for smaller k.
std::uint64_t fault_tolerant_rounds(unsigned d, unsigned k, PortModel ports);

}  // namespace gossamer::bounds
