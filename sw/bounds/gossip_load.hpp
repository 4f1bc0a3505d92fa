#pragma once

#include <cstdint>

#include "topology/topology.hpp"

namespace gossamer::bounds {

/// The smallest t with factor^t >= n. A message has at most `factor` times as many holders after a
/// round as before it: Delta+1 with all ports (Delmas-Perennes 1996, section 4), 2 with a single
/// port. Any switching, with or without combining; the same for gather with time reversed.
std::uint64_t growth_rounds(std::uint64_t n, std::uint64_t factor);

/// Gossip or total exchange over half-duplex links through a single port, with combining (ours): a
/// round maps the vector of what the nodes hold by a matrix whose entries are those of the identity
/// and a 1 for each transfer; as no node has two of them, its norm is the golden ratio (that of the
/// rows 1 1 and 0 1). The product of all rounds has no 0, so its norm is at least n, that of the
/// matrix of ones: the smallest t with (golden ratio)^t >= n.
std::uint64_t half_duplex_growth_rounds(std::uint64_t n);

/// The most couples (x, y) that can use one arc in a gossip of `rounds` rounds on n nodes: in round
/// t at most factor^(t-1) messages can be sent, and what crosses the arc then can still reach
/// factor^(rounds-t) nodes. This is the sum over t of the product of the two, each at most n, the
/// first line of the proof of Delmas-Perennes 1996, proposition 4.5 (whose closed form bounds it).
/// Saturates at 2^64-1.
std::uint64_t total_gossip_load(std::uint64_t rounds, std::uint64_t factor, std::uint64_t n);

/// In any routing of all ordered pairs at least this many dipaths use some arc (definition 3.9, the
/// arc-forwarding index): the average over the arcs of one factor, which the paths use as often as
/// the digits of their ends are apart, rounded up; the largest over the factors. 0 if a factor is
/// too large to sum its distances. With `both_directions` the same for links, counting both
/// directions.
std::uint64_t arc_forwarding_bound(const Topology& topology, bool both_directions = false);

/// The arc-forwarding index of the torus of k rings of n >= 3 nodes (Delmas-Perennes 1996,
/// proposition 4.7): n^(k-1) floor(n^2/4) / 2, rounded up. The paper does not round, which matters
/// for k = 1 and n = 2 (mod 4).
std::uint64_t torus_arc_forwarding_index(std::uint64_t n, unsigned k);

/// The smallest number of rounds, at least growth_rounds, whose total gossip load admits the
/// arc-forwarding index (Delmas-Perennes 1996, propositions 4.4 and 4.5; theorem 4.6 without its
/// O-term). Holds for gossip and total exchange with combining, any switching; `half_duplex` counts
/// a link's two directions together, because a round has only one of them.
std::uint64_t gossip_load_rounds(const Topology& topology, std::uint64_t factor, bool half_duplex);

}  // namespace gossamer::bounds
