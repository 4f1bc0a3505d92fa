#pragma once

#include <cstdint>
#include <vector>

#include "run/runner.hpp"

namespace gossamer {

/// The difference between what the monitors of the links saw and the schedule: they saw the
/// expected flits minus `missing` plus `extra`. Both by cycle, then link.
struct SeenDifference {
  std::vector<LinkRun> missing, extra;
};

/// Compares flit by flit up to the last cycle that was recorded. A message of which a part differs
/// appears in both lists, whole. `expected` is sorted, as expected_runs returns it.
SeenDifference difference(const std::vector<LinkRun>& expected, const LinkRecord& record);

}  // namespace gossamer
