// Complete texts of reports that are made up here.
#include "called.hpp"
#include "catch.hpp"
#include "cli/command.hpp"

using namespace gossamer;

namespace {

std::string text_of(const Facts& report) {
  Captured captured;
  cli::print_report(report, cli::Paint());
  captured.stop();
  return captured.out();
}

/// Counts of the test's own for what was planned.
Facts with_counts(const Case& c) {
  Facts r = examine(c, make_plan(c));
  r.check.delta_sum = 1234;
  r.check.tau_sum = 5678;
  r.check.transmissions = 56;
  return r;
}
Facts planned() {
  Case c;
  c.topology = "ring:1008";
  c.algorithm = "ring";
  c.flits = 4;
  return with_counts(c);
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
  Facts r = planned();
  r.plan->formula.reset();
  r.run = measured();
  CHECK(text_of(r).find("  rounds                      1,007   no schedule of") !=
        std::string::npos);
  r.run->link_cycles_checked = 0;
  CHECK(text_of(r).find("link cycles") == std::string::npos);
  CHECK(text_of(r).find("nodes simulated") == std::string::npos);
  r.run->nodes_simulated = 3;
  CHECK(text_of(r).find("  nodes simulated                 3   one of each class; "
                        "what follows is said of all 1,008\n") != std::string::npos);
}

TEST_CASE("the text of an adaptive run with faults, letter by letter") {
  Case c;
  c.topology = "hypercube:4";
  c.algorithm = "chau-fu";
  c.ports = PortModel::Single;
  c.faults = "nodes=1,2;links=4-5;arcs=6>7";
  c.flits = 4;
  Facts r = with_counts(c);
  r.check.expected = 4321;
  r.check.missing.resize(2);
  r.run = measured();
  r.run->nodes_simulated = 16;
  CHECK(text_of(r) == R"(gossip (all-gather) on hypercube:4 by chau-fu (Chau-Fu, section 2)
16 nodes, single port, full duplex, packet switching, combining, messages of 4 flits

  tolerance                       3   faulty nodes and links that it tolerates, whichever they are
  faults                          4   nodes=1,2;links=4-5;arcs=6>7
  missing                         2   of 4,321 messages that healthy nodes should have from healthy nodes
  rounds                          8   formula 2d = 8; no schedule needs fewer than 8 (Chau-Fu, section 1, with 3 faults)
  delta_sum                   1,234   hops: the longest path of each round, summed
  tau_sum                     5,678   messages: the most on one path of each round, summed
  transmissions                  56   messages that really crossed a link, over all links
  offered                        70   messages: places in the slots of one node, over all rounds
  cycles predicted              282   from the start pulse (cycle 0) to the end of the last slot, whatever was sent
  cycles measured             1,001   the same, as the nodes ended their tables
  delivered                      55   of 57 (node, message) pairs, a node's own not counted
  words checked                 224   in all message stores, each compared with what its origin sent
  link cycles                16,016   links times cycles, each compared with what the schedule puts there
  errors                          3   nodes whose hardware raised an error
  run in                    0.062 s   12.3 million node-cycles/s; 45.6 in the tile engine itself

PASS
)");
}

TEST_CASE("the text of a run that was given up, letter by letter") {
  Facts r = planned();
  r.run = measured();
  r.run->interrupted = true;
  r.interrupted_in = "running";
  const std::string text = text_of(r);
  CHECK(text.substr(text.find("  cycles simulated")) ==
        R"(  cycles simulated              500   of 1,002 predicted
  rounds done                     5   of 1,007: their slots had ended
  flits moved                 7,777   over links, every hop counted
  words checked                 224   that had arrived, each compared with what its origin sent
  errors                          3   nodes whose hardware had raised an error
  run in                    0.062 s   12.3 million node-cycles/s; 45.6 in the tile engine itself

INTERRUPTED while running
)");
  r.run->words_checked = 0;
  CHECK(text_of(r).find("words checked") == std::string::npos);
}
