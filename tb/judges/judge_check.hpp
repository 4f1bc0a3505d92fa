#pragma once

#include <functional>

#include "driver/runner.hpp"
#include "engines/make_fabric.hpp"

namespace gossamer::tb {

/// Runs a schedule on fabrics that the caller makes, and judges it, like FabricRunner.
using Judge = std::function<RunResult(const Schedule&, const RunOptions&, const MakeFabric&)>;

/// Checks that the judges notice errors: small schedules run on tile engines, first unchanged, then
/// each with one deviation of the fabric. Beside each deviation is exactly what a judge must
/// report. Without `all` only those on engines that are loaded already.
JudgeCheck check_judges(const Judge& judge, bool all = true);

}  // namespace gossamer::tb
