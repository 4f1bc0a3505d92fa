#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer::checking {

/// What a schedule that keeps all rules does when it runs with its faults.
struct Replay {
  std::vector<std::uint64_t> carried;  ///< messages that stood on the first link of each transfer
  std::uint64_t transmissions = 0;     ///< messages that stood on a link, over all links and rounds
  std::uint64_t expected = 0;          ///< pairs of a healthy node and what it should hold
  std::vector<MissingPair> missing;    ///< of these, those that it does not
};

/// An adaptive schedule: what is new is found message by message, as Schedule::add_new says it.
/// Which origins a slot offers is looked at only where an initiator makes it matter (see Offers).
Replay replay_adaptive(const Schedule& schedule);

/// A schedule whose transfers say what they carry. What its source lost is not sent, and what
/// crosses a dead element ends there.
Replay replay_with_losses(const Schedule& schedule);

/// "7 of 90 messages are missing at healthy nodes: node 1 lacks 0, 2; node 2 lacks 0; ..."
std::string missing_text(const Replay& replay);

}  // namespace gossamer::checking
