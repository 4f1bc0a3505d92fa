#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// One broken rule: where it stands and what it is.
struct BrokenRule {
  std::uint32_t line = 0;   ///< of the file; 0 if the schedule was computed
  std::uint32_t round = 0;  ///< 0: the schedule as a whole
  Node from = kNoNode;      ///< the arc concerned, if one is
  Node to = kNoNode;
  std::string text;
};

/// What a schedule does, and every rule that it breaks (the first `max_faults` of them).
struct CheckReport {
  std::vector<BrokenRule> faults;
  std::uint32_t rounds = 0;
  std::uint64_t delta_sum = 0;      ///< sum over rounds of the longest path, in hops
  std::uint64_t tau_sum = 0;        ///< sum over rounds of the most messages on one path
  std::uint64_t transmissions = 0;  ///< messages times hops over all transfers; with faults, what
                                    ///< really stood on a link
  std::uint64_t delivered = 0;      ///< (node, message) pairs without a node's own, of healthy nodes
  std::uint64_t expected = 0;
  /// Messages of each transfer, in order; 0 if its path is none. Of an adaptive one what it really
  /// carries, with the schedule's faults; of others what it carries without faults.
  std::vector<std::uint64_t> carried;
  std::vector<MissingPair> missing;  ///< of adaptive schedules, and of all that have faults
  bool ok() const { return faults.empty(); }
};

/// How the messages that a node of a gossip holds are held (checker_messages.hpp). The answer is
/// the same; tests compare them.
enum class OriginSets : std::uint8_t { Automatic, Bits, Trees };

/// Plays a schedule round by round against the rules of its model: every path is a path of the
/// topology, arcs are disjoint within a round, ports and duplex are respected, a node sends only
/// what it holds when the round starts, and in the end everything has arrived. It knows nothing of
/// any algorithm. Works on orbits: one node of each class of the schedule's symmetry is played, so
/// that time and memory grow with representatives and their paths, not with nodes
/// (docs/symmetric-checking.md).
///
/// A schedule that keeps the rules is then played with its faults, if it has any, and so is every
/// adaptive one: every healthy node must hold every healthy node's message in the end.
CheckReport check(const Schedule& schedule, std::size_t max_faults = 20,
                  OriginSets origin_sets = OriginSets::Automatic);

/// "line 7, round 3, link 4-5: ..." for a person.
std::string to_string(const BrokenRule& fault);

}  // namespace gossamer
