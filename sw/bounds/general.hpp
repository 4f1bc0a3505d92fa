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

}  // namespace gossamer::bounds
