#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "support/error.hpp"

namespace gossamer::cli {
namespace {

/// The most messages that one direction of a link carries.
std::uint64_t busiest_link(const Report& report) {
  std::uint64_t most = 0;
  for (const LinkLoad& load : report.loads->in_sum) most = std::max(most, load.messages);
  return most;
}

Report examined(const Options& options, const std::string& file) {
  Options one = options;
  one.file = file;
  const Case c = case_of(one);
  const Plan plan = make_plan(c);
  Report report = examine(c, plan);
  report.loads = link_loads(plan.schedule, report.check, report.asked.flits);
  return report;
}

}  // namespace

int compare(const Options& options) {
  std::vector<Report> reports;
  for (const std::string& file : options.files) {
    reports.push_back(examined(options, file));
    if (reports.back().collective == reports.front().collective) continue;
    throw InputError(fmt::format("compare: {} is a {}, and {} a {}", options.files.front(),
                                 to_string(reports.front().collective), file,
                                 to_string(reports.back().collective)));
  }
  bool passed = true;
  nlohmann::ordered_json json;
  std::size_t width = 8;
  for (const std::string& file : options.files) width = std::max(width, file.size());
  if (!options.json) {
    fmt::print("{:<{}}  {:>8} {:>8} {:>10} {:>14} {:>13}  verdict\n", "schedule", width, "rounds",
               "bound", "cycles", "transmissions", "busiest link");
  }
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Report& r = reports[i];
    passed = passed && r.passed();
    if (options.json) {
      auto one = to_json(r, /*measured=*/false);
      one["file"] = options.files[i];
      one["busiest_link"] = busiest_link(r);
      json["schedules"].push_back(std::move(one));
      continue;
    }
    fmt::print("{:<{}}  {:>8} {:>8} {:>10} {:>14} {:>13}  {}\n", options.files[i], width,
               r.check.rounds, r.bound.value,
               r.cycles_predicted ? fmt::format("{}", *r.cycles_predicted) : "-",
               r.check.transmissions, busiest_link(r), r.passed() ? "pass" : "FAIL");
  }
  if (options.json) print_json(json);
  return passed ? 0 : 1;
}

}  // namespace gossamer::cli
