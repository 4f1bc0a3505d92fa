#pragma once

#include "driver/runner.hpp"
#include "schedule/schedule.hpp"

namespace gossamer::tb {

/// Throws InputError, in one line, if one node of each class cannot stand for all of it in this run
/// (docs/quotient.md): its classes are single nodes, or what is asked for breaks its symmetry.
void refuse_asymmetric(const Schedule& schedule, const RunOptions& options, bool several_ranks);

}  // namespace gossamer::tb
