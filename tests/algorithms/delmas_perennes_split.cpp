// Gossip on TM(7^i)^3 for large messages (Delmas-Perennes 1996, section 6).

#include "algorithms/common/all.hpp"
#include "algorithms/delmas_perennes/delmas_perennes.hpp"
#include "delmas_play.hpp"

using namespace delmas_test;
using gossamer::kDelmasPerennesSplit;
using gossamer::delmas_perennes::Cost;

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
