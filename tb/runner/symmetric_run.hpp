#pragma once

#include "run/runner.hpp"
#include "schedule/schedule.hpp"

namespace gossamer::tb {

/// Is one node of each class simulated instead of all nodes (docs/research/scale.md)? The options
/// decide; by default, it is done if it is exact and all nodes would take long. Throws InputError
/// if the options ask for it and it is not exact: the classes are single nodes, or another option
/// breaks the symmetry.
bool runs_symmetric(const Schedule& schedule, const RunOptions& options, bool several_ranks);

}  // namespace gossamer::tb
