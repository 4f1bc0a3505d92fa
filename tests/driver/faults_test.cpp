// Faults and tolerance, from a case to its report.

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

TEST_CASE("Tolerated faults are reported, and nothing is missing") {
  Case c = cube_case("nodes=3,9;links=0-1");
  c.ports = PortModel::Single;
  const Plan plan = make_plan(c);
  CHECK(plan.tolerance == 3u);
  const Report report = examine(c, plan);
  CHECK(report.problems == std::vector<std::string>{});
  CHECK(report.adaptive);
  CHECK(report.offered == 70);
  CHECK(report.formula->rounds == 8);
  CHECK(report.bound.value == 8);
  const auto json = to_json(report, false);
  CHECK(json["tolerance"] == 3);
  CHECK(json["faults"].dump() == R"({"nodes":[3,9],"links":[[0,1]],"arcs":[],"from":1})");
  CHECK(json["missing"].empty());
  CHECK(json["expected"] == 14 * 13);
  CHECK(json["delivered"] == 14 * 13);
  CHECK(json["offered"] == 70);
  CHECK(json["transmissions"].get<unsigned>() < 16 * 49);
  CHECK(rerun_command(report, "gossamer")
            .find(" --tolerance 3 --faults 'nodes=3,9;links=0-1' --flits 8") != std::string::npos);
}

TEST_CASE("Too many faults fail the case, and the report says who lacks what") {
  const Case c = cube_case("links=0-1,0-2,0-4,0-8");
  const Report report = examine(c, make_plan(c));
  CHECK_FALSE(report.passed());
  CHECK(report.beyond_tolerance());
  REQUIRE(report.problems.size() == 1);
  CHECK(report.problems[0].find("30 of 240 messages are missing at healthy nodes: node 0 lacks") !=
        std::string::npos);
  const auto json = to_json(report, false);
  CHECK(json["verdict"] == "fail");
  CHECK(json["missing"].size() == 30);
  CHECK(json["missing"][0].dump() == "[0,1]");
}

TEST_CASE(
    "Where faults are asked for, an algorithm that stands them is chosen, else one that does not") {
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
  for (const std::uint32_t seed : {1u, 2u}) {
    c.seed = seed;
    const Schedule schedule = make_plan(c).schedule;
    CHECK(schedule.faults.nodes.size() == 15);
    CHECK_FALSE(schedule.faults.dead(5));
  }
  Case random = cube_case("random:3");
  const FaultSet first = make_plan(random).schedule.faults;
  CHECK(make_plan(random).schedule.faults == first);
  random.seed = 2;
  CHECK(make_plan(random).schedule.faults != first);
}

TEST_CASE("An algorithm without tolerance meets faults too, and its orbits are written out") {
  Case c;
  c.topology = "ring:8";
  c.algorithm = "ring";
  c.faults = "nodes=2";
  const Plan plan = make_plan(c);
  CHECK(plan.schedule.symmetry().order() == 1);
  const Report report = examine(c, plan);
  CHECK_FALSE(report.passed());
  CHECK_FALSE(report.beyond_tolerance());  // its nodes could not do what their tables say
  CHECK_FALSE(can_run(report));
  CHECK(report.check.missing.size() == 21);
  CHECK_FALSE(report.tolerance);
}
