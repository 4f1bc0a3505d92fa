// What the software does when it is interrupted; the command is tested in tests/cli.
#include <pty.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "catch.hpp"
#include "cli/progress.hpp"
#include "driver/suite.hpp"
#include "fake_runner.hpp"
#include "support/job.hpp"
#include "support/terminal.hpp"
#include "tables/compiler.hpp"

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
