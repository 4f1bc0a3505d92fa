// Nodes of one class run one program, so their own messages must have corresponding places.

#include <algorithm>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "tables/compiler.hpp"

using namespace gossamer;

namespace {

Schedule total_exchange(const Topology& topology, const Symmetry& symmetry) {
  return {topology, Collective::TotalExchange, {PortModel::All}, symmetry};
}

}  // namespace

TEST_CASE("own messages of a node are those of its class representative, translated") {
  const Topology topology = Topology::parse("torus:3x4");
  const Node generator[] = {1, 6};
  const Schedule schedule = total_exchange(topology, Symmetry(topology, generator));
  const Symmetry& symmetry = schedule.symmetry();
  REQUIRE(symmetry.classes() == 2);
  for (Node x = 0; x < topology.nodes(); ++x) {
    CAPTURE(x);
    const auto own = own_messages(schedule, x);
    const auto first = own_messages(schedule, symmetry.representative(symmetry.class_of(x)));
    REQUIRE(own.size() == topology.nodes() - 1);
    for (std::size_t i = 0; i < own.size(); ++i) {
      CHECK(own[i].origin == x);
      CHECK(own[i].destination == topology.translate(first[i].destination, symmetry.shift(x)));
      CHECK(own[i].destination != x);
    }
  }
}

TEST_CASE("without symmetry a node's own messages are in the order of their destinations") {
  const Topology topology = Topology::parse("path:5");
  const Schedule schedule = total_exchange(topology, Symmetry(topology));
  CHECK(own_messages(schedule, 2) == std::vector<Message>{{2, 0}, {2, 1}, {2, 3}, {2, 4}});
}
