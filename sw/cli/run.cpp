#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/progress.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "page/case_page.hpp"
#include "support/file.hpp"
#include "support/interrupt.hpp"

namespace gossamer::cli {
namespace {

/// Shows the cycles simulated, once the fabric is loaded.
class CycleProgress {
 public:
  CycleProgress(Progress& progress, Node nodes) : progress_(progress), nodes_(nodes) {}
  void operator()(std::uint64_t done, std::uint64_t predicted) {
    if (!begun_) progress_.stage("cycles");
    begun_ = true;
    progress_.at(done, predicted, nodes_);
  }

 private:
  Progress& progress_;
  Node nodes_;
  bool begun_ = false;
};

Report plan_and_run(const Options& options, const Case& c, Runner& runner) {
  Progress progress;
  std::string stage = "planning";
  try {
    progress.stage(stage);
    const Plan plan = make_plan(c, PlannedTo::Run);
    progress.stage(stage = "checking the schedule");
    Report report = examine(c, plan, options.no_check);
    if (!options.loads.empty()) {
      progress.stage(stage = "writing " + options.loads);
      write_loads(options.loads, plan, report);
    }
    if (report.passed() || report.beyond_tolerance() || options.no_check) {
      RunOptions run = run_options_of(options, c, plan.schedule, report.timed.get());
      run.stage = [&](const std::string& text) { progress.stage(stage = text); };
      run.progress = CycleProgress(progress, report.nodes);
      measure(report, plan, runner, run);
    }
    if (!options.report.empty()) {
      progress.stage(stage = "writing " + options.report);
      write_file(options.report, case_page(report, plan, options.program, options.command));
    }
    return report;
  } catch (const Interrupted&) {
    return interrupted_report(c, stage);
  }
}

}  // namespace

int run(const Options& options, Runner& runner) {
  const Case c = case_of(options);
  check_trace_file(options, c.engine);
  if (!options.report.empty()) require_folder("--report", options.report, ".html");
  suite_options_of(options);  // report bad options before any work
  const Report report = plan_and_run(options, c, runner);
  if (options.json) {
    print_json(to_json(report, /*measured=*/true));
    return exit_status(report);
  }
  print_report(report, Paint());
  if (!options.report.empty() && report.nodes != 0) fmt::print("report: {}\n", options.report);
  if (report.run && !options.trace.empty()) {
    print_waveform(options.trace);
  } else if (report.run && !report.passed() && !report.interrupted()) {
    fmt::print("rerun: {}\n", rerun_command(report, options.program));
  }
  return exit_status(report);
}

}  // namespace gossamer::cli
