#pragma once

#include <functional>

#include "driver/runner.hpp"
#include "engines/make_fabric.hpp"

namespace gossamer::tb {

/// Runs a schedule on fabrics of the caller's and judges it, as FabricRunner does.
using Judge = std::function<RunResult(const Schedule&, const RunOptions&, const MakeFabric&)>;

/// Whether the judges notice what they are there for: small schedules run on tile engines, first as
/// they are, then each with one deviation of the fabric. What a judge should say of it, and nothing
/// else, stands beside the deviation. Not `all` of them: those on engines that are loaded already.
JudgeCheck check_judges(const Judge& judge, bool all = true);

}  // namespace gossamer::tb
