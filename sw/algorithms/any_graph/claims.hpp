#pragma once

#include <algorithm>
#include <vector>

#include "bounds/resources.hpp"

namespace gossamer::any_graph {

/// Which arcs send in a round. An arc claims its resources; if its receiver is busy, the arc that
/// keeps it busy may move to another receiver of the same sender, and so on: an augmenting path in
/// the matching of senders with receivers.
class Claims {
 public:
  Claims(const Arcs& arcs, const bounds::Resources& resources)
      : arcs_(arcs),
        resources_(resources),
        user_(resources.count(), kNoArcId),
        visited_(resources.count(), 0) {}

  void begin_round() { std::ranges::fill(user_, kNoArcId); }

  bool sends(ArcId a) const { return user_[resources_.of(a)[0]] == a; }

  /// `usable` says of an arc whether it has anything to send.
  template <typename Usable>
  bool claim(ArcId a, const Usable& usable) {
    const auto [one, other] = resources_.of(a);
    if (user_[one] != kNoArcId) return false;
    if (other == bounds::kNoResource) {
      user_[one] = a;
      return true;
    }
    ++visit_;
    visited_[one] = visit_;
    if (user_[other] != kNoArcId && !make_idle(other, kLongestPath, usable)) return false;
    user_[one] = user_[other] = a;
    return true;
  }

 private:
  template <typename Usable>
  bool make_idle(bounds::Resource r, unsigned longest, const Usable& usable) {
    visited_[r] = visit_;
    const ArcId a = user_[r];
    const auto [sender, receiver] = resources_.of(a);
    if (longest == 0 || receiver != r) return false;  // with half duplex r may be the sender
    const Node x = arcs_.tail(a);
    for (ArcId b = arcs_.first(x); b < arcs_.first(x) + arcs_.degree(x); ++b) {
      const bounds::Resource its = resources_.of(b)[1];
      if (visited_[its] == visit_ || !usable(b)) continue;
      if (user_[its] != kNoArcId && !make_idle(its, longest - 1, usable)) continue;
      user_[sender] = user_[its] = b;
      user_[r] = kNoArcId;
      return true;
    }
    return false;
  }

  /// Arcs that may move for one that claims.
  static constexpr unsigned kLongestPath = 8;

  const Arcs& arcs_;
  const bounds::Resources& resources_;
  std::vector<ArcId> user_;  ///< of each resource in this round
  std::vector<std::uint32_t> visited_;
  std::uint32_t visit_ = 0;
};

}  // namespace gossamer::any_graph
