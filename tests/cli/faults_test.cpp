// Faults in options.
#include "catch.hpp"
#include "command.hpp"

namespace {

struct Bad {
  std::string input;
  std::string reason;  ///< part of the line on stderr
};

const std::string kPlan = "plan --topology hypercube:4 --algorithm chau-fu ";

}  // namespace

TEST_CASE("A plan with faults says what is faulty and that nothing is missing") {
  const Outcome outcome = run_gossamer(
      "plan --topology hypercube:5 --collective gossip --algorithm chau-fu --ports single "
      "--faults 'nodes=3,17;links=0-1'");
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("nodes=3,17;links=0-1") != std::string::npos);
  CHECK(outcome.out.find("of 870 messages that healthy nodes should have") != std::string::npos);
  CHECK(outcome.out.find("formula 2d = 10") != std::string::npos);
  CHECK(outcome.out.find("PASS") != std::string::npos);
}

TEST_CASE("Too many faults end with status 1 and name the first missing messages") {
  const Outcome outcome = run_gossamer(kPlan + "--faults nodes=1,2,4,8");
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.status == 1);
  CHECK(
      outcome.out.find("22 of 132 messages are missing at healthy nodes: node 0 lacks 3, 5-7, 9-15 "
                       "(11); nodes 3, 5-7 and 9-15 lack 0\n") != std::string::npos);
}

TEST_CASE("Bad faults and tolerances get one line and status 2") {
  const auto bad = GENERATE(values<Bad>({
      {kPlan + "--faults nodes=16", "node 16 is no node of hypercube:4; nodes are 0 to 15"},
      {kPlan + "--faults links=0-3", "0-3 is no link of hypercube:4"},
      {kPlan + "--faults rate:1.5", "rate:1.5 is no probability; expected a number from 0 to 1"},
      {kPlan + "--faults random:49", "random:49 is no number of faults"},
      {kPlan + "--faults broken", "'broken' is no part; expected nodes=3,17 links=0-1"},
      {kPlan + "--faults", "--faults needs a value"},
      {kPlan + "--fault nodes=1", "did you mean --faults?"},
      {kPlan + "--tolerance 4", "chau-fu tolerates up to 3 faults on hypercube:4, not 4"},
      {kPlan + "--tolerance x", "--tolerance: 'x' is no whole number"},
      {"plan --topology hypercube:4 --algorithm bertsekas --tolerance 1",
       "bertsekas is not fault-tolerant"},
  }));
  const Outcome outcome = run_gossamer(bad.input);
  CAPTURE(bad.input, outcome.err, outcome.out);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.error_lines() == 1);
  CHECK(outcome.err.find(bad.reason) != std::string::npos);
}

TEST_CASE("A file keeps its faults, and --faults takes their place") {
  const Scratch scratch;
  const std::string file = scratch.path("cube.jsonl");
  REQUIRE(run_gossamer(
              "plan --topology hypercube:3 --algorithm chau-fu-initiated --root 5 --ports single "
              "--faults 'nodes=1;arcs=4>6' -o " +
              file)
              .status == 0);
  const Outcome as_it_is = run_gossamer("check " + file);
  CAPTURE(as_it_is.out, as_it_is.err);
  CHECK(as_it_is.status == 0);
  CHECK(as_it_is.out.find("nodes=1;arcs=4>6") != std::string::npos);
  CHECK(as_it_is.out.find("initiator 5") != std::string::npos);
  const Outcome cut_off = run_gossamer("check " + file + " --faults links=5-4,5-7,5-1");
  CHECK(cut_off.status == 1);
  CHECK(cut_off.out.find("messages are missing at healthy nodes") != std::string::npos);
  const Outcome healthy = run_gossamer("check " + file + " --faults none");
  CHECK(healthy.status == 0);
  CHECK(healthy.out.find("136") != std::string::npos);  // n(nd-n+1)
}
