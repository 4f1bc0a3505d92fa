#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/message_sets.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

/// One broken rule, and where it was broken.
struct BrokenRule {
  std::uint32_t line = 0;   ///< of the file; 0 if the schedule was computed
  std::uint32_t round = 0;  ///< 0: the schedule as a whole
  Node from = kNoNode;      ///< the arc concerned, if there is one
  Node to = kNoNode;
  std::string text;
};

/// What a schedule does, and the rules that it breaks (the first `max_faults`, and how many links
/// more are missing).
struct CheckReport {
  std::vector<BrokenRule> faults;
  std::uint32_t rounds = 0;
  std::uint64_t delta_sum = 0;      ///< sum over rounds of the longest path, in hops
  std::uint64_t tau_sum = 0;        ///< sum over rounds of the most messages on one path
  std::uint64_t transmissions = 0;  ///< messages times hops over all transfers; with faults, what
                                    ///< really crossed a link
  std::uint64_t flits_sent = 0;     ///< the same in flits
  std::uint64_t delivered =
      0;  ///< (node, whole message) pairs without a node's own, of healthy nodes
  std::uint64_t expected = 0;
  /// Messages of each transfer, in order; 0 if its path is invalid. For adaptive schedules what is
  /// really carried with the schedule's faults; for others what is carried without faults.
  std::vector<std::uint64_t> carried;
  /// Their flits, if chunks are not all equally long (see flits_of).
  std::vector<std::uint64_t> flits_carried;
  /// Flits of transfer number i.
  std::uint64_t flits_of(std::size_t i, const ChunkFlits& flits) const {
    return flits.equal() ? carried[i] * flits.longest().of(0) : flits_carried[i];
  }
  std::vector<MissingPair> missing;  ///< of adaptive schedules, and of all that have faults
  bool ok() const { return faults.empty(); }
};

/// Plays a schedule round by round against the rules of its model: every path is a path of the
/// topology, arcs are disjoint within a round, ports and duplex are respected, a node sends only
/// what it holds when the round starts, and at the end everything has arrived. The checker knows no
/// algorithm. It works on orbits: it plays one node of each class of the schedule's symmetry, so
/// time and memory grow with representatives and their paths, not with nodes.
///
/// Let H be the symmetry's group of translations. It acts freely: none but the identity leaves any
/// node in its place. The schedule has with every transfer all its translations by H.
///
/// Arcs: the paths of a round, over all translations, are arc-disjoint if and only if the arcs of
/// the representatives have different (class of the tail, port) and no path has a pair twice. For a
/// translation maps the arc that leaves x through port p to the one that leaves x + h through p, so
/// arcs with different pairs are never translations of one another. Conversely let two arcs have
/// the same pair. Then their tails x and y = x + h are of one class, and the first path translated
/// by h is a path of the schedule, too, which uses the second arc. If the arcs belong to two
/// orbits, two transfers use one arc. If they are at two places of one path, then for h = 0 the
/// path uses the arc twice, and for any other h the path and its translation are two different
/// paths, because H acts freely. The same holds for ports and for half-duplex links.
///
/// Delivery: what x + h holds at any time is what x holds, translated by h. For in the beginning a
/// node holds its own messages. If it is true before a round, a transfer from x to y of messages M
/// has the translation from x + h to y + h of M + h, which may send exactly if the other may, and
/// adds to y + h what the other adds to y, translated; as H acts freely, y + h receives nothing
/// else. So a transfer from x = x0 + g to y = y0 + h adds to what the representative y0 holds what
/// x0 holds, translated by g - h.
///
/// A schedule that keeps the rules and has faults, or is adaptive, is then played with its faults:
/// every healthy node must hold every healthy node's message at the end.
///
/// `flits` of a message are for the counts of flits alone; a schedule may say itself how many there
/// are.
CheckReport check(const Schedule& schedule, std::size_t max_faults = 20,
                  OriginSets origin_sets = OriginSets::Automatic, std::uint32_t flits = 0);

/// "line 7, round 3, link 4-5: ..." for a person.
std::string to_string(const BrokenRule& fault);

}  // namespace gossamer
