#include <random>
#include <set>
#include <string>

#include "catch.hpp"
#include "support/error.hpp"
#include "support/scratch.hpp"
#include "topology/topology.hpp"

using namespace gossamer;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string error_of(const std::string& spec) {
  try {
    Topology::parse(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

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

TEST_CASE("a malformed topology is refused in one line that names the place and the reason") {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"", {"KIND:SIZE"}},
      {"ring", {"'ring'", "KIND:SIZE"}},
      {"ring:", {"nothing", "ring:"}},
      {"ring:1", {"'1'", "from 2"}},
      {"ring:0", {"'0'", "from 2"}},
      {"ring:-3", {"'-3'"}},
      {"ring:8x", {"'8x'"}},
      {"ring: 8", {"' 8'"}},
      {"ring:99999999999999999999", {"number of nodes"}},
      {"path:1", {"'1'"}},
      {"toru:4x4", {"'toru'", "did you mean 'torus'?"}},
      {"kite:4", {"'kite'", "ring", "torus", "edges"}},
      {"torus:4x", {"torus:4x", "missing"}},
      {"torus:1x1", {"torus:1x1", "single node"}},
      {"torus:65536x65536", {"2^31"}},
      {"mesh:3,4", {"'3,4'"}},
      {"hypercube:0", {"'0'"}},
      {"hypercube:32", {"'32'", "31"}},
      {"complete:20000", {"'20000'", "11585"}},
      {"ccc:1", {"'1'"}},
      {"butterfly:1", {"'1'"}},
      {"debruijn:0", {"'0'"}},
      {"product:ring:3,", {"KIND:SIZE"}},
      {"product:ring:3,product:ring:4", {"product"}},
      {"edges:no-such-file.json", {"no-such-file.json", "cannot open"}},
  };
  for (const auto& [spec, parts] : cases) {
    const std::string error = error_of(spec);
    CAPTURE(spec, error);
    CHECK_FALSE(contains(error, "\n"));
    for (const std::string& part : parts) CHECK(contains(error, part));
  }
}

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

TEST_CASE("a file of edges that is no connected simple graph is refused") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"n":5,"edges":[[0,1],[0,2],[1,2],[3,4]]})", "not connected: node 3"},
      {R"({"n":4,"edges":[[1,2],[2,3],[3,1]]})", "not connected: node 1"},
      {R"({"n":4,"edges":[[0,1],[2,3]]})", "not connected: 4 nodes need 3 links at least"},
      {R"({"n":134217728,"edges":[[0,1]]})", "not connected: 134217728 nodes need 134217727"},
      {R"({"n":3,"n":4,"edges":[[0,1],[1,2]]})", "key \"n\" appears twice"},
      {std::string(200'000, '['), "nested more than 64 deep"},
      {R"({"n":3,"edges":[[0,1],[1,2,0]]})",
       "edge 1 is [1,2,0]; expected [a,b] with nodes from 0 to 2, or [a,b,k] for k links, 1 to 63"},
      {R"({"n":3,"edges":[[0,1,60],[1,2],[1,0,4]]})",
       "edge 2 is one more of 64 links between 0 and 1; expected 63 at most"},
      {R"({"n":3,"edges":[[0,1],[1,1],[1,2]]})", "edge 1 is a self loop at node 1"},
      {R"({"n":3,"edges":[[0,1],[1,3]]})", "edge 1 is [1,3]"},
      {R"({"n":3,"edges":[[0,1],[1,-1]]})", "edge 1 is [1,-1]"},
      {R"({"n":3,"edges":[[0,1],[1]]})", "edge 1 is [1]"},
      {R"({"n":3,"edges":[[0,1],"x"]})", "edge 1 is \"x\""},
      {R"({"n":3,"edges":[[0,1],[3,1]]})",
       "edge 1 is [3,1]; expected [a,b] with nodes from 0 to 2"},
      {R"({"n":3,"edges":[[0,1],[1,2,0]]})", "edge 1 is [1,2,0]"},
      {R"({"n":3,"edges":[[0,1],[1,"2"]]})", "edge 1 is [1,\"2\"]"},
      {R"({"n":3,"edges":[[0,1],["2",1]]})", "edge 1 is [\"2\",1]"},
      {R"({"n":6,"edges":[[0,1],[1,2],[0,2],[3,4],[5,3]]})", "not connected: node 3"},
      {R"({"n":134217729,"edges":[]})",
       "\"n\" is 134217729; expected a number of nodes from 2 to 2^27"},
      {R"({"n":0,"edges":[]})", "\"n\" is 0"},
      {R"({"n":1,"edges":[]})", "\"n\" is 1"},
      {R"({"n":"3","edges":[]})", "\"n\" is"},
      {R"({"n":3,"edges":7})", "\"edges\" is no list"},
      {R"({"edges":[]})", "expected {\"n\":6"},
      {R"([])", "expected {\"n\":6"},
      {R"({"n":3,"edges":[[0,1)", "no JSON"},
      {R"({"n":2,"nodes":["a","b"],"edges":[[0,1]]})", "unknown key \"n\""},
      {R"({"nodes":["a"],"edges":[]})", "\"nodes\" is [\"a\"]; expected a list of two names"},
      {R"({"nodes":["a","7"],"edges":[[0,1]]})", "node 1 is called \"7\"; expected a letter"},
      {R"({"nodes":["a","b-c"],"edges":[[0,1]]})", "node 1 is called \"b-c\""},
      {R"({"nodes":["a",3],"edges":[[0,1]]})", "node 1 is called 3"},
      {R"({"nodes":["a","b","a"],"edges":[[0,1],[1,2]]})", "node 2 is called a, as node 0 is"},
      {R"({"nodes":["a","b"],"edges":[["a","c"]]})",
       "edge 0 is [\"a\",\"c\"]; expected [a,b] with nodes from 0 to 1 or their names"},
      {R"({"nodes":["a","b"],"edges":[["a","a"]]})", "edge 0 is a self loop at node a"},
      {R"({"n":2,"edges":[{"link":[0,1],"stages":64}]})",
       "\"stages\" of edge 0 is 64; expected 0 to 63 registers"},
      {R"({"n":2,"edges":[{"link":[0,1],"one_way":1}]})",
       "\"one_way\" of edge 0 is 1; expected true or false"},
      {R"({"n":2,"edges":[{"link":[0,1],"weight":2}]})", "unknown key \"weight\" of edge 0"},
      {R"({"n":2,"edges":[{"link":[0,2]}]})", "edge 0 is {\"link\":[0,2]}; expected [a,b]"},
      {R"({"n":3,"edges":[[0,1],{"link":[1,2],"one_way":true}]})",
       "not connected: node 0 cannot be reached from node 2, for links are one-way"},
      {R"({"n":3,"edges":[[0,1],{"link":[2,1],"one_way":true}]})",
       "not connected: node 2 cannot be reached from node 0"},
      {"", "no JSON"},
  };
  for (const auto& [text, reason] : cases) {
    const EdgeFile file(text);
    const std::string error = error_of(file.spec());
    CAPTURE(text, error);
    CHECK_FALSE(contains(error, "\n"));
    CHECK(contains(error, reason));
    CHECK(contains(error, file.spec().substr(6)));
  }
}

TEST_CASE("an edge is a list of two nodes, and no other JSON with two elements") {
  const EdgeFile file(R"({"n":2,"edges":[{"a":0,"b":1}]})");
  CHECK(contains(error_of(file.spec()), R"(edge 0 is {"a":0,"b":1}; expected [a,b])"));
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

TEST_CASE("two nodes and a link are the smallest file of edges") {
  const EdgeFile file(R"({"n":2,"edges":[[1,0]]})");
  CHECK(error_of(file.spec()) == "no error");
  CHECK(Topology::parse(file.spec()).nodes() == 2);
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
