#pragma once

#include <functional>

#include "engines/engine_library.hpp"
#include "run/runner.hpp"

namespace gossamer::tb {

/// Runs a schedule on fabrics that the caller makes, and judges it, like FabricRunner.
using Judge = std::function<RunResult(const Schedule&, const RunOptions&, const MakeFabric&)>;

/// What was checked, and what is wrong.
struct JudgeCheck {
  std::uint64_t planted = 0;
  std::uint64_t texts = 0;            ///< output, compared letter by letter
  std::vector<std::string> problems;  ///< a line for each wrong judgement or text
};

/// Checks that the judges notice errors: small schedules run on tile engines, first unchanged, then
/// each with one deviation of the fabric. Beside each deviation is exactly what a judge must
/// report. Then output of the command is compared with what it must be, letter by letter.
JudgeCheck check_judges(const Judge& judge);

}  // namespace gossamer::tb
