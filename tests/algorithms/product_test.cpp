#include <algorithm>
#include <random>

#include "algorithms/common/all.hpp"
#include "algorithms/single_port/single_port.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "play.hpp"
#include "topology/families.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

std::uint64_t steps_of(const Graph& graph, Duplex duplex) {
  const bool path = graph.spec.compare(0, 4, "path") == 0 && graph.nodes > 2;
  return path ? PathGossip::formula(graph.nodes, duplex).rounds
              : single_port_bound(graph.nodes, duplex);
}

/// Theorem 2 for every order of the phases: the fewest rounds.
std::uint64_t best_order(const Topology& topology, Duplex duplex) {
  std::vector<std::size_t> order(topology.factors().size());
  for (std::size_t f = 0; f < order.size(); ++f) order[f] = f;
  std::uint64_t best = ~std::uint64_t{0};
  do {
    std::uint64_t rounds = 0, held = 1;
    for (const std::size_t f : order) {
      rounds += held * steps_of(topology.factors()[f], duplex);
      held *= topology.factors()[f].nodes;
    }
    best = std::min(best, rounds);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

/// Plans, plays and checks; returns the rounds.
std::uint64_t rounds_of(const Request& request) {
  REQUIRE_FALSE(kProduct.refuses(request));
  const Schedule schedule = kProduct.plan(request);
  const CheckReport report = check(schedule);
  CHECK(test::broken_rules(report) == "");
  CHECK(report.delivered == report.expected);
  CHECK(kProduct.formula(request).rounds == schedule.rounds());
  return schedule.rounds();
}

}  // namespace

TEST_CASE("Theorem 2: products take T_B + n2 T_A, in the order with the fewest rounds") {
  std::mt19937 random(13);
  const char* const factors[] = {"ring:2",     "ring:3", "ring:4",     "ring:5",     "ring:6",
                                 "path:2",     "path:3", "path:4",     "path:5",     "complete:3",
                                 "complete:4", "ccc:2",  "debruijn:2", "butterfly:2"};
  for (int trial = 0; trial < 60; ++trial) {
    std::string spec = "product:";
    const unsigned dimensions = 1 + random() % 4;
    for (unsigned f = 0; f < dimensions; ++f) {
      spec += fmt::format("{}{}", f == 0 ? "" : ",", factors[random() % std::size(factors)]);
    }
    const Duplex duplex = random() % 2 == 0 ? Duplex::Full : Duplex::Half;
    const Request request = gossip_on(spec, duplex);
    if (request.topology.nodes() > 400) continue;
    CAPTURE(spec, to_string(duplex));
    const std::uint64_t rounds = rounds_of(request);
    CHECK(rounds == best_order(request.topology, duplex));
    CHECK(rounds >= single_port_bound(request.topology.nodes(), duplex));
  }
}

TEST_CASE(
    "in each phase of a product of rings a node sends its log in order, from its own message") {
  for (const char* spec : {"torus:4x3", "torus:3x4x5", "hypercube:4", "torus:5x5"}) {
    for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
      for (const auto& words : words_sent(kProduct.plan(gossip_on(spec, duplex)))) {
        std::size_t next = 0, phases = 0;
        for (const std::size_t word : words) {
          CAPTURE(spec, word, next);
          if (word == 0) ++phases, next = 0;
          REQUIRE(word == next++);
        }
        CHECK(phases == Topology::parse(spec).factors().size());
      }
    }
  }
}
