// Gossip on TM(7^i)^3 in 4i rounds (Delmas-Perennes 1996, section 5).

#include "algorithms/delmas_perennes/delmas_perennes.hpp"

#include "delmas_play.hpp"

using namespace delmas_test;
using gossamer::kDelmasPerennes;
using gossamer::delmas_perennes::Cost;
using gossamer::delmas_perennes::cost;

TEST_CASE("Gossip on TM(7)^3 takes 4 rounds, 12 delta and 1 + 7 + 49 + 343 messages") {
  const Schedule schedule = kDelmasPerennes.plan(gossip_on("torus:7x7x7"));
  const Play play(schedule);
  REQUIRE(play.rounds().size() == 4);
  const std::size_t hops[] = {1, 5, 5, 1};
  const std::size_t messages[] = {1, 7, 49, 343};
  for (std::size_t r = 0; r < 4; ++r) {
    CHECK(play.rounds()[r].hops == hops[r]);
    CHECK(play.rounds()[r].messages == messages[r]);
  }
  for (const auto& held : play.held()) REQUIRE(held.size() == 343);
}

TEST_CASE("The checker accepts the gossip on 7^i x 7^i x 7^i with the sums of the recursion") {
  const unsigned i = GENERATE(1u, 2u);
  const Request request = gossip_on(i == 1 ? "torus:7x7x7" : "torus:49x49x49");
  const auto report = gossamer::check(kDelmasPerennes.plan(request));
  CHECK(first_fault(report) == "none");
  CHECK(report.rounds == kDelmasPerennes.formula(request).rounds);
  CHECK(Cost{report.rounds, report.delta_sum, report.tau_sum} == cost(i, /*split=*/false));
  CHECK(report.delivered ==
        std::uint64_t{request.topology.nodes()} * (request.topology.nodes() - 1));
}

TEST_CASE("Gossip on TM(7^i)^3 is held under the nodes of weight 0 modulo 7^i") {
  const unsigned i = GENERATE(1u, 2u);
  const Node n = i == 1 ? 7 : 49;
  const Schedule schedule =
      kDelmasPerennes.plan(gossip_on(i == 1 ? "torus:7x7x7" : "torus:49x49x49"));
  CHECK(schedule.symmetry().classes() == n);
  CHECK(schedule.symmetry().order() == n * n);
  for (const Node x : schedule.symmetry().elements()) {
    REQUIRE(weight(schedule.topology(), x) % n == 0);
  }
}

TEST_CASE("The recursion costs 4i rounds and 12/9 of the diameter for i up to 6") {
  std::uint64_t n = 1;
  for (unsigned i = 1; i <= 6; ++i) {
    n *= 7;
    const std::uint64_t diameter = 3 * ((n - 1) / 2);
    CHECK(cost(i, false).rounds == 4 * i);
    CHECK(9 * cost(i, false).delta_sum == 12 * diameter);
    CHECK(cost(i, true).rounds == 5 * i);
    CHECK(9 * cost(i, true).delta_sum == 13 * diameter);
  }
}

TEST_CASE("delmas-perennes says what it needs") {
  Request request = gossip_on("torus:7x7x7");
  CHECK_FALSE(kDelmasPerennes.refuses(request));
  request.ports = gossamer::PortModel::Single;
  CHECK(kDelmasPerennes.refuses(request) == "it needs all ports");
  request = gossip_on("torus:7x7x7");
  request.duplex = gossamer::Duplex::Half;
  CHECK(kDelmasPerennes.refuses(request) == "it needs full-duplex links");
  request = gossip_on("torus:7x7x7");
  request.collective = gossamer::Collective::Broadcast;
  CHECK(kDelmasPerennes.refuses(request) == "it serves gossip only, not broadcast");
  for (const char* spec : {"torus:7x7", "torus:7x7x7x7", "torus:7x7x49", "torus:14x14x14",
                           "mesh:7x7x7", "ghc:7x7x7"}) {
    CHECK(kDelmasPerennes.refuses(gossip_on(spec)) ==
          "it needs three equal rings of a power of 7, such as torus:7x7x7");
  }
}
