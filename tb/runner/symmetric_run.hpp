#pragma once

#include "driver/runner.hpp"
#include "schedule/schedule.hpp"

namespace gossamer::tb {

/// Whether one node of each class is simulated in the place of all (docs/quotient.md): as the
/// options say, or else where that is exact and the fabric is large. Throws InputError, in one
/// line, if the options ask for it and it is not exact: the classes are single nodes, or what is
/// asked for breaks the symmetry.
bool runs_symmetric(const Schedule& schedule, const RunOptions& options, bool several_ranks);

}  // namespace gossamer::tb
