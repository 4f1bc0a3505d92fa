#include <string>

#include "catch.hpp"
#include "topology/topology.hpp"

namespace gossamer::test {

TEST_CASE("translation: many nodes are moved as each by itself") {
  for (const char* spec : {"ring:7", "torus:5x4", "torus:3x5x2", "hypercube:5", "ghc:3x4", "ring:2",
                           "torus:8x8", "ring:65536"}) {
    CAPTURE(spec);
    const Topology topology = Topology::parse(spec);
    const Node step = topology.nodes() > 1000 ? 1021 : 1;
    std::size_t different = 0;
    for (Node by = 0; by < topology.nodes(); by += step) {
      const Translation translation(topology, by);
      for (Node x = 0; x < topology.nodes(); x += step) {
        different += translation(x) != topology.translate(x, by);
      }
    }
    CHECK(different == 0);
  }
}

TEST_CASE("translation: at the borders of the largest blocks") {
  for (const char* spec : {"torus:343x343x343", "torus:1000x1000x1000", "torus:46340x46341"}) {
    CAPTURE(spec);
    const Topology topology = Topology::parse(spec);
    const Node last = topology.nodes() - 1, side = topology.factors()[0].nodes;
    for (const Node by : {Node{1}, side - 1, side, side + 1, last / 2, last - side, last}) {
      const Translation translation(topology, by);
      for (const Node x : {Node{0}, Node{1}, side - 1, side, last / 2, last - side, last - 1, last,
                           topology.negate(by), topology.negate(by) + 1}) {
        if (x > last) continue;
        CAPTURE(by, x);
        CHECK(translation(x) == topology.translate(x, by));
      }
    }
  }
}

}  // namespace gossamer::test
