#pragma once

#include <cstdint>

#include "checker/broken_rules.hpp"
#include "schedule/schedule.hpp"

namespace gossamer::checking {

/// Pairs of a node and a message whose sum it must have in the end, and those that it has.
struct Sums {
  std::uint64_t expected = 0, delivered = 0;
};

/// Follows whose parts are in every sum of a schedule that reduces. What comes to a node is added
/// to what it holds, so that no node's part may be in both; a sum with the parts of all members is
/// a result, which takes the place of what was held. In the end every receiver must hold the
/// result.
Sums check_sums(const Schedule& schedule, FaultLog& faults);

}  // namespace gossamer::checking
