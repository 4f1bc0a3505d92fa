#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "schedule/schedule.hpp"
#include "tables/timing.hpp"

namespace gossamer {

/// Where a node first misses a flit: at the input, or of a sum at the output that adds it up. The
/// windows of all inputs close at the end of the slot, so of several the least port counts.
struct Missed {
  std::uint32_t round = 0;
  Port port = 0;
  auto operator<=>(const Missed&) const = default;
};
using MissedBy = std::map<Node, Missed>;

/// By tail and port of an arc, what nodes miss if nothing comes over it. What a node then sends,
/// though it does not have it, is words all the same, and a sum without a part goes on. So only
/// those miss something to which the circuit leads on, and of a sum the first that has something to
/// add. Of schedules without orbits, and not of those that adapt. Where sums are stored, nodes
/// count cycles instead of rounds.
std::vector<MissedBy> missed_by_arc(const Schedule& schedule, const ScheduleTiming& timed);

/// Adds what a node misses to what is known of all.
void add_missed(MissedBy& all, Node node, const Missed& missed);

}  // namespace gossamer
