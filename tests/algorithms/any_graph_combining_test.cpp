#include "algorithms/any_graph/any_graph_combining.hpp"

#include <random>

#include "algorithms/small_graphs.hpp"
#include "bounds/bounds.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "topology/arcs.hpp"
#include "topology/families.hpp"

using namespace gossamer;

namespace {

Request request_on(const std::string& topology, Collective collective, PortModel ports,
                   Duplex duplex, Node root = 0) {
  return {Topology::parse(topology), collective, ports, duplex, root};
}

std::uint64_t bound_of(const Schedule& schedule) {
  return lower_bound_rounds(schedule.topology(), schedule.collective(), schedule.model(),
                            schedule.root);
}

/// Plans; the checker must accept the schedule, and it must not be shorter than the bound.
Schedule plan(const Request& request) {
  REQUIRE_FALSE(kAnyGraphCombining.refuses(request));
  Schedule schedule = kAnyGraphCombining.plan(request);
  const CheckReport report = check(schedule);
  CAPTURE(report.faults.empty() ? "" : to_string(report.faults.front()));
  CHECK(schedule.model().combining);
  CHECK(test::broken_rules(report) == "");
  CHECK(schedule.rounds() >= bound_of(schedule));
  return schedule;
}

}  // namespace

TEST_CASE("any-graph-combining keeps the rules; at the bound through all ports in full duplex") {
  for (const char* topology : test::kSmallGraphs) {
    for (const Serves& serves : kAnyGraphCombining.serves) {
      // Its search is that of a gossip: once is enough on the larger ones.
      const bool repeats = serves.collective == Collective::TotalExchange &&
                           Topology::parse(topology).nodes() > 8 && serves.duplex == Duplex::Half;
      if (repeats) continue;
      CAPTURE(topology, to_string(serves.collective), to_string(serves.ports),
              to_string(serves.duplex));
      const Schedule schedule =
          plan(request_on(topology, serves.collective, serves.ports, serves.duplex, /*root=*/1));
      const bool all_ports = serves.ports == PortModel::All;
      if (all_ports && (serves.duplex == Duplex::Full || has_root(serves.collective))) {
        CHECK(schedule.rounds() == bound_of(schedule));
        CHECK(schedule.rounds() ==
              lower_bound_delta(schedule.topology(), serves.collective, schedule.root));
      }
    }
  }
}

TEST_CASE("any-graph-combining sends every message once to every node, in a gossip") {
  for (const PortModel ports : {PortModel::Single, PortModel::All}) {
    const Schedule schedule =
        plan(request_on("torus:4x4", Collective::Gossip, ports, Duplex::Full));
    std::size_t messages = 0;
    for (const Transfer& t : schedule.transfers()) messages += schedule.messages(t).size();
    CHECK(messages == 16 * 15);
    CHECK(schedule.rounds() == 4);
  }
}

TEST_CASE("any-graph-combining finds the fewest rounds where they are known") {
  const auto [topology, duplex, rounds] = GENERATE(table<std::string, Duplex, std::uint32_t>({
      {"hypercube:4", Duplex::Full, 4},
      {"hypercube:6", Duplex::Full, 6},
      {"complete:8", Duplex::Full, 3},
      {"complete:8", Duplex::Half, 6},  // Even and Monien: 1 + the least k with Fibonacci(k) >= n/2
      {"mesh:4x4", Duplex::Full, 6},
      {"complete:7", Duplex::Full, 3},  // to the node 1 on, then 2, then 4
      {"ring:7", Duplex::Full, 5},
      {"ring:9", Duplex::Full, 6},
      {"path:7", Duplex::Full, 7},
      {"edges:tests/data/star-9.json", Duplex::Full, 15},
      {"edges:tests/data/tree-15.json", Duplex::Full, 11},
      {"edges:tests/data/star-9.json", Duplex::Half, 16},
  }));
  CAPTURE(topology, to_string(duplex));
  for (const Collective collective : {Collective::Gossip, Collective::TotalExchange}) {
    CHECK(plan(request_on(topology, collective, PortModel::Single, duplex)).rounds() == rounds);
  }
}

TEST_CASE("any-graph-combining is at the bound of single-port gossip on random trees") {
  std::mt19937 random(1);
  for (int i = 0; i < 12; ++i) {
    const Node nodes = 4 + static_cast<Node>(random() % 13);
    std::vector<Edge> edges;
    for (Node x = 1; x < nodes; ++x) edges.push_back({static_cast<Node>(random() % x), x});
    const Request request{.topology = Topology("tree", {graph_of_edges("tree", nodes, edges)}),
                          .collective = Collective::Gossip,
                          .ports = PortModel::Single};
    CAPTURE(nodes, i);
    const Schedule schedule = plan(request);
    CHECK(schedule.rounds() == bound_of(schedule));
  }
}

TEST_CASE("any-graph-combining refuses what has nothing to combine, cycles and large graphs") {
  Request request = request_on("ring:5", Collective::Broadcast, PortModel::All, Duplex::Full);
  CHECK(kAnyGraphCombining.refuses(request) ==
        "any-graph-combining: a broadcast has nothing to combine");
  request.collective = Collective::Gossip;
  request.cycle = {0, 1, 2, 3, 4};
  CHECK(kAnyGraphCombining.refuses(request) == "any-graph-combining takes no cycle");
  request = request_on("ring:2049", Collective::Gossip, PortModel::All, Duplex::Full);
  CHECK(kAnyGraphCombining.refuses(request) ==
        "any-graph-combining plans gossip on up to 2048 nodes, ring:2049 has 2049");
}

TEST_CASE("any-graph-combining gossips on tori with the least flow of a schedule by distance") {
  const auto topology = GENERATE("torus:5x5", "torus:7x7", "torus:8x8", "torus:7x7x7",
                                 "torus:4x6x5", "hypercube:7", "ghc:3x4x5");
  CAPTURE(topology);
  const Schedule schedule =
      plan(request_on(topology, Collective::Gossip, PortModel::All, Duplex::Full));
  // All that is so far away arrives through all ports alike.
  const Arcs arcs(schedule.topology());
  std::vector<std::uint64_t> at(schedule.rounds() + 1);
  for (const std::uint32_t distance : distances_from(arcs, 0)) ++at.at(distance);
  std::uint64_t least = 0;
  for (std::size_t d = 1; d < at.size(); ++d)
    least += (at[d] + arcs.degree(0) - 1) / arcs.degree(0);
  CHECK(check(schedule).tau_sum == least);
}
