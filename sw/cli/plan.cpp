#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/progress.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
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

/// Makes the schedule of a case and examines it. Writes `output` if the schedule is valid, and the
/// loads of the links in any case.
Report plan_and_examine(const Options& options, const Case& c, const char* making,
                        const std::string& output) {
  Progress progress;
  std::string stage = making;
  try {
    progress.stage(stage);
    const Plan plan = make_plan(c);
    progress.stage(stage = "checking the schedule");
    Report report = examine(c, plan);
    if (report.passed() && !output.empty()) {
      progress.stage(stage = "writing " + output);
      write_jsonl(plan.schedule, output, options.orbits ? Orbits::Kept : Orbits::Expanded);
    }
    if (!options.loads.empty()) {
      progress.stage(stage = "writing " + options.loads);
      write_loads(options.loads, plan, report);
    }
    return report;
  } catch (const Interrupted&) {
    return interrupted_report(c, stage);
  }
}

}  // namespace

void write_loads(const std::string& file, const Plan& plan, Report& report) {
  report.loads = link_loads(plan.schedule, report.check, report.asked.flits);
  write_file(file, loads_csv(*report.loads));
}

int plan(const Options& options) {
  if (options.orbits && options.output.empty()) throw InputError("--orbits needs -o");
  const Report report = plan_and_examine(options, case_of(options), "planning", options.output);
  print(report, options.json);
  if (!options.output.empty() && !options.json) {
    fmt::print("{}\n", report.passed() ? "written to " + options.output : "not written");
  }
  return exit_status(report);
}

int check_file(const Options& options) {
  const Case c = case_of(options);
  const std::string reading = "reading " + c.file;
  const Report report = plan_and_examine(options, c, reading.c_str(), /*output=*/"");
  print(report, options.json);
  return exit_status(report);
}

}  // namespace gossamer::cli
