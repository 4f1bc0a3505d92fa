#pragma once

#include <cstdint>
#include <vector>

#include "adaptive/offers.hpp"
#include "topology/node_sets.hpp"

namespace gossamer {

/// What an adaptive schedule does when it runs with a set of faults: the C++ model of the hardware.
/// Transfers are named by their index in schedule.transfers().
class Outcome {
 public:
  /// Does `node` hold the message of `origin` at the end? Meaningless for a dead node.
  bool held(Node node, Node origin) const { return has(held_[node], origin); }
  /// Did the message really cross the link of this transfer? Nothing crosses if the sender or the
  /// arc is dead; if only the receiver is dead, the message crosses the link and is lost.
  bool carries(std::size_t transfer, Node origin) const { return has(carried_[transfer], origin); }
  /// How many messages did.
  std::uint32_t carried(std::size_t transfer) const { return count(carried_[transfer]); }

  std::uint64_t crossed = 0;         ///< messages that really crossed a link, over all transfers
  std::vector<std::uint32_t> most;   ///< [round-1]: the most messages on one link
  std::uint64_t expected = 0;        ///< pairs of a healthy node and another healthy node's message
  std::vector<MissingPair> missing;  ///< those that are not held, by node, then origin
  std::uint64_t delivered() const { return expected - missing.size(); }

 private:
  friend class Playback;
  NodeSets held_;     ///< by node
  NodeSets carried_;  ///< by transfer
};

/// Simulates `schedule` round by round with these faults (schedule.faults are ignored). In each
/// round every transfer is decided first, from what is held and exchanged when the round starts;
/// then all of them take place. A transfer carries, in the order of the offers, what its source
/// offers, holds, has not exchanged on that link, and did not originate at the destination; with an
/// initiator, nothing unless the source holds the initiator's message. `offers` must be those of
/// the schedule. This function does not know how the schedule was planned.
Outcome play(const Schedule& schedule, const Offers& offers, const FaultSet& faults);

}  // namespace gossamer
