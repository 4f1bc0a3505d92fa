#include <fmt/format.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/case_work.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "page/case_page.hpp"
#include "support/context.hpp"
#include "support/file.hpp"

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

}  // namespace

int run(const Options& options, Runner& runner) {
  const Case c = case_of(options);
  check_trace_file(options, c.engine);
  require_extension("--report", options.report, ".html");
  suite_options_of(options);  // report bad options before any work
  Outputs outputs;
  bool drawn = false;
  const auto run_and_draw = [&](Report& report, const Plan& plan, Step& step) {
    if (report.passed() || report.beyond_tolerance() || options.no_check) {
      RunOptions run = run_options_of(options, c, plan.schedule, report.timed.get());
      run.stage = [&](const std::string& text) { step.begin(text); };
      run.progress = CycleProgress(step.progress(), report.nodes);
      measure(report, plan, runner, run);
    }
    if (options.report.empty()) return;
    step.begin("writing " + options.report);
    std::atomic<int> nothing{0};
    std::optional<Hears> all_of_it;
    if (report.interrupted()) all_of_it.emplace(&nothing);  // what is known is written
    drawn = outputs.write([&] {
      write_file(options.report, case_page(report, plan, options.program, options.command));
    });
  };
  Report report = carry_out(options, c,
                                  {.make = [&] { return make_plan(c, PlannedTo::Run); },
                                   .ignore_faults = options.no_check,
                                   .then = run_and_draw});
  if (options.json) {
    const int status = print_object(std::move(report), /*measured=*/true);
    outputs.end();
    return status;
  }
  print_report(report, Paint());
  if (drawn) fmt::print("report: {}\n", options.report);
  if (report.run && !options.trace.empty()) {
    print_waveform(options.trace);
  } else if (report.run && !report.passed() && !report.interrupted()) {
    fmt::print("rerun: {}\n", rerun_command(report, options.program));
  }
  outputs.end();
  return exit_status(report);
}

}  // namespace gossamer::cli
