#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "support/error.hpp"
#include "topology/edge_lists.hpp"

namespace gossamer::cli {
namespace {

/// The most messages that one direction of a link carries.
std::uint64_t busiest_link(const Facts& facts) {
  std::uint64_t most = 0;
  for (const LinkLoad& load : facts.loads->in_sum) most = std::max(most, load.messages);
  return most;
}

Facts examined(const Ask& ask, const std::string& file) {
  Ask one = ask;
  one.request.file = file;
  const auto add_loads = [](Facts& facts, Progress&) {
    facts.loads = link_loads(facts.schedule(), facts.check, facts.request.flits);
  };
  return carry_out(one, {.making = "reading " + file, .then = add_loads});
}

/// Throws InputError if two schedules do not do the same.
void require_comparable(const std::string& file, const Facts& facts, const std::string& other,
                        const Facts& of_other) {
  const auto require = [&](const char* what, const std::string& here, const std::string& there) {
    if (here == there) return;
    throw InputError(fmt::format("compare: {} {} {}, {} {} {}: these cannot be compared", file,
                                 what, here, other, what, there));
  };
  const auto named = [](const Members& members) {
    return members.all() ? "all nodes" : members.text();
  };
  const auto graph = [](const Facts& r) {
    return edge_lists_from(r.schedule().topology().spec(),
                           std::filesystem::current_path().string());
  };
  require("is for", graph(facts), graph(of_other));
  const Schedule &here = facts.schedule(), &there = of_other.schedule();
  require("is a", std::string(to_string(here.collective())),
          std::string(to_string(there.collective())));
  if (has_root(here.collective())) {
    require("has root", std::to_string(here.root), std::to_string(there.root));
  }
  require("has members", named(here.members), named(there.members));
  const std::string flits = "of " + flits_text(facts);
  std::string flits_of_other = "of " + flits_text(of_other);
  if (flits == flits_of_other && here.sizes != there.sizes) flits_of_other += " (other sizes)";
  require("has messages", flits, flits_of_other);
  const auto links = [](const Facts& r) {
    return r.request.stages.none() ? "without stages" : "of stages " + r.request.stages.text();
  };
  require("has links", links(facts), links(of_other));
}

nlohmann::ordered_json json_of(const Facts& r, const std::string& file) {
  auto json = to_json(r, /*measured=*/false);
  json["file"] = file;
  if (r.loads) json["busiest_link"] = busiest_link(r);
  return json;
}

}  // namespace

int compare(const Ask& ask, Runner&) {
  if (ask.files.empty()) throw InputError("compare needs schedule files");
  std::vector<Facts> reports;
  for (const std::string& file : ask.files) {
    reports.push_back(examined(ask, file));
    if (reports.back().interrupted()) break;
    require_comparable(ask.files.front(), reports.front(), file, reports.back());
  }
  int status = 0;
  for (const Facts& r : reports) status = std::max(status, exit_status(r));
  if (ask.json) {
    nlohmann::ordered_json json;
    for (std::size_t i = 0; i < reports.size(); ++i) {
      json["schedules"].push_back(json_of(reports[i], ask.files[i]));
    }
    print_json(json);
    return status;
  }
  std::size_t width = 8;
  for (const std::string& file : ask.files) width = std::max(width, file.size());
  fmt::print("{:<{}}  {:<6}  {:<9}  {:>8} {:>8} {:>8} {:>10} {:>14} {:>13}  verdict\n", "schedule",
             width, "ports", "switching", "flits", "rounds", "bound", "cycles", "transmissions",
             "busiest link");
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Facts& r = reports[i];
    if (r.interrupted()) {
      print_report(r, Paint());
      continue;
    }
    fmt::print("{:<{}}  {:<6}  {:<9}  {:>8} {:>8} {:>8} {:>10} {:>14} {:>13}  {}\n",
               ask.files[i], width, to_string(r.schedule().model().ports),
               to_string(r.schedule().model().switching),
               r.request.flits, r.check.rounds, r.bound.value,
               r.timed ? fmt::format("{}", *r.cycles_predicted()) : "-",
               r.check.transmissions, busiest_link(r), r.passed() ? "pass" : "FAIL");
  }
  return status;
}

}  // namespace gossamer::cli
