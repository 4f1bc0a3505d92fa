#include "algorithms/single_port/product.hpp"

#include <algorithm>
#include <random>

#include "algorithms/single_port/path_gossip.hpp"
#include "algorithms/single_port/ring.hpp"
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
  CHECK(play(schedule).fault == "");
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
      const Played played = play(kProduct.plan(gossip_on(spec, duplex)));
      REQUIRE(played.fault == "");
      for (const auto& words : played.words) {
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

TEST_CASE(
    "the steps of a phase go abreast, so that half-duplex links keep their direction longest") {
  // Two-node paths, three dimensions: each link carries 1, 2, 4 words one way, then the other way.
  const Schedule schedule = kProduct.plan(gossip_on("hypercube:3", Duplex::Half));
  const Topology& cube = schedule.topology();
  std::vector<std::vector<bool>> senders(cube.ports());  // of node 0's links: node 0 sends
  for (const Transfer& t : schedule.transfers()) {
    const Node from = schedule.path(t)[0], to = schedule.path(t)[1];
    if (from != 0 && to != 0) continue;
    senders[cube.port_to(from, to)].push_back(from == 0);
  }
  for (const auto& directions : senders) {
    const std::size_t half = directions.size() / 2;
    CHECK(std::count(directions.begin(), directions.begin() + half, directions[0]) ==
          static_cast<std::ptrdiff_t>(half));
    CHECK(std::count(directions.begin() + half, directions.end(), !directions[0]) ==
          static_cast<std::ptrdiff_t>(half));
  }
}

TEST_CASE("product plans a dimension without a hamiltonian cycle, and keeps theorem 2") {
  const auto duplex = GENERATE(Duplex::Full, Duplex::Half);
  const Graph star = graph_of_edges("star", 4, {{0, 1}, {0, 2}, {0, 3}});
  Request request = gossip_on("ring:3", duplex);
  request.topology = Topology("ring x star", {ring(3), star});
  // The middle receives 3 messages, and sends each to 2 nodes and its own to 3: of which it can do
  // one in a round, or with full duplex one of each.
  CHECK(kProduct.formula(request).text == (duplex == Duplex::Full ? "9 + 4*2" : "12 + 4*6"));
  const Schedule schedule = kProduct.plan(request);
  CHECK(broken_rules(check(schedule)) == "");
  CHECK(schedule.rounds() == kProduct.formula(request).rounds);
  request.topology = Topology("star", {star});
  CHECK(
      kProduct.refuses(request) ==
      "product has no algorithm for star: star has no hamiltonian cycle: node 1 has one link only");
}
