// Gossip on TM(7^i)^3 for large messages (Delmas-Perennes 1996, section 6).

#include <map>

#include "algorithms/delmas_perennes/delmas_perennes.hpp"
#include "delmas_play.hpp"

using namespace delmas_test;
using gossamer::kDelmasPerennesSplit;
using gossamer::delmas_perennes::Cost;
using gossamer::delmas_perennes::cost;

namespace {

std::vector<Transfer> transfers_of(const Schedule& schedule, std::uint32_t round) {
  std::vector<Transfer> found;
  for (const Transfer& t : schedule.transfers()) {
    if (t.round == round) found.push_back(t);
  }
  return found;
}

}  // namespace

TEST_CASE("Gossip on TM(7)^3 in pieces takes 5 rounds, 13 delta and 1 + 7 + 3*49 messages") {
  const Schedule schedule = kDelmasPerennesSplit.plan(gossip_on("torus:7x7x7"));
  CHECK(sums_of_rounds(schedule) ==
        std::vector<RoundSums>{{1, 1}, {5, 7}, {5, 49}, {1, 49}, {1, 49}});
}

TEST_CASE("The checker accepts the gossip in pieces with the sums of the recursion") {
  const unsigned i = GENERATE(1u, 2u);
  const Request request = gossip_on(i == 1 ? "torus:7x7x7" : "torus:49x49x49");
  const auto report = gossamer::check(kDelmasPerennesSplit.plan(request));
  CHECK(first_fault(report) == "none");
  CHECK(report.rounds == kDelmasPerennesSplit.formula(request).rounds);
  CHECK(Cost{report.rounds, report.delta_sum, report.tau_sum} == cost(i, /*split=*/true));
  CHECK(report.delivered ==
        std::uint64_t{request.topology.nodes()} * (request.topology.nodes() - 1));
}

TEST_CASE("Every piece holds the messages of one colour, all pieces equally many") {
  const Schedule schedule = kDelmasPerennesSplit.plan(gossip_on("torus:7x7x7"));
  const Topology& torus = schedule.topology();
  for (const Transfer& t : transfers_of(schedule, 4)) {
    const Node destination = schedule.path(t).back();
    CHECK(schedule.messages(t).size() == 49);
    for (const auto& message : schedule.messages(t)) {
      REQUIRE(weight(torus, message.origin) % 7 == weight(torus, destination) % 7);
    }
  }
  CHECK(transfers_of(schedule, 4).size() == 6);
}

TEST_CASE("A node hands its piece on in the order in which it came, and not to the code") {
  const Schedule schedule = kDelmasPerennesSplit.plan(gossip_on("torus:7x7x7"));
  const Topology& torus = schedule.topology();
  const auto& symmetry = schedule.symmetry();
  std::map<Node, std::vector<Node>> arrived;  // by class, as its representative sees it
  const auto seen_from = [&](Node x, const Transfer& t) {
    std::vector<Node> origins;
    for (const auto& message : schedule.messages(t)) {
      origins.push_back(torus.translate(message.origin, torus.negate(symmetry.shift(x))));
    }
    return origins;
  };
  for (const Transfer& t : transfers_of(schedule, 4)) {
    const Node y = schedule.path(t).back();
    arrived[symmetry.class_of(y)] = seen_from(y, t);
  }
  REQUIRE(arrived.size() == 6);
  std::size_t by_others = 0;
  for (const Transfer& t : transfers_of(schedule, 5)) {
    const Node x = schedule.path(t).front();
    CHECK(weight(torus, schedule.path(t).back()) % 7 != 0);
    if (weight(torus, x) % 7 == 0) continue;
    ++by_others;
    CHECK(seen_from(x, t) == arrived[symmetry.class_of(x)]);
  }
  CHECK(by_others == 6 * 5);
}
