// Faults and tolerance, from a case to its report.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "driver/report.hpp"

using namespace gossamer;

namespace {

Case cube_case(const std::string& faults, const std::string& algorithm = "chau-fu") {
  Case c;
  c.topology = "hypercube:4";
  c.algorithm = algorithm;
  c.faults = faults;
  return c;
}

}  // namespace

TEST_CASE("A report says which faults there were, what they took, and whether they were too many") {
  Case tolerated = cube_case("nodes=3,9;links=0-1");
  tolerated.ports = PortModel::Single;
  struct Row {
    Case asked;
    std::string faults, problems;
    std::size_t expected, missing;
    bool beyond;
  };
  const Row rows[] = {
      {tolerated, R"({"nodes":[3,9],"links":[[0,1]],"arcs":[],"from":1})", "", 14 * 13, 0, false},
      {cube_case("links=0-1,0-2,0-4,0-8"),
       R"({"nodes":[],"links":[[0,1],[0,2],[0,4],[0,8]],"arcs":[],"from":1})",
       "30 of 240 messages are missing at healthy nodes: node 0 lacks", 240, 30, true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.asked.faults);
    const Plan plan = make_plan(row.asked);
    CHECK(plan.schedule.symmetry().order() == 1);
    const Facts report = examine(row.asked, plan);
    CHECK(report.passed() == row.problems.empty());
    CHECK(report.beyond_tolerance() == row.beyond);
    CHECK(report.can_run());
    CHECK(fmt::format("{}", fmt::join(report.problems, "; ")).find(row.problems) != std::string::npos);
    const auto json = to_json(report, false);
    CHECK(json["faults"].dump() == row.faults);
    CHECK(json["expected"] == row.expected);
    CHECK(json["delivered"] == row.expected - row.missing);
    CHECK(json["missing"].size() == row.missing);
    CHECK(json.contains("offered") == report.adaptive());
  }
  const Facts report = examine(tolerated, make_plan(tolerated));
  CHECK(report.offered() == 70);
  CHECK(to_json(report, false)["tolerance"] == 3);
  CHECK(rerun_command(report, "gossamer")
            .find(" --tolerance 3 --faults 'nodes=3,9;links=0-1' --flits 8") != std::string::npos);
}

TEST_CASE("Where faults are asked for, an algorithm that stands them is chosen, else one that does not") {
  Case c = cube_case("random:3", "");
  CHECK(make_plan(c).algorithm->name == "chau-fu");
  c.faults.clear();
  CHECK(make_plan(c).algorithm->tolerates == nullptr);
  c.tolerance = 1;
  const Plan plan = make_plan(c);
  CHECK(plan.algorithm->name == "chau-fu");
  CHECK(plan.tolerance == 1u);
  CHECK(plan.schedule.rounds() == 4);
  c.ports = PortModel::Single;
  CHECK(make_plan(c).schedule.rounds() == 6);
}

TEST_CASE("Random faults follow the case's seed and spare the initiator and the root") {
  Case c = cube_case("rate:1", "chau-fu-initiated");
  c.root = "5";
  const FaultSet all = make_plan(c).schedule.faults;
  CHECK(all.nodes.size() == 15);
  CHECK_FALSE(all.dead(5));
  Case random = cube_case("random:3");
  const FaultSet first = make_plan(random).schedule.faults;
  CHECK(make_plan(random).schedule.faults == first);
  random.seed = 2;
  CHECK(make_plan(random).schedule.faults != first);
}
