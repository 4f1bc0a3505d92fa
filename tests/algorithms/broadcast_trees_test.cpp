// Broadcasts down trees that share no arc: every number of pieces that a graph allows, from every
// node.
#include "algorithms/broadcast_trees/broadcast_trees.hpp"
#include "algorithms/common/all.hpp"
#include "bounds/bounds.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "support/error.hpp"
#include "tables/timing.hpp"

using namespace gossamer;

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
