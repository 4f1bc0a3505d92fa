#include <random>
#include <set>
#include <string>

#include "catch.hpp"
#include "scratch.hpp"
#include "topology/topology.hpp"

using namespace gossamer;

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

TEST_CASE("a side of one node adds nothing") {
  for (const auto& [spec, same] : std::vector<std::pair<std::string, std::string>>{
           {"torus:4x4x1", "torus:4x4"},
           {"torus:1x4", "ring:4"},
           {"mesh:1x8", "path:8"},
           {"mesh:8x1x1", "path:8"},
           {"ghc:1x3x1x4", "ghc:3x4"},
           {"product:mesh:1x3,torus:4x1", "product:path:3,ring:4"}}) {
    CAPTURE(spec);
    const Topology topology = Topology::parse(spec), other = Topology::parse(same);
    REQUIRE(topology.factors().size() == other.factors().size());
    for (std::size_t i = 0; i < other.factors().size(); ++i) {
      CHECK(topology.factors()[i].peers == other.factors()[i].peers);
    }
  }
}

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
