#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"
#include "topology/node_sets.hpp"

namespace gossamer {

/// What the slots of an adaptive schedule offer. A hardware slot is a fixed list of origins, L
/// cycles each; a position stays empty unless the node holds the word and it is new to the link. A
/// slot covers all links on which a node sends in one round, so its list is the union over these
/// links of the origins that may be new there under some set of faults:
///
/// On v->u in round r a message o is offered if it may reach v in some round a, q <= a < r, over
/// another link than that from u (v's own comes in round 0), and o is not u's own. q is the last
/// round before r in which v had a transfer to u, 0 if there was none. What may come over a link in
/// round a is what is offered there. Proof that nothing new is ever left out: v and u have
/// exchanged everything that v held when round q started by the end of q; so what is new in round r
/// came in round q or later, and not from u. This holds for any set of faults, however large, and
/// for elements that die, or come back, at any time.
///
/// In a broadcast every list is the root alone, and before an initiator's round `join` the
/// initiator alone. From `join` on the lists are those of a gossip that starts in that round:
/// earlier rounds do not count, not even for the initiator's message. So the lists are as short as
/// without an initiator, but they leave something out in two cases. A node that first receives the
/// initiator's message in round `join` or later, after faults or because `join` is early, sends its
/// own message only on the links that it uses after that. And a link that the initiator's message
/// has not crossed by `join` carries it only if its position in the list is still to come.
///
/// All lists of a round have the same length. Shorter or empty lists are filled up with the first
/// origins that they lack; such a position stays empty, because nothing new is ever left out.
class Offers {
 public:
  /// The origins that the slot of `node` in `round` offers, in the order in which they are sent:
  /// increasing (origin XOR node). Empty if the node sends nothing in that round.
  std::vector<Node> at(std::uint32_t round, Node node) const;
  /// Number of origins in each list of this round; 0 if nobody sends. The slot lasts L cycles for
  /// each.
  std::uint32_t length(std::uint32_t round) const;
  /// The sum of `length` over all rounds.
  std::uint64_t length_sum() const;

  /// The list as a set: bit o%64 of word o/64 is origin o. Empty if the node sends nothing.
  std::span<const std::uint64_t> bits(std::uint32_t round, Node node) const;

 private:
  friend class OffersBuilder;
  std::size_t row(std::uint32_t round) const;
  std::size_t slot(std::uint32_t round, Node node) const;

  Node nodes_ = 0;
  std::vector<std::uint32_t> rounds_;   ///< those in which somebody sends, in order
  std::vector<std::uint32_t> lengths_;  ///< by row, which is an index into rounds_
  NodeSets bits_;                       ///< by slot (row times nodes plus node)
};

/// The offers of an adaptive schedule whose transfers are all hops over links. Throws InputError if
/// adaptive_fault finds something. 128 nodes and 28 rounds take milliseconds.
Offers offers(const Schedule& schedule);

/// What an adaptive schedule does when it runs with a set of faults: the C++ model of the hardware.
/// Transfers are named by their index in schedule.transfers().
class AdaptiveRun {
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
AdaptiveRun play(const Schedule& schedule, const Offers& offers, const FaultSet& faults);

}  // namespace gossamer
