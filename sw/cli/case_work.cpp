#include "cli/case_work.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/text.hpp"
#include "schedule/jsonl.hpp"
#include "support/file.hpp"
#include "support/job.hpp"

namespace gossamer::cli {

bool Outputs::write(const std::function<void()>& writer) {
  try {
    writer();
    return true;
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception&) {
    if (!first_) first_ = std::current_exception();
    return false;
  }
}

void Outputs::end() const {
  if (first_) std::rethrow_exception(first_);
}

Report carry_out(const Options& options, const Case& c, const CaseWork& work) {
  Step step;
  try {
    step.begin(work.making);
    const Plan plan = work.make ? work.make() : make_plan(c);
    step.begin("checking the schedule");
    Report report = examine(c, plan, work.ignore_faults);
    if (!options.loads.empty()) {
      step.begin("writing " + options.loads);
      report.loads = link_loads(plan.schedule, report.check, report.request.flits);
      write_file(options.loads, loads_csv(*report.loads));
    }
    if (work.then) work.then(report, plan, step);
    return report;
  } catch (const Interrupted&) {
    return interrupted_report(c, step.text());
  }
}

void write_schedule(const Options& options, const Report& report, const Plan& plan, Step& step) {
  if (!report.passed() || options.output.empty()) return;
  step.begin("writing " + options.output);
  write_jsonl(plan.schedule, options.output, options.orbits ? Orbits::Kept : Orbits::Expanded);
}

int print_object(Report report, bool measured) {
  nlohmann::ordered_json json;
  try {
    json = to_json(report, measured);
  } catch (const Interrupted&) {
    report.interrupted_in = "printing the loads";
    report.loads.reset();
    json = to_json(report, measured);
  }
  print_json(json);
  return exit_status(report);
}

int print(const Options& options, Report report, const std::string& output) {
  if (output == kStdout && report.passed()) return exit_status(report);
  if (options.json) return print_object(std::move(report), /*measured=*/false);
  print_report(report, Paint());
  if (!output.empty()) fmt::print("{}\n", report.passed() ? "written to " + output : "not written");
  return exit_status(report);
}

}  // namespace gossamer::cli
