// The collectives of any-graph in every model. Gossip through all ports has a file of its own.
#include "algorithms/any_graph/any_graph.hpp"

#include <fmt/format.h>

#include "algorithms/small_graphs.hpp"
#include "bounds/bounds.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"

using namespace gossamer;

namespace {

struct Result {
  std::uint64_t rounds, bound;
};

/// Plans; the checker must accept the schedule, and it must not be shorter than the bound.
Result plan(const std::string& topology, Collective collective, PortModel ports, Duplex duplex,
            Node root = 0) {
  const Request request{Topology::parse(topology), collective, ports, duplex, root};
  REQUIRE_FALSE(kAnyGraph.refuses(request));
  const Schedule schedule = kAnyGraph.plan(request);
  const CheckReport report = check(schedule);
  CAPTURE(report.faults.empty() ? "" : to_string(report.faults.front()));
  CHECK(test::broken_rules(report) == "");
  const std::uint64_t bound =
      lower_bound_rounds(request.topology, collective, schedule.model(), root);
  CHECK(schedule.rounds() >= bound);
  return {schedule.rounds(), bound};
}

}  // namespace

TEST_CASE("any-graph keeps the rules in every collective and model") {
  for (const char* topology : test::kSmallGraphs) {
    for (const Collective collective :
         {Collective::Broadcast, Collective::Gossip, Collective::Scatter, Collective::Gather,
          Collective::TotalExchange}) {
      for (const PortModel ports : {PortModel::Single, PortModel::All}) {
        for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
          CAPTURE(topology, to_string(collective), to_string(ports), to_string(duplex));
          plan(topology, collective, ports, duplex);
        }
      }
    }
  }
}

TEST_CASE("any-graph scatters and gathers in the fewest rounds from every root") {
  for (const char* topology : {"mesh:4x4", "ccc:3", "edges:tests/data/tree-15.json",
                               "edges:tests/data/board-8.json", "edges:tests/data/dumbbell.json"}) {
    for (const PortModel ports : {PortModel::Single, PortModel::All}) {
      for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
        for (Node root = 0; root < Topology::parse(topology).nodes(); ++root) {
          CAPTURE(topology, to_string(ports), to_string(duplex), root);
          const Result scatter = plan(topology, Collective::Scatter, ports, duplex, root);
          const Result gather = plan(topology, Collective::Gather, ports, duplex, root);
          CHECK(scatter.rounds == scatter.bound);
          CHECK(gather.rounds == scatter.rounds);
          CHECK(gather.bound == scatter.bound);
        }
      }
    }
  }
}

TEST_CASE("any-graph broadcasts in the known numbers of rounds") {
  const auto [topology, root, single] = GENERATE(table<std::string, Node, std::uint64_t>({
      {"hypercube:6", 0, 6},  // doubles every round
      {"complete:16", 3, 4},  // the same
      {"path:9", 0, 8},       // from an end
      {"path:9", 4, 5},       // from the middle: one side starts a round later
      {"ring:9", 0, 5},       // ceil(9/2)
      {"ring:10", 0, 5},
      {"mesh:5x6", 0, 9},                      // from a corner: the diameter
      {"torus:6x6", 0, 6},                     // the diameter
      {"torus:5x5", 0, 5},                     // the diameter + 1
      {"edges:tests/data/star-9.json", 0, 8},  // the hub informs one leaf after the other
      {"edges:tests/data/star-9.json", 1, 8},
  }));
  CAPTURE(topology, root);
  CHECK(plan(topology, Collective::Broadcast, PortModel::Single, Duplex::Full, root).rounds ==
        single);
  const Result all = plan(topology, Collective::Broadcast, PortModel::All, Duplex::Full, root);
  CHECK(all.rounds == all.bound);
}

TEST_CASE("any-graph exchanges everything near the load of the best routing") {
  const auto [topology, ports, rounds] = GENERATE(table<std::string, PortModel, std::uint64_t>({
      {"path:8", PortModel::Single, 31},  // docs/research/beyond.md: n*n/2 - 1
      {"path:9", PortModel::Single, 40},  // (n*n - 1) / 2
      {"mesh:4x4", PortModel::All, 16},   // the bound
      {"edges:tests/data/star-9.json", PortModel::All, 8},
      {"edges:tests/data/petersen.json", PortModel::All, 5},
  }));
  CAPTURE(topology);
  CHECK(plan(topology, Collective::TotalExchange, ports, Duplex::Full).rounds <= rounds);
}
