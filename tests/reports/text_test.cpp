// Complete texts of reports that are made up here.
#include "cli/text.hpp"

#include "called.hpp"
#include "catch.hpp"

using namespace gossamer;

namespace {

std::string text_of(const Report& report) {
  Captured captured;
  cli::print_report(report, cli::Paint());
  captured.stop();
  return captured.out();
}

/// A gossip on a ring that was planned and checked.
Report planned() {
  Report r;
  r.request.flits = 4;
  r.topology = "ring:8";
  r.nodes = 1008;
  r.model = {PortModel::Single, Duplex::Full, Switching::Packet, /*combining=*/false};
  r.algorithm = "ring";
  r.source = "Dimakopoulos 1999, section 3";
  r.formula = Formula{"n-1", 7};
  r.bound = {6, "diameter"};
  r.check.rounds = 7;
  r.check.delta_sum = 1234;
  r.check.tau_sum = 5678;
  r.check.transmissions = 56;
  r.cycles_predicted = 1000;
  return r;
}

RunResult measured() {
  RunResult run;
  run.nodes_simulated = 1008;
  run.cycles_measured = 1001;
  run.cycles_predicted = 1002;
  run.delivered = 55;
  run.expected = 57;
  run.words_checked = 224;
  run.link_cycles_checked = 16016;
  run.errors = 3;
  run.wall_seconds = 0.0625;
  run.node_cycles_per_second = 12.34e6;
  run.engine_node_cycles_per_second = 45.6e6;
  run.flits_moved = 7777;
  run.cycles_simulated = 500;
  run.rounds_done = 5;
  return run;
}

}  // namespace

TEST_CASE("the text of a run says what there is to say; docs/use/session.md shows it all") {
  Report r = planned();
  r.formula.reset();
  r.slots = 12;
  r.run = measured();
  CHECK(text_of(r).find("  rounds                          7   no schedule needs fewer than 6 (diameter)\n"
                        "  slots                          12   from the first used on a link to the last\n") !=
        std::string::npos);
  r.run->link_cycles_checked = 0;
  CHECK(text_of(r).find("link cycles") == std::string::npos);
  CHECK(text_of(r).find("nodes simulated") == std::string::npos);
  r.run->nodes_simulated = 3;
  CHECK(text_of(r).find("  nodes simulated                 3   one of each class; "
                        "what follows is said of all 1,008\n") != std::string::npos);
}

TEST_CASE("the text of an adaptive run with faults, letter by letter") {
  Report r = planned();
  r.adaptive = true;
  r.offered = 99;
  r.tolerance = 2;
  r.faults.nodes = {1, 2};
  r.faults.arcs = {{3, 4}, {4, 3}, {5, 6}};
  r.check.expected = 4321;
  r.check.missing.resize(2);
  r.run = measured();
  CHECK(text_of(r) == R"(gossip (all-gather) on ring:8 by ring (Dimakopoulos 1999, section 3)
1,008 nodes, single port, full duplex, packet switching, one message a transfer, messages of 4 flits

  tolerance                       2   faulty nodes and links that it tolerates, whichever they are
  faults                          4   nodes=1,2;links=3-4;arcs=5>6
  missing                         2   of 4,321 messages that healthy nodes should have from healthy nodes
  rounds                          7   formula n-1 = 7; no schedule needs fewer than 6 (diameter)
  delta_sum                   1,234   hops: the longest path of each round, summed
  tau_sum                     5,678   messages: the most on one path of each round, summed
  transmissions                  56   messages that really crossed a link, over all links
  offered                        99   messages: places in the slots of one node, over all rounds
  cycles predicted            1,000   from the start pulse (cycle 0) to the end of the last slot, whatever was sent
  cycles measured             1,001   the same, as the nodes ended their tables
  delivered                      55   of 57 (node, message) pairs, a node's own not counted
  words checked                 224   in all message stores, each compared with what its origin sent
  link cycles                16,016   links times cycles, each compared with what the schedule puts there
  errors                          3   nodes whose hardware raised an error
  run in                    0.062 s   12.3 million node-cycles/s; 45.6 in the tile engine itself

PASS
)");
}

TEST_CASE("what is not adaptive but has faults says what really stood on a link") {
  Report r = planned();
  r.faults.nodes = {1};
  const std::string text = text_of(r);
  CHECK(text.find("messages that really crossed a link, over all links\n") != std::string::npos);
  CHECK(text.find("offered") == std::string::npos);
  CHECK(text.find("tolerance") == std::string::npos);
}

TEST_CASE("the text of a run that was given up, letter by letter") {
  Report r = planned();
  r.run = measured();
  r.run->interrupted = true;
  r.interrupted_in = "running";
  const std::string text = text_of(r);
  CHECK(text.substr(text.find("  cycles simulated")) ==
        R"(  cycles simulated              500   of 1,002 predicted
  rounds done                     5   of 7: their slots had ended
  flits moved                 7,777   over links, every hop counted
  words checked                 224   that had arrived, each compared with what its origin sent
  errors                          3   nodes whose hardware had raised an error
  run in                    0.062 s   12.3 million node-cycles/s; 45.6 in the tile engine itself

INTERRUPTED while running
)");
  r.run->words_checked = 0;
  CHECK(text_of(r).find("words checked") == std::string::npos);
}

TEST_CASE("problems follow the verdict, and what the checker refuses comes before it") {
  Report r = planned();
  r.cycles_predicted.reset();
  r.problems = {"first", "second"};
  std::string text = text_of(r);
  CHECK(text.substr(text.find("\n\nFAIL")) == "\n\nFAIL\n  first\n  second\n");
  CHECK(text.find("cycles predicted") == std::string::npos);
  r.problems.clear();
  r.check_ignored = true;
  CHECK(text_of(r).find("refuses") == std::string::npos);
  r.check.faults = {{.line = 7, .round = 3, .from = 4, .to = 5, .text = "wrong"},
                    {.line = 0, .round = 0, .from = kNoNode, .to = kNoNode, .text = "worse"}};
  text = text_of(r);
  CHECK(text.substr(text.find("\n\nThe checker")) ==
        "\n\nThe checker refuses this schedule (it ran because of --no-check):\n"
        "  line 7, round 3, link 4-5: wrong\n"
        "  worse\n"
        "\nPASS\n");
  r.check_ignored = false;
  CHECK(text_of(r).find("refuses") == std::string::npos);
}
