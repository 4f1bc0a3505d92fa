#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// Adaptive schedules (paper 3): who sends to whom in which round is fixed, but what a transfer
/// carries is decided when it runs, by what has really arrived and what has really crossed that
/// link. All transfers are Carry::New then.
bool adaptive(const Schedule& schedule);

/// The most nodes of an adaptive schedule's topology: lists of origins grow with their square.
inline constexpr Node kMaxAdaptiveNodes = 1024;
/// And the most rounds.
inline constexpr std::uint32_t kMaxAdaptiveRounds = 1u << 16;

/// Why the schedule mixes what cannot be mixed, in one line; nothing if it is adaptive by the rules
/// or not adaptive at all. The rules: every transfer is new, gossip or broadcast, packet switching,
/// full duplex, combining, a hypercube (all radices 2, so that neighbours' numbers differ in one
/// bit) of at most kMaxAdaptiveNodes nodes, at most kMaxAdaptiveRounds rounds, no orbits; an
/// initiator only in adaptive gossip, and it is a node.
std::optional<std::string> adaptive_fault(const Schedule& schedule);

/// What the slots of an adaptive schedule offer. The hardware's slot is a fixed list of origins, L
/// cycles each; a position stays empty unless the word is held and new to the link. A slot is a
/// node's in one round, whichever of its links it sends on, so that its list is the union over
/// these links of the origins that may be new there under some set of faults:
///
/// On v->u in round r a message o is offered if it may come to v in some round a, q <= a < r, over
/// another link than that from u (v's own comes in round 0), and o is not u's own. q is the last
/// round before r in which v had a transfer to u, 0 if there was none. What may come over a link in
/// round a is what is offered there. Proof that nothing new is ever left out: what v held when
/// round q started, v and u have exchanged when q is over; so what is new in round r came in round
/// q or later, and not from u. This holds for any set of faults, however large, and for elements
/// that die, or come back, at any time.
///
/// In a broadcast every list is the root alone, and before an initiator's round `join` the
/// initiator alone. From `join` on the lists are those of a gossip that starts in that round: the
/// rounds before it count as if they had not been, also for the initiator's message. So they are
/// as short as without an initiator, but leave something out in two cases, both only after faults:
/// a node that first hears of the initiator in round `join` or later sends its own message on
/// those links only whose turn is yet to come, and what the initiator's message had not yet
/// crossed by `join` it crosses only where its place in the list is still to come.
///
/// A round's lists are equally long. Where they would not be, or would be empty, they are filled up
/// with the first origins that they lack; such a place stays empty, because nothing new is ever
/// left out.
class Offers {
 public:
  /// The origins that the slot of `node` in `round` offers, in their order on the wire: increasing
  /// (origin XOR node). Empty if the node sends nothing in that round.
  std::span<const Node> at(std::uint32_t round, Node node) const;
  /// Origins in every list of this round; 0 if nobody sends in it. The slot lasts that times L.
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
  std::size_t words_ = 0;               ///< 64-bit words of a set of nodes
  std::vector<std::uint32_t> rounds_;   ///< those in which somebody sends, in order
  std::vector<std::uint32_t> lengths_;  ///< by row, which is an index into rounds_
  std::vector<std::uint64_t> begins_;   ///< by slot (row times nodes plus node); ~0: no list
  std::vector<Node> lists_;
  std::vector<std::uint64_t> bits_;  ///< words_ for each slot
};

/// The offers of an adaptive schedule whose transfers are all hops over links. Throws InputError if
/// adaptive_fault finds something. 128 nodes and 28 rounds take milliseconds.
Offers offers(const Schedule& schedule);

/// What an adaptive schedule does when it runs with a set of faults: the C++ model of the hardware.
/// Transfers are named by their index in schedule.transfers().
class Outcome {
 public:
  /// Does `node` hold the message of `origin` in the end? Of a dead node it means nothing.
  bool held(Node node, Node origin) const { return bit(held_, node, origin); }
  /// Did the message really stand on the link of this transfer? Nothing does where the sender or
  /// the arc is dead; where only the receiver is dead, it does and is lost.
  bool carries(std::size_t transfer, Node origin) const { return bit(carried_, transfer, origin); }
  /// How many did.
  std::uint32_t carried(std::size_t transfer) const;

  std::uint64_t crossed = 0;         ///< messages that really stood on a link, over all transfers
  std::vector<std::uint32_t> most;   ///< [round-1]: the most messages that stood on one link
  std::uint64_t expected = 0;        ///< pairs of a healthy node and another healthy node's message
  std::vector<MissingPair> missing;  ///< those that are not held, by node, then origin
  std::uint64_t delivered() const { return expected - missing.size(); }

 private:
  friend class Playback;
  bool bit(const std::vector<std::uint64_t>& sets, std::size_t row, Node origin) const {
    return sets[row * words_ + origin / 64] >> (origin % 64) & 1;
  }

  std::size_t words_ = 0;
  std::vector<std::uint64_t> held_;     ///< a set for each node
  std::vector<std::uint64_t> carried_;  ///< a set for each transfer
};

/// Plays `schedule` round by round with these faults (schedule.faults are not looked at). In each
/// round every transfer is judged first, from what is held and exchanged when the round starts;
/// then all of them take place. A transfer carries, in the order of the offers, what its source
/// offers, holds, has not exchanged on that link, and did not originate at the destination; with an
/// initiator, nothing unless the source holds the initiator's message. `offers` must be those of
/// the schedule. Knows nothing of how the schedule was planned.
Outcome play(const Schedule& schedule, const Offers& offers, const FaultSet& faults);

/// The origins that the transfer with this index really carried, in their order on the wire.
std::vector<Node> carried_in_order(const Schedule& schedule, const Offers& offers,
                                   const Outcome& outcome, std::size_t transfer);

}  // namespace gossamer
