#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/progress.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace gossamer::cli {
namespace {

Report plan_and_run(const Options& options, Runner& runner) {
  const Case c = case_of(options);
  suite_options_of(options);  // what can be seen to be wrong is said before any work
  Progress progress;
  progress.stage("planning");
  const Plan plan = make_plan(c);
  progress.stage("checking the schedule");
  Report report = examine(c, plan, options.no_check);
  if (!report.passed() && !options.no_check) return report;
  RunOptions run = run_options_of(options, c, plan.schedule);
  progress.stage("loading the fabric");
  run.progress = [&progress](std::uint64_t done, std::uint64_t predicted) {
    progress.stage("cycles");
    progress.at(done, predicted);
  };
  measure(report, plan, runner, run);
  return report;
}

}  // namespace

int run(const Options& options, Runner& runner) {
  const Report report = plan_and_run(options, runner);
  if (options.json) {
    print_json(to_json(report, /*measured=*/true));
    return report.passed() ? 0 : 1;
  }
  print_report(report, Paint());
  if (report.run && !options.trace.empty()) {
    print_waveform(options.trace);
  } else if (report.run && !report.passed()) {
    fmt::print("rerun: {}\n", rerun_command(report, options.program));
  }
  return report.passed() ? 0 : 1;
}

}  // namespace gossamer::cli
