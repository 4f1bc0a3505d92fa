// Whose parts are in every sum of a reduction: nothing is counted twice, nothing is left out, and a
// partial sum is never taken for the whole; each mistake is named where it happens.
#include <utility>

#include "catch.hpp"
#include "checker/checker.hpp"
#include "schedule/schedule.hpp"

using namespace gossamer;

namespace {

struct Step {
  std::uint32_t round;
  Node from, to;
};

std::string first_fault(Collective c, const std::vector<Step>& steps,
                        std::vector<Node> members = {}, std::uint64_t* delivered = nullptr) {
  Schedule s(Topology::parse("ring:4"), c,
             {PortModel::All, Duplex::Full, Switching::Packet, /*combining=*/false});
  if (!members.empty()) s.members = Members(members, s.topology());
  for (const Step& step : steps) s.add_hop(step.round, step.from, step.to, 0);
  const CheckReport report = check(s);
  if (delivered != nullptr) *delivered = report.delivered;
  return report.ok() ? "" : to_string(report.faults[0]);
}

}  // namespace

TEST_CASE("sums: a reduce and an all-reduce are whole") {
  std::uint64_t delivered = 0;
  CHECK(first_fault(Collective::Reduce, {{1, 2, 1}, {2, 1, 0}, {2, 3, 0}}, {}, &delivered) == "");
  CHECK(delivered == 1);
  const std::vector<Step> both = {{1, 2, 1}, {1, 3, 0}, {2, 1, 0}, {3, 0, 1}, {3, 0, 3}, {4, 1, 2}};
  CHECK(first_fault(Collective::AllReduce, both, {}, &delivered) == "");
  CHECK(delivered == 4);
  // Both ends of a link add up what the other had.
  const std::vector<Step> doubling = {{1, 0, 1}, {1, 1, 0}, {1, 2, 3}, {1, 3, 2},
                                      {2, 0, 3}, {2, 3, 0}, {2, 1, 2}, {2, 2, 1}};
  CHECK(first_fault(Collective::AllReduce, doubling, {}, &delivered) == "");
  CHECK(delivered == 4);
}

TEST_CASE("sums: a part that is counted twice") {
  CHECK(
      first_fault(Collective::Reduce, {{1, 2, 1}, {1, 2, 3}, {2, 1, 0}, {3, 3, 0}}) ==
      "round 3, link 3-0: node 2's part of message 0 is in both what node 0 holds and what comes");
  // Twice over the same link.
  CHECK(
      first_fault(Collective::Reduce, {{1, 1, 0}, {2, 1, 0}}) ==
      "round 2, link 1-0: node 1's part of message 0 is in both what node 0 holds and what comes");
  // A part comes to a node that has the whole.
  CHECK(
      first_fault(Collective::AllReduce, {{1, 2, 1}, {1, 3, 0}, {2, 1, 0}, {3, 3, 0}}) ==
      "round 3, link 3-0: node 3's part of message 0 is in both what node 0 holds and what comes");
}

TEST_CASE("sums: the whole and a part of it may come in one round, in either order") {
  std::vector<Step> steps = {{1, 3, 2}, {1, 0, 1}, {2, 2, 1}, {3, 1, 0}, {3, 3, 0}};
  CHECK(first_fault(Collective::Reduce, steps) == "");
  std::swap(steps[3], steps[4]);
  CHECK(first_fault(Collective::Reduce, steps) == "");
}

TEST_CASE("sums: a part that is left out") {
  std::uint64_t delivered = 9;
  CHECK(first_fault(Collective::Reduce, {{1, 1, 0}, {2, 3, 0}}, {}, &delivered) ==
        "round 2: node 0's sum of message 0 lacks the part of node 2 after the last round");
  CHECK(delivered == 0);
  // It is sent in the round in which it comes: too late for what is sent.
  CHECK(first_fault(Collective::Reduce, {{1, 2, 1}, {1, 1, 0}, {2, 3, 0}}) ==
        "round 2: node 0's sum of message 0 lacks the part of node 2 after the last round");
  // A partial sum is given back for the whole.
  CHECK(first_fault(Collective::AllReduce, {{1, 1, 0}, {2, 0, 3}, {3, 3, 2}}) ==
        "round 3: node 0's sum of message 0 lacks the parts of nodes 2-3 after the last round");
}

TEST_CASE("sums: members alone have parts") {
  std::uint64_t delivered = 0;
  CHECK(first_fault(Collective::Reduce, {{1, 2, 1}, {2, 1, 0}}, {0, 2}, &delivered) == "");
  CHECK(delivered == 1);
  CHECK(first_fault(Collective::Reduce, {{1, 1, 0}}, {0, 2}) ==
        "round 1, link 1-0: node 1 sends message 0 but does not hold it when the round starts; no "
        "transfer that lists it takes it there");
}

TEST_CASE("sums: every order of a chain but the right one is refused") {
  // Of the ways to send over three links towards node 0 in three rounds, those in which each node
  // has all that comes to it before it sends.
  std::uint32_t right = 0;
  for (std::uint32_t a = 1; a <= 3; ++a) {
    for (std::uint32_t b = 1; b <= 3; ++b) {
      for (std::uint32_t c = 1; c <= 3; ++c) {
        std::vector<Step> steps;
        for (std::uint32_t r = 1; r <= 3; ++r) {
          if (a == r) steps.push_back({r, 2, 1});
          if (b == r) steps.push_back({r, 1, 0});
          if (c == r) steps.push_back({r, 3, 0});
        }
        const bool whole = first_fault(Collective::Reduce, steps) == "";
        CHECK(whole == (a < b));
        right += whole ? 1 : 0;
      }
    }
  }
  CHECK(right == 9);
}
