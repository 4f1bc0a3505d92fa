#pragma once

#include "schedule/schedule.hpp"

namespace gossamer {

/// Reserves memory in the empty `schedule` of a gossip without combining. It will have a transfer
/// of one hop for each message that each node receives, N(N-1) altogether, of which one of each
/// orbit is kept. Throws TooLarge before any of them is made if there is not enough memory, and
/// says how many nodes would fit.
void make_room_for_gossip(Schedule& schedule);

/// Throws TooLarge if the schedule of such a gossip would not fit in memory even if one transfer
/// stood for `order` of them: for plans that learn their symmetry only after long work.
void require_room_for_gossip(const Topology& topology, std::uint64_t order);

}  // namespace gossamer
