// What only a schedule of its own can show; reports on wrong runs and plans are in
// tests/judges/written_reports.cpp.
#include "driver/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pty.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <thread>

#include "catch.hpp"
#include "cli/screen.hpp"
#include "driver/suite.hpp"
#include "fake_runner.hpp"
#include "refusal.hpp"
#include "schedule/jsonl.hpp"
#include "support/file.hpp"
#include "support/job.hpp"
#include "tables/compiler.hpp"

using namespace gossamer;

namespace {

constexpr Model kSingle{PortModel::Single, Duplex::Full, Switching::Packet, true};

/// The case and plan of a schedule whose lines a test adds.
struct Own {
  Case asked;
  Plan plan;

  Own(const std::string& topology, unsigned flits)
      : plan{Schedule(Topology::parse(topology), Collective::Gossip, kSingle), {}} {
    asked.topology = topology;
    asked.flits = flits;
  }
};

}  // namespace

TEST_CASE("Cycles below the lower bound are a problem, and cycles that meet it are none") {
  // As many rounds as the bound asks for, but with a message of one node alone in each.
  Own light("hypercube:3", 16);
  for (Node r = 1; r <= 3; ++r) light.plan.schedule.add_hop(r, 0, 1u << (r - 1), 0);
  const Facts below = examine(light.asked, light.plan, /*ignore_faults=*/true);
  REQUIRE(below.cycles_predicted().has_value());
  REQUIRE(below.cycles_bound.has_value());
  CHECK(*below.cycles_predicted() < below.cycles_bound->value);
  CHECK(below.problems ==
        std::vector<std::string>{fmt::format(
            "{} cycles predicted are below the lower bound {} ({})", *below.cycles_predicted(),
            below.cycles_bound->value, below.cycles_bound->source)});
  // Two nodes that send each other a message take as long as one hop and the flits do.
  Own meets("path:2", 16);
  for (const Node x : {0, 1}) meets.plan.schedule.add_hop(1, x, 1 - x, x);
  const Facts met = examine(meets.asked, meets.plan);
  CHECK(met.cycles_predicted() == met.cycles_bound->value);
  CHECK(met.problems.empty());
}

TEST_CASE("A run of adaptive nodes that is forced says what was refused, and compares no numbers") {
  Own own("hypercube:2", 4);
  for (const Node to : {1u, 2u}) own.plan.schedule.add_new(1, std::vector<Node>{0, to});
  FakeRunner runner([](const Schedule&, RunResult& result) { result.expected = 12; });
  Facts report = examine(own.asked, own.plan, /*ignore_faults=*/true);
  REQUIRE_FALSE(report.check.ok());
  RunOptions options;
  options.flits = own.asked.flits;
  measure(report, runner, options);
  for (const std::string& p : report.problems) CHECK(p.find("by the checker") == std::string::npos);
  const auto json = to_json(report, /*measured=*/true);
  REQUIRE(json["refused"].size() == report.check.faults.size());
  CHECK(json["refused"][0] == to_string(report.check.faults[0]));
  for (const std::vector<Node>& path : {std::vector<Node>{0, 1, 3}, {0, 1, 0}, {0, 1, 3, 2, 0}}) {
    Own far("hypercube:2", 4);
    far.plan.schedule.add_new(1, path, 2);
    Facts refused = examine(far.asked, far.plan, /*ignore_faults=*/true);
    CHECK_FALSE(refused.cycles_predicted().has_value());
    CHECK(refusal([&] { measure(refused, runner, options); }) ==
          "line 2, round 1, link 0-1: an adaptive node cannot send over several links at once");
  }
}

// The load of every link, by round and in sum.

namespace {

Loads loads_of(const Case& c) {
  const Plan plan = make_plan(c);
  const Facts report = examine(c, plan);
  CHECK(report.passed());
  const Loads loads = link_loads(plan.schedule, report.check, report.request.flits);
  // The sum over links must equal the checker's sum over transfers.
  for (const auto* list : {&loads.by_round, &loads.in_sum}) {
    CHECK(std::accumulate(list->begin(), list->end(), std::uint64_t{0},
                          [](std::uint64_t sum, const LinkLoad& load) {
                            return sum + load.messages;
                          }) == report.check.transmissions);
  }
  return loads;
}

}  // namespace

TEST_CASE("loads: a schedule by hand") {
  std::istringstream text(
      R"({"gossamer":1,"topology":"path:3","collective":"gossip","model":{"ports":"all",)"
      R"("duplex":"full","switching":"circuit","combining":true}})"
      "\n{\"r\":1,\"path\":[0,1,2],\"msgs\":[0]}\n{\"r\":1,\"path\":[2,1],\"msgs\":[2]}\n"
      "{\"r\":3,\"path\":[1,0],\"msgs\":[1,2]}\n");
  const Schedule schedule = read_jsonl(text, "hand.jsonl");
  CheckReport checked;
  checked.carried = {1, 1, 2};
  const Loads loads = link_loads(schedule, checked, 4);
  CHECK(loads_csv(loads) ==
        "round,from,to,messages,cycles\n"
        "1,0,1,1,4\n1,1,2,1,4\n1,2,1,1,4\n3,1,0,2,8\n"
        "sum,0,1,1,4\nsum,1,0,2,8\nsum,1,2,1,4\nsum,2,1,1,4\n");
  CHECK(loads_json(loads).dump() ==
        R"({"flits":4,"rounds":[{"round":1,"links":[{"from":0,"to":1,"messages":1,"cycles":4},)"
        R"({"from":1,"to":2,"messages":1,"cycles":4},{"from":2,"to":1,"messages":1,"cycles":4}]},)"
        R"({"round":3,"links":[{"from":1,"to":0,"messages":2,"cycles":8}]}],)"
        R"("sum":[{"from":0,"to":1,"messages":1,"cycles":4},)"
        R"({"from":1,"to":0,"messages":2,"cycles":8},{"from":1,"to":2,"messages":1,"cycles":4},)"
        R"({"from":2,"to":1,"messages":1,"cycles":4}]})");
}

TEST_CASE("loads: orbits, circuits, pipelined paths and what adaptive nodes really send") {
  Case circuits;
  circuits.topology = "torus:7x7x7";
  circuits.algorithm = "delmas-perennes";
  CHECK(loads_of(circuits).in_sum.size() == 343 * 6);
  Case pipelined;
  pipelined.topology = "torus:4x4";
  pipelined.algorithm = "tdm-search";
  pipelined.flits_given = false;
  const Loads slots = loads_of(pipelined);
  CHECK(slots.flits == 1);
  for (const LinkLoad& load : slots.by_round) CHECK(load.messages == 1);  // one flit per cycle
  Case adaptive;
  adaptive.topology = "hypercube:4";
  adaptive.algorithm = "chau-fu";
  adaptive.faults = "nodes=3";
  for (const LinkLoad& load : loads_of(adaptive).in_sum) {
    if (load.from == 3) CHECK(load.messages == 0);
  }
}

// Faults and tolerance, from a case to its report.

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
    CHECK(fmt::format("{}", fmt::join(report.problems, "; ")).find(row.problems) !=
          std::string::npos);
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

TEST_CASE("Where a tolerance or later faults are asked for, an algorithm that stands them plans") {
  Case c = cube_case("random:3;from=2", "");
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

// What the software does when it is interrupted; the command is tested in tests/cli.

using gossamer::cli::progress_line;

namespace {

/// An interruption that ends with the object.
struct Note {
  Note() { gossamer::note_interrupt(SIGINT); }
  ~Note() { gossamer::forget_interrupt(); }
};

}  // namespace

TEST_CASE("progress shows steps done, the time left and node-cycles per second") {
  CHECK(progress_line({.text = "planning", .seconds = 2.4}) == "planning  2 s");
  CHECK(progress_line(
            {.text = "cases", .done = 63, .total = 252, .stage_seconds = 10, .seconds = 10}) ==
        "cases [#####...............] 63/252  10 s, 30 s left");
  CHECK(progress_line({.text = "cycles",
                       .done = 1000,
                       .total = 4000,
                       .nodes = 117649,
                       .stage_seconds = 100,
                       .seconds = 125}) ==
        "cycles [#####...............] 1,000/4,000  2 min 5 s, 5 min 0 s left, "
        "1.2 million node-cycles/s");
  CHECK(progress_line({.text = "checking the schedule",
                       .done = 3,
                       .total = 4,
                       .unit = "rounds",
                       .stage_seconds = 6,
                       .seconds = 7}) ==
        "checking the schedule [###############.....] 3/4 rounds  7 s");
  CHECK(progress_line({.text = "cycles", .done = 0, .total = 400, .nodes = 8, .seconds = 1}) ==
        "cycles [....................] 0/400  1 s");
  CHECK(progress_line(
            {.text = "cycles", .done = 36, .total = 36, .stage_seconds = 7200, .seconds = 7500}) ==
        "cycles [####################] 36/36  2 h 5 min");
  CHECK(
      progress_line(
          {.text = "cycles", .done = 5, .total = 20, .nodes = 8, .stage_seconds = 1, .seconds = 1},
          70) == "cycles [#####...............] 5/20  1 s, 3 s left");
  CHECK(progress_line({.text = "writing \u00fc\n.jsonl", .seconds = 1}, 11) == "writing \u00fc .");
}

TEST_CASE("of a terminal its width is known, and whether it understands escapes") {
  int master = -1, slave = -1;
  const winsize size{.ws_row = 24, .ws_col = 40, .ws_xpixel = 0, .ws_ypixel = 0};
  CHECK(gossamer::columns_of(-1) == 80);
  CHECK_FALSE(gossamer::is_terminal(-1));
  if (openpty(&master, &slave, nullptr, nullptr, &size) != 0) {
    WARN("not tested: no pseudo-terminal can be opened here (/dev/pts)");
    return;
  }
  CHECK(gossamer::columns_of(slave) == 40);
  setenv("TERM", "xterm", 1);
  CHECK(gossamer::is_terminal(slave));
  setenv("TERM", "dumb", 1);
  CHECK_FALSE(gossamer::is_terminal(slave));
  close(slave);
  close(master);
}

TEST_CASE("long work counts its steps for the thread that called it") {
  gossamer::begin_steps(7, "rounds");  // nobody wants to know
  gossamer::step_done(3);
  const gossamer::Steps steps;
  CHECK(steps.count().total == 0);
  gossamer::Case c;
  c.topology = "torus:5x5";
  c.algorithm = "lee-code";
  const gossamer::Plan plan = gossamer::make_plan(c);
  CHECK(steps.count().unit == std::string("rounds"));
  CHECK(steps.count().done == plan.formula->rounds);
  CHECK(steps.count().total == plan.formula->rounds);
  gossamer::examine(c, plan);
  CHECK(steps.count().unit == std::string("transfers"));
  CHECK(steps.count().total == plan.schedule.transfers().size());
  gossamer::compile(plan.schedule, 1, 4);
  CHECK(steps.count().unit == std::string("slots"));
  CHECK(steps.count().done == steps.count().total - 1);          // those before the last one
  std::thread other([] { gossamer::begin_steps(1, "cases"); });  // not ours
  other.join();
  CHECK(steps.count().unit == std::string("slots"));
}

TEST_CASE("a run that is too large is refused before it is planned") {
  gossamer::Case c;
  c.topology = "torus:64x64x64";
  c.algorithm = "edge-colouring";
  c.flits = 1;
  const Note interrupted;  // which ends the planning
  CHECK_THROWS_WITH(make_plan(c, gossamer::PlannedTo::Run),
                    "68719476736 messages of 1 flit are too many to tell apart in 32 bits; "
                    "expected 4294967296 messages at most");
  c.topology = "torus:32x32x32";
  c.flits = 8;
  CHECK_THROWS_WITH(make_plan(c, gossamer::PlannedTo::Run),
                    "1073741824 messages of 8 flits are too many to tell apart in 32 bits; "
                    "expected 4 flits at most");
  CHECK_THROWS_AS(make_plan(c), gossamer::Interrupted);
}

TEST_CASE("a report with loads can be printed after an interruption") {
  gossamer::Case c;
  c.topology = "ring:4";
  const gossamer::Plan plan = gossamer::make_plan(c);
  gossamer::Facts report = gossamer::examine(c, plan);
  report.loads = gossamer::link_loads(plan.schedule, report.check, report.request.flits);
  report.interrupted_in = "running";
  const Note note;
  const auto json = to_json(report, true);
  CHECK(json["verdict"] == "interrupted");
  CHECK(json["loads"]["sum"].size() == 8);
}

TEST_CASE("a suite that is interrupted shows the cases that are done, and no others") {
  std::vector<gossamer::SuiteCase> cases(3);
  for (gossamer::SuiteCase& c : cases) c.request.topology = "ring:4";
  std::size_t runs = 0;
  FakeRunner runner([&](const gossamer::Schedule&, gossamer::RunResult& result) {
    if (++runs == 2) {
      result.interrupted = true;
      gossamer::note_interrupt(SIGINT);
    }
  });
  std::size_t shown = 0;
  const auto show = [&](const gossamer::SuiteCase&, const gossamer::SuiteResult&) { ++shown; };
  CHECK_THROWS_AS(gossamer::run_suite(cases, 1, runner, {}, show), gossamer::Interrupted);
  gossamer::forget_interrupt();
  CHECK(shown == 1);
  CHECK(runs == 2);
}
