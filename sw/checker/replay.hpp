#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer::checking {

/// What an adaptive schedule that keeps all rules does, with its faults.
struct Replay {
  std::vector<std::uint64_t> carried;  ///< adaptive: messages that crossed each transfer's link
  std::uint64_t transmissions = 0;     ///< messages that crossed a link, over all links and rounds
  std::uint64_t expected = 0;          ///< pairs of a healthy node and what it should hold
  std::vector<MissingPair> missing;    ///< the pairs of these whose message is missing
};

/// An adaptive schedule: finds what is new message by message, as defined at Schedule::add_new.
/// Looks at the origins that a slot offers only if there is an initiator, where they matter (see
/// Offers).
Replay replay_adaptive(const Schedule& schedule);

/// "7 of 90 messages are missing at healthy nodes: node 1 lacks 0, 2; node 2 lacks 0; ..."
std::string missing_text(const Replay& replay);

}  // namespace gossamer::checking
