#include <random>
#include <set>
#include <stdexcept>

#include "catch.hpp"
#include "topology/topology.hpp"

using namespace gossamer;

TEST_CASE("translations move links onto links, port by port") {
  for (const char* spec : {"ring:7", "torus:4x5", "hypercube:4", "ghc:3x4", "torus:2x3x4"}) {
    const Topology topology = Topology::parse(spec);
    REQUIRE(topology.translatable());
    for (Node by = 0; by < topology.nodes(); ++by) {
      for (Node x = 0; x < topology.nodes(); ++x) {
        const Node moved = topology.translate(x, by);
        CAPTURE(spec, x, by);
        REQUIRE(topology.translate(moved, topology.negate(by)) == x);
        for (Port p = 0; p < topology.ports(); ++p) {
          const Endpoint e = topology.peer(x, p);
          REQUIRE(topology.peer(moved, p) == Endpoint{topology.translate(e.node, by), e.port});
        }
      }
    }
  }
}

TEST_CASE("symmetries of random generators are groups, and their classes orbits") {
  std::mt19937 random(7);
  for (const char* spec : {"ring:12", "torus:4x6", "torus:3x5x2", "hypercube:5", "ghc:4x3"}) {
    const Topology topology = Topology::parse(spec);
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<Node> generators;
      for (int g = 0; g <= trial % 3; ++g) generators.push_back(random() % topology.nodes());
      const Symmetry symmetry(topology, generators);
      CAPTURE(spec, trial, symmetry.order());

      const std::vector<Node> elements = symmetry.elements();
      const std::set<Node> group(elements.begin(), elements.end());
      REQUIRE(group.size() == symmetry.order());
      REQUIRE(group.count(0) == 1);
      for (const Node g : generators) REQUIRE(group.count(g) == 1);
      for (const Node a : group) {
        for (const Node b : generators) REQUIRE(group.count(topology.translate(a, b)) == 1);
      }
      REQUIRE(symmetry.classes() * symmetry.order() == topology.nodes());
      for (Node x = 0; x < topology.nodes(); ++x) {
        const Node representative = symmetry.representative(symmetry.class_of(x));
        REQUIRE(group.count(symmetry.shift(x)) == 1);
        REQUIRE(topology.translate(representative, symmetry.shift(x)) == x);
        for (const Node g : generators) {
          REQUIRE(symmetry.class_of(topology.translate(x, g)) == symmetry.class_of(x));
        }
      }
    }
  }
}

TEST_CASE("translations, groups and classes of tori with more than 2^16, 2^24 and 2^30 nodes") {
  std::mt19937 random(8);
  for (const auto& sides : std::vector<std::vector<std::uint64_t>>{
           {256, 256, 2}, {65536, 3}, {343, 343, 343}, {4096, 4096}, {40000, 50000}}) {
    std::string spec = "torus:";
    std::uint64_t nodes = 1;
    for (const std::uint64_t side : sides) {
      spec += (nodes == 1 ? "" : "x") + std::to_string(side);
      nodes *= side;
    }
    const Topology topology = Topology::parse(spec);
    REQUIRE(topology.nodes() == nodes);
    const auto sum = [&](std::uint64_t x, std::uint64_t by) {
      std::uint64_t result = 0, stride = 1;
      for (const std::uint64_t side : sides) {
        result += (x / stride % side + by / stride % side) % side * stride;
        stride *= side;
      }
      return result;
    };
    for (int trial = 0; trial < 50; ++trial) {
      const auto any = [&] { return static_cast<Node>(random() % nodes); };
      const Node g = trial % 3 == 0 ? any() : static_cast<Node>(sides[0] * (trial % 2 + 1));
      const std::vector<Node> generators = {g, static_cast<Node>(trial % 5)};
      const Symmetry symmetry(topology, generators);
      CAPTURE(spec, g, symmetry.order());
      REQUIRE(std::uint64_t{symmetry.order()} * symmetry.classes() == nodes);
      for (int i = 0; i < 20; ++i) {
        const Node x = any(), c = static_cast<Node>(random() % symmetry.classes());
        REQUIRE(topology.translate(x, g) == sum(x, g));
        REQUIRE(sum(topology.negate(x), x) == 0);
        REQUIRE(symmetry.class_of(symmetry.representative(c)) == c);
        REQUIRE(symmetry.class_of(topology.translate(x, g)) == symmetry.class_of(x));
        REQUIRE(sum(symmetry.representative(symmetry.class_of(x)), symmetry.shift(x)) == x);
      }
    }
  }
}

TEST_CASE("the smallest group with given generators is taken") {
  const Topology ring = Topology::parse("ring:12");
  CHECK(Symmetry(ring, std::vector<Node>{4}).order() == 3);
  CHECK(Symmetry(ring, std::vector<Node>{8, 6}).order() == 6);
  CHECK(Symmetry(ring, std::vector<Node>{5}).order() == 12);
  const Topology torus = Topology::parse("torus:4x6");
  CHECK(Symmetry(torus, std::vector<Node>{1 + 4 * 1}).order() == 12);
  CHECK(Symmetry(torus, std::vector<Node>{2, 4 * 3}).order() == 4);
}

TEST_CASE("factors that are cyclic can be translated beside others that are not") {
  const Topology topology = Topology::parse("product:ring:5,path:3");
  CHECK_FALSE(topology.translatable());
  CHECK(Symmetry(topology, std::vector<Node>{1}).order() == 5);
  CHECK_THROWS_AS(Symmetry(topology, std::vector<Node>{5}), std::logic_error);
}
