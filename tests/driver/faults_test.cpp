// Faults and tolerance, from a case to its report.

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "driver/report.hpp"
#include "driver/suite.hpp"
#include "support/error.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

namespace {

Case cube_case(const std::string& faults, const std::string& algorithm = "chau-fu") {
  Case c;
  c.topology = "hypercube:4";
  c.algorithm = algorithm;
  c.faults = faults;
  return c;
}

template <typename F>
std::string error_of(F f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string plan_error(const Case& c) {
  return error_of([&] { make_plan(c); });
}

/// A suite of one case with these lines.
std::vector<SuiteCase> suite_with(const std::string& lines) {
  const Scratch scratch;
  return read_suite(scratch.file("suite.toml", "[[case]]\nname = \"x\"\n" + lines)).cases;
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

TEST_CASE("Bad faults and tolerances are refused in one line") {
  CHECK(plan_error(cube_case("nodes=16")) ==
        "faults: node 16 is no node of hypercube:4; nodes are 0 to 15");
  CHECK(plan_error(cube_case("nodes=0", "chau-fu-initiated")) ==
        "faults: node 0 is the initiator; it must be healthy");
  Case broadcast = cube_case("nodes=0");
  broadcast.collective = Collective::Broadcast;
  CHECK(plan_error(broadcast) == "faults: node 0 is the root; it must be healthy");
  Case too_much = cube_case("");
  too_much.tolerance = 4;
  CHECK(plan_error(too_much).find("chau-fu tolerates up to 3 faults on hypercube:4, not 4") == 0);
  Case wrong = cube_case("", "bertsekas");
  wrong.tolerance = 1;
  CHECK(plan_error(wrong).find("bertsekas is not fault-tolerant") == 0);
  Case file;
  file.file = "x.jsonl";
  file.tolerance = 1;
  CHECK(plan_error(file).find("x.jsonl: the schedule file already gives these") == 0);
  Case ring;
  ring.topology = "ring:8";
  ring.faults = "nodes=1";
  CHECK(plan_error(ring).find("no algorithm for gossip on ring:8") == 0);
}

TEST_CASE("A suite's cases have faults and tolerance") {
  const auto cases = suite_with(
      "topology = \"hypercube:4\"\nalgorithm = \"chau-fu\"\nfaults = \"random:2\"\ntolerance = "
      "2\n");
  REQUIRE(cases.size() == 1);
  CHECK(cases[0].request.faults == "random:2");
  CHECK(cases[0].request.tolerance == 2u);
  CHECK(examine(cases[0].request, make_plan(cases[0].request)).passed());
  const auto error = [](const std::string& lines) {
    return error_of([&] { suite_with("topology = \"hypercube:4\"\n" + lines); });
  };
  CHECK(error("faults = \"links=0-3\"\n").find("toml:4: case 'x': faults: 0-3 is no link of") !=
        std::string::npos);
  CHECK(error("faults = 3\n").find("faults must be a text") != std::string::npos);
  CHECK(error("tolerance = -1\n").find("tolerance: '-1' is no whole number from 0 to 1000") !=
        std::string::npos);
  CHECK(error("fault = \"none\"\n").find("unknown key 'fault' in a case: did you mean 'faults'?") !=
        std::string::npos);
}
