#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/case_work.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "support/error.hpp"
#include "topology/edge_lists.hpp"

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
  const auto add_loads = [](Report& report, const Plan& plan, Step&) {
    report.loads = link_loads(plan.schedule, report.check, report.request.flits);
  };
  return carry_out(one, case_of(one), {.making = "reading " + file, .then = add_loads});
}

/// Throws InputError if two schedules do not do the same.
void require_comparable(const std::string& file, const Report& report, const std::string& other,
                        const Report& of_other) {
  const auto require = [&](const char* what, const std::string& here, const std::string& there) {
    if (here == there) return;
    throw InputError(fmt::format("compare: {} {} {}, {} {} {}: these cannot be compared", file,
                                 what, here, other, what, there));
  };
  const auto named = [](const Members& members) {
    return members.all() ? "all nodes" : members.text();
  };
  const auto graph = [](const Report& r) {
    return edge_lists_from(r.topology, std::filesystem::current_path().string());
  };
  require("is for", graph(report), graph(of_other));
  require("is a", std::string(to_string(report.collective)),
          std::string(to_string(of_other.collective)));
  if (has_root(report.collective)) {
    require("has root", std::to_string(report.root), std::to_string(of_other.root));
  }
  require("has members", named(report.members), named(of_other.members));
  const std::string flits = "of " + flits_text(report);
  std::string flits_of_other = "of " + flits_text(of_other);
  if (flits == flits_of_other && report.sizes != of_other.sizes) flits_of_other += " (other sizes)";
  require("has messages", flits, flits_of_other);
  const auto links = [](const Report& r) {
    return r.request.stages.none() ? "without stages" : "of stages " + r.request.stages.text();
  };
  require("has links", links(report), links(of_other));
}

nlohmann::ordered_json json_of(const Report& r, const std::string& file) {
  auto json = to_json(r, /*measured=*/false);
  json["file"] = file;
  if (r.loads) json["busiest_link"] = busiest_link(r);
  return json;
}

}  // namespace

int compare(const Options& options) {
  std::vector<Report> reports;
  for (const std::string& file : options.files) {
    reports.push_back(examined(options, file));
    if (reports.back().interrupted()) break;
    require_comparable(options.files.front(), reports.front(), file, reports.back());
  }
  int status = 0;
  for (const Report& r : reports) status = std::max(status, exit_status(r));
  if (options.json) {
    nlohmann::ordered_json json;
    for (std::size_t i = 0; i < reports.size(); ++i) {
      json["schedules"].push_back(json_of(reports[i], options.files[i]));
    }
    print_json(json);
    return status;
  }
  std::size_t width = 8;
  for (const std::string& file : options.files) width = std::max(width, file.size());
  fmt::print("{:<{}}  {:<6}  {:<9}  {:>8} {:>8} {:>8} {:>10} {:>14} {:>13}  verdict\n", "schedule",
             width, "ports", "switching", "flits", "rounds", "bound", "cycles", "transmissions",
             "busiest link");
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Report& r = reports[i];
    if (r.interrupted()) {
      print_report(r, Paint());
      continue;
    }
    fmt::print("{:<{}}  {:<6}  {:<9}  {:>8} {:>8} {:>8} {:>10} {:>14} {:>13}  {}\n",
               options.files[i], width, to_string(r.model.ports), to_string(r.model.switching),
               r.request.flits, r.check.rounds, r.bound.value,
               r.cycles_predicted ? fmt::format("{}", *r.cycles_predicted) : "-",
               r.check.transmissions, busiest_link(r), r.passed() ? "pass" : "FAIL");
  }
  return status;
}

}  // namespace gossamer::cli
