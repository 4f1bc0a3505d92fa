#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "schedule/schedule.hpp"

/// A second implementation of the rules of docs/use/schedule-format.md, as simple as possible:
/// every orbit expanded, sets for everything, every transfer against every other. It shares no code
/// with the checker.
namespace gossamer::test {

struct SlowCheck {
  bool legal = true;  ///< rules 1 to 7: every transfer may be sent
  std::uint64_t rounds = 0, delta_sum = 0, tau_sum = 0, transmissions = 0, delivered = 0,
                expected = 0;
  /// Messages of each transfer, and its arrival, in the order of the expanded schedule.
  std::vector<std::vector<Message>> carried;
  std::vector<std::set<Message>> held;  ///< by node, at the end
};

using OwnOrder = std::function<std::vector<Message>(Node)>;

/// Of a schedule without adaptive transfers. Faults make nothing illegal, but what a node does not
/// hold it cannot send (`legal` is then about messages that are lost, too). `in_store` gives the
/// order in which a node holds its own messages, which matters for "everything".
SlowCheck slow_check(const Schedule& schedule, const OwnOrder& in_store = {});

}  // namespace gossamer::test
