#pragma once

#include "schedule/schedule.hpp"

namespace gossamer {

/// Makes room in the empty `schedule` of a gossip without combining, which will have a transfer of
/// one hop for each message that each node receives, N(N-1) altogether, of which one of each orbit
/// is held. Throws TooLarge, before any of them is made, if the machine has too little memory, and
/// says how many nodes would do.
void make_room_for_gossip(Schedule& schedule);

/// Throws TooLarge if there would be too little memory for the schedule of such a gossip even if
/// `order` of its transfers were held as one: for plans that take long before they can know.
void require_room_for_gossip(const Topology& topology, std::uint64_t order);

}  // namespace gossamer
