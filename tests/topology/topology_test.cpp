#include "topology/topology.hpp"

#include <map>
#include <set>
#include <string>

#include "brute_force.hpp"
#include "catch.hpp"

using namespace gossamer;
using test::diameter;

namespace {

/// Number of nodes by number of links.
std::map<Port, Node> degrees(const Topology& topology) {
  std::map<Port, Node> count;
  for (Node x = 0; x < topology.nodes(); ++x) ++count[topology.degree(x)];
  return count;
}

struct Facts {
  std::string spec;
  Node nodes;
  Port ports;
  std::map<Port, Node> degrees;
  unsigned diameter;
  bool translatable;
};

/// Text-book values.
const std::vector<Facts> kFacts = {
    {"ring:2", 2, 1, {{1, 2}}, 1, true},
    {"ring:3", 3, 2, {{2, 3}}, 1, true},
    {"ring:8", 8, 2, {{2, 8}}, 4, true},
    {"ring:9", 9, 2, {{2, 9}}, 4, true},
    {"path:2", 2, 1, {{1, 2}}, 1, true},
    {"path:3", 3, 2, {{1, 2}, {2, 1}}, 2, false},
    {"path:7", 7, 2, {{1, 2}, {2, 5}}, 6, false},
    {"complete:2", 2, 1, {{1, 2}}, 1, true},
    {"complete:6", 6, 5, {{5, 6}}, 1, true},
    {"torus:7x7x7", 343, 6, {{6, 343}}, 9, true},
    {"torus:4x3", 12, 4, {{4, 12}}, 3, true},
    {"torus:2x3", 6, 3, {{3, 6}}, 2, true},
    {"mesh:3x4", 12, 4, {{2, 4}, {3, 6}, {4, 2}}, 5, false},
    {"mesh:2x2x2", 8, 3, {{3, 8}}, 3, true},
    {"hypercube:1", 2, 1, {{1, 2}}, 1, true},
    {"hypercube:5", 32, 5, {{5, 32}}, 5, true},
    {"ghc:3x4", 12, 5, {{5, 12}}, 2, true},
    {"ccc:2", 8, 2, {{2, 8}}, 4, false},
    {"ccc:3", 24, 3, {{3, 24}}, 6, false},
    {"ccc:4", 64, 3, {{3, 64}}, 8, false},
    {"ccc:5", 160, 3, {{3, 160}}, 10, false},
    {"butterfly:3", 24, 4, {{4, 24}}, 4, false},
    {"butterfly:4", 64, 4, {{4, 64}}, 6, false},
    {"debruijn:1", 2, 1, {{1, 2}}, 1, false},
    {"debruijn:3", 8, 4, {{2, 2}, {3, 2}, {4, 4}}, 3, false},
    {"debruijn:6", 64, 4, {{2, 2}, {3, 2}, {4, 60}}, 6, false},
    {"product:ring:3,path:4", 12, 4, {{3, 6}, {4, 6}}, 4, false},
    {"product:torus:3x3,complete:4,path:2", 72, 8, {{8, 72}}, 4, true},
};

}  // namespace

TEST_CASE("families have the nodes, degrees and diameter of the text books") {
  for (const Facts& facts : kFacts) {
    CAPTURE(facts.spec);
    const Topology topology = Topology::parse(facts.spec);
    CHECK(topology.spec() == facts.spec);
    CHECK(topology.nodes() == facts.nodes);
    CHECK(topology.ports() == facts.ports);
    CHECK(degrees(topology) == facts.degrees);
    CHECK(diameter(topology) == facts.diameter);
    CHECK(topology.translatable() == facts.translatable);
  }
}

TEST_CASE("the other end of the other end of a link is where it began") {
  for (const Facts& facts : kFacts) {
    CAPTURE(facts.spec);
    const Topology topology = Topology::parse(facts.spec);
    for (Node x = 0; x < topology.nodes(); ++x) {
      std::set<Node> neighbours;
      for (Port p = 0; p < topology.ports(); ++p) {
        const Endpoint e = topology.peer(x, p);
        if (!e.connected()) continue;
        CAPTURE(x, p, e.node, e.port);
        REQUIRE(topology.peer(e.node, e.port) == Endpoint{x, p});
        REQUIRE(topology.port_to(x, e.node) == p);
        REQUIRE(e.node != x);
        REQUIRE(neighbours.insert(e.node).second);
      }
    }
  }
}

TEST_CASE("port_to finds the links that exist and no others") {
  for (const char* spec : {"torus:3x4", "mesh:3x3", "ccc:3", "ghc:3x4", "product:path:3,ring:4"}) {
    const Topology topology = Topology::parse(spec);
    for (Node x = 0; x < topology.nodes(); ++x) {
      const auto hops = test::distances(topology, x);
      for (Node y = 0; y < topology.nodes(); ++y) {
        CAPTURE(spec, x, y);
        REQUIRE((topology.port_to(x, y) != kNoPort) == (hops[y] == 1));
      }
    }
    CHECK(topology.port_to(0, topology.nodes()) == kNoPort);
    CHECK(topology.port_to(topology.nodes(), 0) == kNoPort);
  }
}

TEST_CASE("ports are numbered as documented") {
  const Topology ring = Topology::parse("ring:5");
  CHECK(ring.peer(4, 0) == Endpoint{0, 1});
  CHECK(ring.peer(0, 1) == Endpoint{4, 0});
  const Topology path = Topology::parse("path:4");
  CHECK(path.peer(1, 0) == Endpoint{2, 1});
  CHECK_FALSE(path.peer(0, 1).connected());
  CHECK_FALSE(path.peer(3, 0).connected());
  const Topology complete = Topology::parse("complete:5");
  CHECK(complete.peer(3, 2) == Endpoint{1, 1});
  const Topology torus = Topology::parse("torus:4x5");
  CHECK(torus.peer(3 + 4 * 4, 0) == Endpoint{0 + 4 * 4, 1});
  CHECK(torus.peer(3 + 4 * 4, 2) == Endpoint{3 + 4 * 0, 3});
  const Topology de_bruijn = Topology::parse("debruijn:3");  // 2 is linked to 1, 4 and 5
  CHECK(de_bruijn.peer(2, 0).node == 1);
  CHECK(de_bruijn.peer(2, 1).node == 4);
  CHECK(de_bruijn.peer(2, 2).node == 5);
  CHECK_FALSE(de_bruijn.peer(2, 3).connected());
}
