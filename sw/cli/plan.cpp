#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/progress.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "schedule/jsonl.hpp"

namespace gossamer::cli {

int plan(const Options& options) {
  const Case c = case_of(options);
  std::optional<Progress> progress(std::in_place);
  progress->stage("planning");
  const Plan plan = make_plan(c);
  progress->stage("checking the schedule");
  const Report report = examine(c, plan);
  if (report.passed() && !options.output.empty()) {
    progress->stage("writing " + options.output);
    write_jsonl(plan.schedule, options.output);
  }
  progress.reset();
  if (options.json) {
    print_json(to_json(report, /*measured=*/false));
  } else {
    print_report(report, Paint());
    if (!options.output.empty()) {
      fmt::print("{}\n", report.passed() ? "written to " + options.output : "not written");
    }
  }
  return report.passed() ? 0 : 1;
}

int check_file(const Options& options) {
  const Case c = case_of(options);
  std::optional<Progress> progress(std::in_place);
  progress->stage("reading " + c.file);
  const Plan plan = make_plan(c);
  progress->stage("checking the schedule");
  const Report report = examine(c, plan);
  progress.reset();
  if (options.json) {
    print_json(to_json(report, /*measured=*/false));
  } else {
    print_report(report, Paint());
  }
  return report.passed() ? 0 : 1;
}

}  // namespace gossamer::cli
