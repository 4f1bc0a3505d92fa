#pragma once

#include <cstdint>
#include <vector>

#include "driver/runner.hpp"

namespace gossamer {

/// Where what the monitors of the links saw differs from what the schedule puts there: expected
/// minus `missing` plus `extra` is what they saw. Both by cycle, then link.
struct SeenDifference {
  std::vector<LinkRun> missing, extra;
};

/// Compares flit by flit up to the last cycle that was recorded. A message of which a part differs
/// appears in both lists, whole. `expected` is sorted, as expected_runs returns it.
SeenDifference difference(const std::vector<LinkRun>& expected, const LinkRecord& record);

}  // namespace gossamer
