#include "topology/topology.hpp"

#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

#include "brute_force.hpp"
#include "catch.hpp"
#include "scratch.hpp"

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

namespace {

/// A file that lives as long as the test.
class EdgeFile {
 public:
  explicit EdgeFile(const std::string& text) : name_(scratch_.file("edges.json", text)) {}
  std::string spec() const { return "edges:" + name_; }

 private:
  Scratch scratch_;
  std::string name_;
};

}  // namespace

TEST_CASE("a file of edges becomes a graph whose ports follow the neighbours' numbers") {
  const EdgeFile file(R"({"n":4,"edges":[[3,0],[0,1],[2,1],[0,2]]})");
  const Topology topology = Topology::parse(file.spec());
  CHECK(topology.spec() == file.spec());
  CHECK(topology.nodes() == 4);
  CHECK(topology.ports() == 3);
  CHECK_FALSE(topology.translatable());
  CHECK(topology.peer(0, 0) == Endpoint{1, 0});
  CHECK(topology.peer(0, 1) == Endpoint{2, 0});
  CHECK(topology.peer(0, 2) == Endpoint{3, 0});
  CHECK(topology.peer(2, 1) == Endpoint{1, 1});
  CHECK_FALSE(topology.peer(3, 1).connected());
}

TEST_CASE("a file of edges names nodes, and says how long links are and where they lead") {
  const EdgeFile file(
      R"({"nodes":["cpu","a","b"],"edges":[["cpu","a",2],{"link":["a","b"],"stages":3},)"
      R"({"link":["b","cpu"],"one_way":true},{"link":[1,0],"one_way":true,"stages":3}]})");
  const Topology t = Topology::parse(file.spec());
  CHECK(t.named());
  CHECK(t.name(1) == "a");
  CHECK(t.node_named("b") == Node{2});
  CHECK(t.node_named("2") == Node{2});
  CHECK_FALSE(t.node_named("3"));
  CHECK_FALSE(t.node_named("c"));
  CHECK(t.one_way());
  CHECK(t.parallel());
  // Alike links side by side: without stages and with, of these those to lower numbers first.
  CHECK(t.factors()[0].stages == std::vector<std::uint32_t>{0, 0, 0, 3, 3});
  CHECK(t.peer(2, 0) == Endpoint{0, 0});
  CHECK(t.sends(2, 0));
  CHECK_FALSE(t.sends(0, 0));
  CHECK(t.peer(1, 3) == Endpoint{0, 3});
  CHECK(t.port_to(2, 0) == 0);
  CHECK(t.port_to(0, 2) == kNoPort);
  CHECK(t.port_to(1, 0, 0) == 1);
  CHECK(t.port_to(1, 0, 2) == 3);
  CHECK(t.port_to(1, 0, 3) == kNoPort);
  CHECK(t.port_to(0, 1, 0) == 1);
  CHECK(t.port_to(0, 1, 2) == kNoPort);
  CHECK(t.peer(1, 4) == Endpoint{2, 4});
  // A product's nodes have numbers only, and its links are one-way as the factor's are.
  const Topology product = Topology::parse("product:" + file.spec() + ",path:2");
  CHECK_FALSE(product.named());
  CHECK(product.one_way());
  CHECK(product.port_to(0, 2) == kNoPort);
  CHECK(product.port_to(5, 3) == 0);
}

TEST_CASE("random graphs keep exactly their edges") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 20; ++trial) {
    const Node n = 2 + random() % 30;
    std::set<std::pair<Node, Node>> edges;
    for (Node x = 1; x < n; ++x) edges.emplace(random() % x, x);  // a tree: connected
    for (int k = 0; k < 20; ++k) {
      const Node a = random() % n, b = random() % n;
      if (a != b) edges.insert(std::minmax(a, b));
    }
    std::string text = "{\"n\":" + std::to_string(n) + ",\"edges\":[";
    for (const auto& [a, b] : edges) {
      text += "[" + std::to_string(b) + "," + std::to_string(a) + "],";
    }
    text.back() = ']';
    const EdgeFile file(text + "}");
    const Topology topology = Topology::parse(file.spec());
    std::set<std::pair<Node, Node>> read;
    for (Node x = 0; x < n; ++x) {
      for (Port p = 0; p < topology.ports(); ++p) {
        if (topology.peer(x, p).connected()) read.insert(std::minmax(x, topology.peer(x, p).node));
      }
    }
    CHECK(read == edges);
  }
}

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
