#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/progress.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "schedule/jsonl.hpp"
#include "support/interrupt.hpp"

namespace gossamer::cli {
namespace {

void print(const Report& report, bool json) {
  if (json) {
    print_json(to_json(report, /*measured=*/false));
  } else {
    print_report(report, Paint());
  }
}

/// Makes the schedule of a case and examines it; `output` is written if it is sound.
Report plan_and_examine(const Case& c, const char* making, const std::string& output,
                        Orbits orbits) {
  Progress progress;
  std::string stage = making;
  try {
    progress.stage(stage);
    const Plan plan = make_plan(c);
    progress.stage(stage = "checking the schedule");
    Report report = examine(c, plan);
    if (report.passed() && !output.empty()) {
      progress.stage(stage = "writing " + output);
      write_jsonl(plan.schedule, output, orbits);
    }
    return report;
  } catch (const Interrupted&) {
    return interrupted_report(c, stage);
  }
}

}  // namespace

int plan(const Options& options) {
  const Report report = plan_and_examine(case_of(options), "planning", options.output,
                                         options.orbits ? Orbits::Kept : Orbits::Expanded);
  print(report, options.json);
  if (!options.output.empty() && !options.json) {
    fmt::print("{}\n", report.passed() ? "written to " + options.output : "not written");
  }
  return exit_status(report);
}

int check_file(const Options& options) {
  const Case c = case_of(options);
  const std::string reading = "reading " + c.file;
  const Report report = plan_and_examine(c, reading.c_str(), /*output=*/"", Orbits::Kept);
  print(report, options.json);
  return exit_status(report);
}

}  // namespace gossamer::cli
