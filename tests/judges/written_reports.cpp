#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <functional>
#include <sstream>

#include "checks/link_oracle.hpp"
#include "checks/verdict.hpp"
#include "driver/fake_runner.hpp"
#include "driver/report.hpp"
#include "driver/suite.hpp"
#include "export/export.hpp"
#include "judges/written_texts.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"
#include "support/words.hpp"

namespace gossamer::tb {
namespace {

Schedule schedule(const char* text) {
  std::istringstream lines(text);
  return read_jsonl(lines, "line");
}

/// Node 1 forwards what the end nodes have for each other.
Schedule exchange_on_a_path() {
  return schedule(
      R"({"gossamer":1,"topology":"path:3","collective":"total-exchange","model":{"ports":"all","duplex":"full","switching":"packet","combining":true}}
{"r":1,"path":[0,1],"msgs":[[0,1],[0,2]]}
{"r":1,"path":[2,1],"msgs":[[2,1],[2,0]]}
{"r":2,"path":[1,0],"msgs":[[1,0],[2,0]]}
{"r":2,"path":[1,2],"msgs":[[1,2],[0,2]]}
)");
}

/// Node 1 adds its own to what node 2 sends.
Schedule sum_on_a_path() {
  return schedule(
      R"({"gossamer":1,"topology":"path:3","collective":"reduce","root":0,"op":"sum","model":{"ports":"all","duplex":"full","switching":"packet","combining":false}}
{"r":1,"path":[2,1],"msgs":[0]}
{"r":2,"path":[1,0],"msgs":[0]}
)");
}

SuiteResult result(double seconds, std::vector<std::string> problems, std::string error,
                   std::string interrupted_in) {
  SuiteResult result;
  result.seconds = seconds;
  result.facts.problems = std::move(problems);
  result.facts.error = std::move(error);
  result.facts.interrupted_in = std::move(interrupted_in);
  return result;
}

/// A report with cases of every outcome, and checks; the last case did not run.
std::string junit_report() {
  std::vector<SuiteCase> cases(5);
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].request.name = "abcde"[i];
  SuiteReport report{cases,
                     {result(0.0625, {}, "", ""), result(1.5, {"one", "two"}, "", ""),
                      result(0, {}, "too large", ""), result(0, {}, "", "running")},
                     {{"compared", "all", {}}, {"judges", "", {"x & y", "z"}}}};
  report.count();
  return junit_xml("<s>", report);
}

}  // namespace

std::vector<WrittenText> written_texts() {
  return {
      {"the GOAL text of an exchange through a node in the middle",
       goal_text(exchange_on_a_path(), 2),
       R"(// total-exchange on path:3: 2 rounds, 8 bytes a message
num_ranks 3

rank 0 {
// l1 in round 1 carries 0>1 0>2
l1: send 16b to 1 tag 0 nic 0
l2: recv 16b from 1 tag 0 nic 0
}

rank 1 {
l1: recv 16b from 0 tag 0 nic 1
l2: recv 16b from 2 tag 0 nic 0
// l3 in round 2 carries 1>0 2>0
l3: send 16b to 0 tag 0 nic 1
l3 requires l2
// l4 in round 2 carries 0>2 1>2
l4: send 16b to 2 tag 0 nic 0
l4 requires l1
}

rank 2 {
// l1 in round 1 carries 2>0 2>1
l1: send 16b to 1 tag 0 nic 1
l2: recv 16b from 1 tag 0 nic 1
}
)"},
      {"the MSCCL file of a sum", msccl_xml(sum_on_a_path()),
       R"(<algo name="gossamer" proto="Simple" nchannels="1" nchunksperloop="1" ngpus="3" coll="reduce" inplace="0" outofplace="1" minBytes="0" maxBytes="1099511627776">
  <gpu id="0" i_chunks="1" o_chunks="1" s_chunks="0">
    <tb id="0" send="-1" recv="1" chan="0">
      <step s="0" type="rrc" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="1" o_chunks="0" s_chunks="1">
    <tb id="0" send="-1" recv="2" chan="0">
      <step s="0" type="rrc" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="1"/>
    </tb>
    <tb id="1" send="0" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="s" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="0" deps="0" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="2" i_chunks="1" o_chunks="0" s_chunks="0">
    <tb id="0" send="1" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)"},
      {"the JUnit report of cases of every outcome", junit_report(),
       R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="&lt;s&gt;" tests="7" failures="3" errors="1" skipped="1" time="1.562">
  <testcase classname="gossamer" name="a" time="0.062"/>
  <testcase classname="gossamer" name="b" time="1.500">
    <failure type="check" message="one">one
two</failure>
  </testcase>
  <testcase classname="gossamer" name="c" time="0.000">
    <error type="error" message="too large">too large</error>
  </testcase>
  <testcase classname="gossamer" name="d" time="0.000">
    <failure type="check" message="failed"></failure>
  </testcase>
  <testcase classname="gossamer" name="e" time="0.000">
    <skipped type="interrupted" message="interrupted before it ended"></skipped>
  </testcase>
  <testcase classname="gossamer" name="compared"/>
  <testcase classname="gossamer" name="judges">
    <failure type="check" message="x &amp; y">x &amp; y
z</failure>
  </testcase>
</testsuite>
)"},
      {"what must be escaped in XML, and what cannot stand there",
       xml_escaped("a<b> & \"c\"\x01 \xc3\xa4\xc3 \xe2\x82\xac\xe2\x82 "
                   "\xf0\x9f\x98\x80\xc0\xaf\xe0\x80\xaf\xed\xa0\x80\xef\xbf\xbf\xf4\x90\x80\x80\n"
                   "\xe2\x28\xa1\t\x7f \xef\xbf\xbd"),
       "a&lt;b&gt; &amp; &quot;c&quot;? \xc3\xa4? \xe2\x82\xac?? "
       "\xf0\x9f\x98\x80???????????????\n?(?\t\x7f \xef\xbf\xbd"},
  };
}

std::string difference(const WrittenText& text) {
  if (text.is == text.should) return "";
  std::istringstream is(text.is), should(text.should);
  std::string here, there;
  for (std::size_t line = 1;; ++line) {
    const bool more = static_cast<bool>(std::getline(is, here));
    const bool expected = static_cast<bool>(std::getline(should, there));
    if (more && expected && here == there) continue;
    if (!more && !expected) return text.what + ": its line ends are others";
    return fmt::format("{}: line {} is {}; expected {}", text.what, line,
                       more ? "\"" + here + "\"" : "missing",
                       expected ? "\"" + there + "\"" : "none");
  }
}

}  // namespace gossamer::tb

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
  for (const Own& own :
       {Own{{}}, Own{{0, 1}}, Own{{0, 2}}, Own{{0}}, Own{{1, 2}, {0, 2}}, Own{{1, 2}, {3, kNoNode}},
        Own{{2, 3}}, Own{{0, 1}, {0, kNoNode}, kMaxRounds + 1}}) {
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
