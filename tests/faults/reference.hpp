#pragma once

#include <functional>
#include <set>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer::test {

/// Changes of the rules for a replay, to see their effect.
struct Rules {
  /// May `node` send this origin in this round at all? The slot's fixed list, for instance.
  std::function<bool(std::uint32_t round, Node node, Node origin)> offered;
  /// Does `node` receive nothing in this round?
  std::function<bool(std::uint32_t round, Node node)> deaf;
};

struct ReferenceOutcome {
  std::vector<std::set<Node>> held;
  std::vector<std::set<Node>> carried;  ///< by transfer: what crossed the link
  std::vector<MissingPair> missing;
};

/// An adaptive gossip or broadcast, played with sets of nodes directly from the definition at
/// Schedule::add_new: a third implementation, without lists of origins unless `rules` has one.
ReferenceOutcome reference_play(const Schedule& schedule, const FaultSet& faults,
                                const Rules& rules = {});

}  // namespace gossamer::test
