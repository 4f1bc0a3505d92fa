#pragma once

#include "schedule/schedule.hpp"

namespace gossamer {

/// Makes room in the empty `schedule` of a gossip without combining, which will have a transfer of
/// one hop for each message that each node receives, N(N-1) altogether, of which one of each orbit
/// is held. Throws TooLarge, before any of them is made, if the machine has too little memory, and
/// says how many nodes would do.
void make_room_for_gossip(Schedule& schedule);

}  // namespace gossamer
