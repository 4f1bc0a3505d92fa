#include "driver/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "fake_runner.hpp"
#include "refusal.hpp"

using namespace gossamer;

namespace {

Case ring_case(Node nodes) {
  Case c;
  c.topology = "ring:" + std::to_string(nodes);
  c.algorithm = "ring";
  c.flits = 4;
  return c;
}

RunOptions run_options(const Case& c) {
  RunOptions options;
  options.flits = c.flits;
  return options;
}

bool mentions(const Report& report, const std::string& words) {
  for (const std::string& problem : report.problems) {
    if (problem.find(words) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("Rounds below the lower bound are a problem") {
  const Case c = ring_case(8);
  Plan plan = make_plan(c);
  // Without its last round: the checker reports what is missing, and the report that it is too
  // short.
  Schedule shorter(plan.schedule.topology(), Collective::Gossip, plan.schedule.model(),
                   plan.schedule.symmetry());
  for (const Transfer& t : plan.schedule.transfers()) {
    if (t.round <= 6) shorter.add_copy(plan.schedule, t);
  }
  plan.schedule = shorter;
  plan.formula.reset();
  CHECK(mentions(examine(c, plan, /*ignore_faults=*/true), "6 rounds are below the lower bound 7"));
  CHECK(mentions(examine(c, plan), "lacks message"));
}

TEST_CASE("Cycles below the lower bound are a problem, and cycles that meet it are none") {
  Case c = ring_case(8);
  c.flits = 16;
  Plan plan = make_plan(c);
  plan.formula.reset();
  // As many rounds as the bound asks for, but with a message of one node alone in each.
  Schedule light(Topology::parse("hypercube:3"), Collective::Gossip,
                 {PortModel::Single, Duplex::Full, Switching::Packet, true});
  for (Node round = 1; round <= 3; ++round) {
    light.add(round, std::vector<Node>{0, 1u << (round - 1)}, std::vector<Message>{{0, kNoNode}});
  }
  plan.schedule = light;
  Report report = examine(c, plan, /*ignore_faults=*/true);
  REQUIRE(report.cycles_predicted.has_value());
  REQUIRE(report.cycles_bound.has_value());
  CHECK(*report.cycles_predicted < report.cycles_bound->value);
  CHECK(report.problems ==
        std::vector<std::string>{fmt::format(
            "{} cycles predicted are below the lower bound {} ({})", *report.cycles_predicted,
            report.cycles_bound->value, report.cycles_bound->source)});
  // Two nodes that send each other a message take as long as one hop and the flits do.
  Schedule meets(Topology::parse("path:2"), Collective::Gossip, light.model());
  for (const Node x : {0, 1}) {
    meets.add(1, std::vector<Node>{x, 1 - x}, std::vector<Message>{{x, kNoNode}});
  }
  plan.schedule = meets;
  report = examine(c, plan);
  CHECK(report.cycles_predicted == report.cycles_bound->value);
  CHECK(report.problems.empty());
}

TEST_CASE("What the hardware shows joins the report") {
  const Case c = ring_case(4);
  const Plan plan = make_plan(c);
  Report report = examine(c, plan);
  FakeRunner late([](const Schedule&, RunResult& result) {
    result.cycles_measured = 15;
    result.problems = {"15 cycles measured, 14 predicted"};
    result.has_difference = true;
    result.difference_cycle = 30;
  });
  measure(report, plan, late, run_options(c));
  CHECK_FALSE(report.passed());
  CHECK(mentions(report, "15 cycles measured"));
  const auto json = to_json(report, /*measured=*/true);
  CHECK(json["verdict"] == "fail");
  CHECK(json["cycles_measured"] == 15);
  CHECK(json["problems"].size() == 1);
}

TEST_CASE("A run that measured nothing fails, and so does one that counted something else") {
  const auto [spoil, problem] = GENERATE(table<FakeRunner::Spoil, std::string>({
      {[](const Schedule&, RunResult& r) { r = {}; },
       "0 cycles measured, 14 predicted\n"
       "0 pairs of a node and a message expected on the hardware, 12 by the checker\n"
       "0 pairs delivered on the hardware, 12 by the checker\n"
       "0 flits stood on links, 48 by the checker's count of transmissions\n"},
      {[](const Schedule&, RunResult& r) { --r.cycles_measured; },
       "13 cycles measured, 14 predicted\n"},
      {[](const Schedule&, RunResult& r) { ++r.expected; },
       "13 pairs of a node and a message expected on the hardware, 12 by the checker\n"},
      {[](const Schedule&, RunResult& r) { --r.delivered; },
       "11 pairs delivered on the hardware, 12 by the checker\n"},
      {[](const Schedule&, RunResult& r) { ++r.flits_moved; },
       "49 flits stood on links, 48 by the checker's count of transmissions\n"},
      {[](const Schedule&, RunResult& r) { --r.words_checked; },
       "47 words compared, too few for 12 delivered messages\n"},
      {[](const Schedule&, RunResult&) {}, ""},
  }));
  const Case c = ring_case(4);
  const Plan plan = make_plan(c);
  Report report = examine(c, plan);
  FakeRunner runner(spoil);
  measure(report, plan, runner, run_options(c));
  std::string problems;
  for (const std::string& p : report.problems) problems += p + "\n";
  CHECK(problems == problem);
  CHECK(report.passed() == problem.empty());
}

TEST_CASE("A run is given what the report has worked out of the schedule") {
  class Runner final : public FakeRunner {
   public:
    RunResult run(const Schedule& schedule, const RunOptions& options) override {
      given = options.timed;
      return FakeRunner::run(schedule, options);
    }
    std::shared_ptr<const ScheduleTiming> given;
  };
  const Case c = ring_case(4);
  const Plan plan = make_plan(c);
  Report report = examine(c, plan);
  REQUIRE(report.timed != nullptr);
  CHECK(report.timed->flits == c.flits);
  Runner runner;
  measure(report, plan, runner, run_options(c));
  CHECK(runner.given == report.timed);
}

TEST_CASE("Rounds are held to the formula exactly, and to the bound") {
  const Case c = ring_case(4);
  Plan plan = make_plan(c);
  CHECK(examine(c, plan).problems.empty());
  for (const std::uint64_t rounds : {2, 4}) {
    plan.formula->rounds = rounds;
    CHECK(examine(c, plan).problems ==
          std::vector<std::string>{
              fmt::format("3 rounds, but the formula {} gives {}", plan.formula->text, rounds)});
  }
}

TEST_CASE("The command to run a case again names all of it, and the cycles around the difference") {
  Case c = ring_case(4);
  c.name = "ring-4";
  c.duplex = Duplex::Half;
  c.seed = 7;
  const Plan plan = make_plan(c);
  Report report = examine(c, plan);
  report.run.emplace();
  CHECK(rerun_command(report, "gossamer") ==
        "gossamer run --topology ring:4 --collective gossip --algorithm ring --ports single "
        "--duplex half --flits 4 --seed 7 --trace ring-4.fst");
  report.run->has_difference = true;
  report.run->difference_cycle = 30;
  CHECK(rerun_command(report, "gossamer").find(" --trace-cycles 10-50") != std::string::npos);
  report.run->difference_cycle = 3;
  CHECK(rerun_command(report, "gossamer").find(" --trace-cycles 0-23") != std::string::npos);
}

TEST_CASE("The command to run a case again has all its options") {
  Case c = ring_case(4);
  Report report = examine(c, make_plan(c));
  report.request.root = "3";
  report.tolerance = 2;
  report.request.cycle = {0, 1, 2, 3};
  report.request.faults = "nodes=3;from=2";
  report.request.engine = "systemc";
  report.request.seconds = 1.5;
  report.request.pieces = 2;
  report.request.stages = LinkStages::parse("3");
  report.request.symmetric = false;
  report.request.seed = 7;
  report.check_ignored = true;
  CHECK(rerun_command(report, "gossamer") ==
        "gossamer run --topology ring:4 --collective gossip --algorithm ring --ports single "
        "--duplex full --root 3 --pieces 2 --cycle 0,1,2,3 --tolerance 2 --seconds 1.5 "
        "--faults 'nodes=3;from=2' --flits 4 --link-stages 3 --engine systemc --no-symmetric "
        "--seed 7 --no-check --trace fail.vcd");
  report.request.symmetric = true;
  CHECK(rerun_command(report, "gossamer").find(" systemc --symmetric --seed 7") !=
        std::string::npos);
}

TEST_CASE("A schedule that no table can hold is not run, whoever forces it") {
  const auto why = [](const std::vector<Node>& path, const Message& message) {
    Plan plan = make_plan(ring_case(4));
    plan.schedule = Schedule(Topology::parse("ring:4"), Collective::Gossip,
                             {PortModel::Single, Duplex::Full, Switching::Packet, true});
    plan.schedule.add(3, path, std::vector<Message>{message}, 7);
    FakeRunner runner;
    Report report = examine(ring_case(4), plan, /*ignore_faults=*/true);
    CHECK_FALSE(report.cycles_predicted.has_value());
    return refusal([&] { measure(report, plan, runner, run_options(ring_case(4))); });
  };
  CHECK(why({2}, {2}) == "line 7, round 3: no path");
  CHECK(why({1, 3}, {1}) == "line 7, round 3, link 1-3: there is no such link to run over");
  CHECK(why({3, 4}, {3}) == "line 7, round 3, link 3-4: there is no such link to run over");
  CHECK(why({1, 2}, {4}) == "line 7, round 3, link 1-2: there is no such message to run");
  CHECK(why({1, 2}, {3, 4}) == "line 7, round 3, link 1-2: there is no such message to run");
}

TEST_CASE("An adaptive transfer over several links is not run, whoever forces it") {
  const auto why = [](const std::vector<Node>& path) {
    Plan plan = make_plan(ring_case(4));
    plan.schedule = Schedule(Topology::parse("hypercube:2"), Collective::Gossip,
                             {PortModel::Single, Duplex::Full, Switching::Packet, true});
    plan.schedule.add_new(1, path, 2);
    FakeRunner runner;
    Report report = examine(ring_case(4), plan, /*ignore_faults=*/true);
    CHECK_FALSE(report.cycles_predicted.has_value());
    return refusal([&] { measure(report, plan, runner, run_options(ring_case(4))); });
  };
  const std::string expected =
      "line 2, round 1, link 0-1: an adaptive node cannot send over several links at once";
  CHECK(why({0, 1, 3}) == expected);
  CHECK(why({0, 1, 0}) == expected);
  CHECK(why({0, 1, 3, 2, 0}) == expected);
}

TEST_CASE("A forced run says what the checker refused, and compares no numbers with it") {
  const Case c = ring_case(4);
  Plan plan = make_plan(c);
  plan.schedule = Schedule(Topology::parse("hypercube:2"), Collective::Gossip,
                           {PortModel::Single, Duplex::Full, Switching::Packet, true});
  const bool adaptive = GENERATE(true, false);
  for (const Node to : {1u, 2u}) {  // of one port at a time
    const std::vector<Node> path = {0, to};
    if (adaptive) {
      plan.schedule.add_new(1, path);
    } else {
      plan.schedule.add_hop(1, 0, to, 0);
    }
  }
  FakeRunner runner([](const Schedule&, RunResult& result) { result.expected = 12; });
  Report report = examine(c, plan, /*ignore_faults=*/true);
  REQUIRE_FALSE(report.check.ok());
  measure(report, plan, runner, run_options(c));
  CHECK_FALSE(mentions(report, "by the checker"));
  const auto json = to_json(report, /*measured=*/true);
  REQUIRE(json["refused"].size() == report.check.faults.size());
  CHECK(json["refused"][0] == to_string(report.check.faults[0]));
  CHECK_FALSE(to_json(examine(c, plan), /*measured=*/false).contains("refused"));
}

TEST_CASE("A case that was refused before it ran is run again without the check") {
  const Case c = ring_case(4);
  const Plan plan = make_plan(c);
  Report refused = examine(c, plan);
  CHECK(rerun_command(refused, "gossamer").find("--no-check") == std::string::npos);
  refused.problems = {"a rule is broken"};
  CHECK(rerun_command(refused, "gossamer").find(" --no-check --trace") != std::string::npos);
  refused.run.emplace();
  CHECK(rerun_command(refused, "gossamer").find("--no-check") == std::string::npos);
}

TEST_CASE("A shell takes the words of the command back as they were") {
  Case c = ring_case(4);
  const Report report = examine(c, make_plan(c));
  Report from_file = report;
  from_file.request.file = "it's a file.jsonl";
  CHECK(rerun_command(from_file, "gossamer").find(" run 'it'\\''s a file.jsonl' --flits") !=
        std::string::npos);
}
