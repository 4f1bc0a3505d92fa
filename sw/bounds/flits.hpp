#pragma once

#include <cstdint>
#include <vector>

#include "bounds/bounds.hpp"
#include "bounds/distances.hpp"

namespace gossamer::bounds {

/// The cycles in which `amount` flits can cross arcs that may be used from so many cycles after the
/// start on: one a cycle over each. The first k arcs have carried as much as they can when the next
/// one begins, so the fewest cycles are the least that some k of them need.
std::uint64_t cycles_over(std::vector<std::uint64_t> begin, std::uint64_t amount);

/// The fewest cycles in which `flits` flits can get from one node to another over paths that share
/// no arc, 1, 2, ... of which take so many `hops` together. Of all flows over time to one node, one
/// that is the same in every cycle is the best (Ford and Fulkerson 1958): over k paths of c cycles
/// together, k T - c flits have arrived after T cycles.
std::uint64_t cycles_of_flow(const std::vector<std::uint64_t>& hops, std::uint64_t flits);

/// Cycles until a broadcast through single ports has brought `flits` flits to `receivers` of the
/// nodes that are at these distances from its root.
/// The root sends one flit a cycle. A node that one has come to passes it on at most once, a hop
/// later, and from its store sends one flit a cycle, the first one a hop and two cycles after it
/// came. So in cycle t at most as many flits come to nodes as did a hop before, and one for each
/// node that can have had a flit by then, and no more than there are nodes so near; of these at
/// most one each to the receivers. That must be enough for all flits, and for the one that leaves
/// the root last. It holds for every kind of switching, and all the more if a node cannot send
/// while it receives.
std::uint64_t port_spread(const Profile& distances, std::uint64_t receivers, std::uint64_t flits,
                          std::uint64_t hop);

/// Cycles until a sum of one flit can have the parts of so many other nodes, if a node takes in a
/// word a cycle: the word that it sends is what comes then, and one that it has stored; and the one
/// that it stores is what comes, and one that it stored before, by as many cycles as that takes.
std::uint64_t port_sum(const Profile& distances, std::uint64_t others, std::uint64_t hop);

}  // namespace gossamer::bounds
