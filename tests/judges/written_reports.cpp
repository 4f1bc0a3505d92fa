#include "judges/written_texts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <functional>

#include "checks/link_oracle.hpp"
#include "checks/verdict.hpp"
#include "driver/fake_runner.hpp"
#include "driver/report.hpp"
#include "support/error.hpp"

namespace gossamer::tb {
namespace {

Case ring() {
  Case c;
  c.topology = "ring:5";
  c.algorithm = "ring";
  c.flits = 3;
  return c;
}
Case cube(const char* faults) {
  Case c;
  c.topology = "hypercube:2";
  c.algorithm = "chau-fu";
  c.ports = PortModel::Single;
  c.faults = faults;
  c.flits = 2;
  return c;
}

std::string lines_of(const char* what, const Facts& r) {
  std::string text = fmt::format("{}: {}\n", what, r.verdict());
  for (const std::string& problem : r.problems) text += "  " + problem + '\n';
  return text;
}

/// The report on a run where something was counted wrongly.
std::string measured(const char* what, const Case& c, const std::function<void(RunResult&)>& change,
                     bool ignore_faults = false) {
  const Plan plan = make_plan(c);
  Facts report = examine(c, plan, ignore_faults);
  FakeRunner runner([&](const Schedule&, RunResult& r) { change(r); });
  RunOptions options;
  options.flits = c.flits;
  measure(report, runner, options);
  return lines_of(what, report);
}

std::string wrong_runs() {
  std::string text;
  for (const Case& c : {ring(), cube("links=0-1,0-2")}) {
    text += c.topology + ' ' + c.faults + '\n';
    text += measured("as it should be", c, [](RunResult&) {});
    text += measured("nothing measured", c, [](RunResult& r) { r = {}; });
    if (!c.faults.empty()) continue;
    text += measured("a cycle more", c, [](RunResult& r) { ++r.cycles_measured; });
    text += measured("a cycle less", c, [](RunResult& r) { --r.cycles_measured; });
    text += measured("a pair more expected", c, [](RunResult& r) { ++r.expected; });
    text += measured("a pair less delivered", c, [](RunResult& r) { --r.delivered; });
    text += measured("a flit more", c, [](RunResult& r) { ++r.flits_moved; });
    text += measured("a word less", c, [](RunResult& r) { --r.words_checked; });
    text += measured("another problem", c, [](RunResult& r) {
      r.problems = {"wrong"};
      r.cycles_measured = r.flits_moved = r.delivered = 1;
    });
    text += measured("interrupted", c, [](RunResult& r) {
      r.interrupted = true;
      r.cycles_measured = 1;
    });
  }
  return text;
}

/// Schedules that are too short for their bound or for their formula, or cannot be written into
/// tables.
std::string wrong_plans() {
  std::string text;
  Plan plan = make_plan(ring());
  for (const std::uint64_t rounds : {3u, 4u, 5u}) {
    plan.formula->rounds = rounds;
    text += lines_of(fmt::format("the formula gives {}", rounds).c_str(), examine(ring(), plan));
  }
  // A broadcast on three nodes: path, message, round.
  struct Own {
    std::vector<Node> path;
    Message message = {0, kNoNode};
    std::uint32_t round = 1;
  };
  for (const Own& own : {Own{{}}, Own{{0, 1}}, Own{{0, 2}}, Own{{0}}, Own{{1, 2}, {0, 2}},
                         Own{{1, 2}, {3, kNoNode}}, Own{{2, 3}},
                         Own{{0, 1}, {0, kNoNode}, kMaxRounds + 1}}) {
    const bool checked = own.path == std::vector<Node>{0, 1};
    for (const bool ignore : {false, true}) {
      if (!ignore && !checked) continue;  // what the checker says is in tests/refusals.toml
      Schedule schedule(Topology::parse("path:3"), Collective::Broadcast,
                        {PortModel::All, Duplex::Full, Switching::Packet, false});
      if (!own.path.empty()) schedule.add(own.round, own.path, std::array{own.message}, 2);
      Facts report = examine(ring(), {schedule, {}}, ignore);
      text += lines_of(fmt::format("{} in round {}", fmt::join(own.path, "-"), own.round).c_str(),
                       report);
      try {
        FakeRunner runner;
        RunOptions options;
        options.flits = report.request.flits;
        measure(report, runner, options);
        text += lines_of("run", report);
      } catch (const InputError& refused) {
        text += fmt::format("refused: {}\n", refused.what());
      }
      text += fmt::format("{} {}\n", report.can_run(), run_command_line(report, "gossamer"));
    }
  }
  return text;
}

/// How cases are named and run again.
std::string names() {
  Case asked = ring();
  const auto text_of = [](const Case& c, const std::function<void(Facts&)>& change) {
    Facts r = examine(c, make_plan(c));
    change(r);
    return fmt::format("{}\n  {}\n", title_of(r), rerun_command(r, "go ssamer"));
  };
  std::string text = text_of(asked, [](Facts&) {});
  text += text_of(asked, [](Facts& r) {
    r.plan->chosen = "fewest rounds";
    r.problems = {"wrong"};
  });
  text += text_of(asked, [](Facts& r) {
    r.run.emplace();
    r.run->has_difference = true;
    r.run->difference_cycle = 7;
    r.problems = {"wrong"};
  });
  text += text_of(asked, [](Facts& r) {
    r.run.emplace();
    r.run->has_difference = true;
    r.run->difference_cycle = 33;
    r.run->cause_since = 30;
    r.check_ignored = true;
  });
  asked.cycle = {0, 1, 2, 3, 4};
  asked.seed = 5;
  asked.engine = "systemc";
  asked.name = "own name";
  asked.algorithm = "hamiltonian";
  asked.stages = LinkStages::parse("2");
  text += text_of(asked, [](Facts& r) { r.request.seconds = 2.5; });
  text += text_of(ring(), [](Facts& r) {
    r.request.file = "it's a file";
    r.request.faults = "nodes=3;from=2";
    r.request.symmetric = false;
    r.request.stages = LinkStages::parse("3");
  });
  text += text_of(ring(), [](Facts& r) {
    r.request.root = "3";
    r.request.pieces = 2;
    r.request.symmetric = true;
  });
  Case broken = cube("links=0-1,0-2");
  text += text_of(broken, [](Facts&) {});
  text += text_of(broken, [](Facts& r) {
    r.plan->tolerance = 2;
    r.problems.push_back("more");
  });
  Case broadcast = cube("");
  broadcast.collective = Collective::Broadcast;
  broadcast.root = "2";
  text += text_of(broadcast, [](Facts&) {});
  Case file;
  file.file = "a file";
  const Facts read{.request = file}, broken_off{.request = ring(), .interrupted_in = "planning"},
      failed{.request = {}, .error = "none"};
  for (const Facts& r : {read, broken_off, failed}) {
    text += fmt::format("{}: {}\n", title_of(r), r.verdict());
  }
  return text;
}

constexpr const char* kWrongRuns =
    R"(ring:5 
as it should be: pass
nothing measured: fail
  0 cycles measured, 14 predicted
  0 pairs of a node and a message expected on the hardware, 20 by the checker
  0 pairs delivered on the hardware, 20 by the checker
  0 flits stood on links, 60 by the checker's count of transmissions
a cycle more: fail
  15 cycles measured, 14 predicted
a cycle less: fail
  13 cycles measured, 14 predicted
a pair more expected: fail
  21 pairs of a node and a message expected on the hardware, 20 by the checker
a pair less delivered: fail
  19 pairs delivered on the hardware, 20 by the checker
a flit more: fail
  61 flits stood on links, 60 by the checker's count of transmissions
a word less: fail
  59 words compared, too few for 20 delivered messages
another problem: fail
  wrong
interrupted: interrupted
hypercube:2 links=0-1,0-2
as it should be: fail
  round 4: 6 of 12 messages are missing at healthy nodes: node 0 lacks 1-3 (3); nodes 1-3 lack 0
nothing measured: fail
  round 4: 6 of 12 messages are missing at healthy nodes: node 0 lacks 1-3 (3); nodes 1-3 lack 0
  0 cycles measured, 16 predicted
  0 pairs of a node and a message expected on the hardware, 12 by the checker
  0 pairs delivered on the hardware, 6 by the checker
  0 flits stood on links, 12 by the checker's count of transmissions
)";
constexpr const char* kWrongPlans =
    R"(the formula gives 3: fail
  4 rounds, but the formula n-1 gives 3
the formula gives 4: pass
the formula gives 5: fail
  4 rounds, but the formula n-1 gives 5
 in round 1: fail
  0 rounds are below the lower bound 2 (distance, a hop a round)
refused: the schedule has no transfers: nothing is to be sent
false gossamer run --topology path:3 --collective broadcast --ports all --duplex full --flits 3 --no-check
0-1 in round 1: fail
  round 1: node 2 lacks message 0 after the last round
run: fail
  round 1: node 2 lacks message 0 after the last round
true gossamer run --topology path:3 --collective broadcast --ports all --duplex full --flits 3
0-1 in round 1: fail
  1 rounds are below the lower bound 2 (distance, a hop a round)
run: fail
  1 rounds are below the lower bound 2 (distance, a hop a round)
true gossamer run --topology path:3 --collective broadcast --ports all --duplex full --flits 3 --no-check
0-2 in round 1: fail
  0 rounds are below the lower bound 2 (distance, a hop a round)
refused: line 2, round 1, link 0-2: there is no such link to run over
false gossamer run --topology path:3 --collective broadcast --ports all --duplex full --flits 3 --no-check
0 in round 1: fail
  0 rounds are below the lower bound 2 (distance, a hop a round)
refused: line 2, round 1: no path
false gossamer run --topology path:3 --collective broadcast --ports all --duplex full --flits 3 --no-check
1-2 in round 1: fail
  1 rounds are below the lower bound 2 (distance, a hop a round)
run: fail
  1 rounds are below the lower bound 2 (distance, a hop a round)
true gossamer run --topology path:3 --collective broadcast --ports all --duplex full --flits 3 --no-check
1-2 in round 1: fail
  1 rounds are below the lower bound 2 (distance, a hop a round)
refused: line 2, round 1, link 1-2: there is no such message to run
false gossamer run --topology path:3 --collective broadcast --ports all --duplex full --flits 3 --no-check
2-3 in round 1: fail
  0 rounds are below the lower bound 2 (distance, a hop a round)
refused: line 2, round 1, link 2-3: there is no such link to run over
false gossamer run --topology path:3 --collective broadcast --ports all --duplex full --flits 3 --no-check
0-1 in round 16777217: fail
  round 16777217: node 2 lacks message 0 after the last round
refused: 16777217 rounds are too many to run; expected 16777216 at most
false gossamer run --topology path:3 --collective broadcast --ports all --duplex full --flits 3 --no-check
0-1 in round 16777217: pass
refused: 16777217 rounds are too many to run; expected 16777216 at most
false gossamer run --topology path:3 --collective broadcast --ports all --duplex full --flits 3 --no-check
)";
constexpr const char* kNames =
    R"(gossip (all-gather) on ring:5 by ring (Dimakopoulos 1999, section 3)
  'go ssamer' run --topology ring:5 --collective gossip --algorithm ring --ports single --duplex full --flits 3 --trace fail.fst
gossip (all-gather) on ring:5 by ring (Dimakopoulos 1999, section 3; fewest rounds)
  'go ssamer' run --topology ring:5 --collective gossip --algorithm ring --ports single --duplex full --flits 3 --no-check --trace fail.fst
gossip (all-gather) on ring:5 by ring (Dimakopoulos 1999, section 3)
  'go ssamer' run --topology ring:5 --collective gossip --algorithm ring --ports single --duplex full --flits 3 --trace fail.fst --trace-cycles 0-27
gossip (all-gather) on ring:5 by ring (Dimakopoulos 1999, section 3)
  'go ssamer' run --topology ring:5 --collective gossip --algorithm ring --ports single --duplex full --flits 3 --no-check --trace fail.fst --trace-cycles 10-53
gossip (all-gather) on ring:5 by hamiltonian (Dimakopoulos 1999, section 3)
  'go ssamer' run --topology ring:5 --collective gossip --algorithm hamiltonian --ports single --duplex full --cycle 0,1,2,3,4 --seconds 2.5 --flits 3 --link-stages 2 --engine systemc --seed 5 --trace 'own name.vcd'
gossip (all-gather) on ring:5 by ring (Dimakopoulos 1999, section 3), read from it's a file
  'go ssamer' run 'it'\''s a file' --faults 'nodes=3;from=2' --flits 3 --link-stages 3 --no-symmetric --trace fail.fst
gossip (all-gather) on ring:5 by ring (Dimakopoulos 1999, section 3)
  'go ssamer' run --topology ring:5 --collective gossip --algorithm ring --ports single --duplex full --root 3 --pieces 2 --flits 3 --symmetric --trace fail.fst
gossip (all-gather) on hypercube:2 by chau-fu (Chau-Fu, section 2)
  'go ssamer' run --topology hypercube:2 --collective gossip --algorithm chau-fu --ports single --duplex full --tolerance 1 --faults links=0-1,0-2 --flits 2 --trace fail.fst
gossip (all-gather) on hypercube:2 by chau-fu (Chau-Fu, section 2)
  'go ssamer' run --topology hypercube:2 --collective gossip --algorithm chau-fu --ports single --duplex full --tolerance 2 --faults links=0-1,0-2 --flits 2 --no-check --trace fail.fst
broadcast on hypercube:2, root 2 by chau-fu (Chau-Fu, section 2)
  'go ssamer' run --topology hypercube:2 --collective broadcast --algorithm chau-fu --ports single --duplex full --root 2 --tolerance 1 --flits 2 --trace fail.fst
a file: pass
ring:5: interrupted
: error
)";

}  // namespace

std::vector<WrittenText> written_reports() {
  return {{"reports on runs with wrong numbers", wrong_runs(), kWrongRuns},
          {"reports on wrong plans", wrong_plans(), kWrongPlans},
          {"titles and commands of cases", names(), kNames}};
}

}  // namespace gossamer::tb
