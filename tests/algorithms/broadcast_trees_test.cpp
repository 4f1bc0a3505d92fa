// Broadcasts down trees that share no arc: every number of pieces that a graph allows, from every
// node.
#include "algorithms/broadcast_trees/broadcast_trees.hpp"

#include "algorithms/broadcast_trees/disjoint_trees.hpp"
#include "bounds/cycles.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "support/error.hpp"
#include "tables/timing.hpp"

using namespace gossamer;

TEST_CASE(
    "broadcast-trees: each number of pieces, from each node, keeps the rules and is no faster than "
    "the bound") {
  for (const char* spec : {"ring:5", "path:4", "torus:3x4", "mesh:3x3", "hypercube:4", "complete:6",
                           "debruijn:3", "product:ring:3,path:3", "ccc:3"}) {
    const Topology topology = Topology::parse(spec);
    for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
      for (Node root = 0; root < topology.nodes(); ++root) {
        Request request{.topology = topology,
                        .collective = Collective::Broadcast,
                        .ports = PortModel::All,
                        .duplex = duplex,
                        .root = root};
        const std::uint32_t most = broadcast_trees::most_trees(Arcs(topology), duplex, root);
        for (std::uint32_t pieces = 1; pieces <= most; ++pieces) {
          CAPTURE(spec, to_string(duplex), root, pieces);
          request.pieces = pieces;
          request.flits = 3 * pieces + 1;
          REQUIRE(!kBroadcastTrees.refuses(request));
          std::optional<Schedule> schedule;
          // The degrees allow so many; whether the graph does is found out.
          try {
            schedule = kBroadcastTrees.plan(request);
          } catch (const InputError&) {
            CHECK(pieces > 1);
            continue;
          }
          CHECK(schedule->pieces() == pieces);
          CHECK(test::broken_rules(*schedule) == "");
          const CheckReport report = check(*schedule);
          CHECK(report.rounds == 1);
          CHECK(report.transmissions == std::uint64_t{pieces} * (topology.nodes() - 1));
          CHECK(timed(*schedule, request.flits)->time.last_arrival >=
                lower_bound_cycles(topology, request.collective, schedule->model(), root,
                                   request.flits)
                    .value);
        }
        request.pieces = most + 1;
        CHECK(kBroadcastTrees.refuses(request).has_value());
      }
    }
  }
}

TEST_CASE(
    "broadcast-trees: long messages go down as many trees as there are, short ones down few") {
  const auto pieces = [](const char* spec, unsigned flits) {
    return kBroadcastTrees
        .plan({.topology = Topology::parse(spec),
               .collective = Collective::Broadcast,
               .ports = PortModel::All,
               .flits = flits})
        .pieces();
  };
  CHECK(pieces("hypercube:4", 1000) == 4);
  CHECK(pieces("torus:5x5", 1000) == 4);
  CHECK(pieces("ring:16", 1000) == 2);
  CHECK(pieces("ring:16", 4) == 1);
  CHECK(pieces("mesh:5x5", 1) == 1);
}
