#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "catch.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

namespace {

/// Visits every node once, along links, and returns to the start: the definition, port by port.
bool is_hamiltonian_cycle(const Topology& topology, const std::vector<Node>& cycle) {
  const Node n = topology.nodes();
  if (cycle.size() != n || std::set<Node>(cycle.begin(), cycle.end()).size() != n) return false;
  for (Node i = 0; i < n; ++i) {
    bool linked = false;
    for (Port p = 0; p < topology.ports(); ++p) {
      linked = linked || topology.peer(cycle[i], p).node == cycle[(i + 1) % n];
    }
    if (!linked) return false;
  }
  return true;
}

void require_cycle(const std::string& spec) {
  const Topology topology = Topology::parse(spec);
  const FoundCycle found = hamiltonian_cycle(topology);
  CAPTURE(spec, found.why_none);
  REQUIRE(is_hamiltonian_cycle(topology, found.cycle));
  CHECK_FALSE(why_no_cycle(topology, found.cycle));
}

/// A topology from edges, through a file, as a user would give it.
Topology graph(Node n, const std::vector<std::pair<Node, Node>>& edges) {
  std::string text = fmt::format("{{\"n\":{},\"edges\":[", n);
  const char* separator = "";
  for (const auto& [a, b] : edges) {
    text += fmt::format("{}[{},{}]", separator, a, b);
    separator = ",";
  }
  const Scratch scratch;
  return Topology::parse("edges:" + scratch.file("graph.json", text + "]}"));
}

}  // namespace

TEST_CASE("cube-connected cycles, butterflies and de Bruijn graphs have a hamiltonian cycle") {
  for (Node d = 2; d <= 9; ++d) require_cycle(fmt::format("ccc:{}", d));
  for (Node d = 2; d <= 12; ++d) require_cycle(fmt::format("butterfly:{}", d));
  for (Node d = 1; d <= 14; ++d) require_cycle(fmt::format("debruijn:{}", d));
}

TEST_CASE("meshes have a hamiltonian cycle exactly if a side is even and none stands alone") {
  for (Node a = 2; a <= 6; ++a) {
    for (Node b = 2; b <= 6; ++b) {
      const std::string spec = fmt::format("mesh:{}x{}", a, b);
      if (a * b % 2 == 0) {
        require_cycle(spec);
      } else {
        CHECK(hamiltonian_cycle(Topology::parse(spec)).why_none ==
              fmt::format(
                  "{} has no hamiltonian cycle: it is bipartite with sides of {} and {} nodes",
                  spec, (a * b + 1) / 2, a * b / 2));
      }
    }
  }
  for (const char* spec : {"mesh:3x3x2", "mesh:3x5x3x4", "mesh:2x3x5"}) require_cycle(spec);
  CHECK(hamiltonian_cycle(Topology::parse("path:4")).why_none ==
        "path:4 has no hamiltonian cycle: node 0 has one link only");
}

TEST_CASE("random products of random factors have a hamiltonian cycle unless all are odd paths") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    std::string spec = "product:";
    bool closed = false;
    const unsigned dimensions = 2 + random() % 3;
    for (unsigned f = 0; f < dimensions; ++f) {
      const unsigned kind = random() % 3;
      const Node size = 2 + random() % 5;
      const char* const names[] = {"ring", "path", "complete"};
      spec += fmt::format("{}{}:{}", f == 0 ? "" : ",", names[kind], size);
      closed = closed || kind != 1 || size % 2 == 0;
    }
    CAPTURE(spec);
    if (closed) {
      require_cycle(spec);
    } else {
      CHECK(hamiltonian_cycle(Topology::parse(spec)).cycle.empty());
    }
  }
}

TEST_CASE("a search finds the hamiltonian cycle hidden in a random graph") {
  std::mt19937 random(5);
  for (const Node n : {10u, 50u, 300u, 2000u}) {
    std::vector<Node> order(n);
    for (Node i = 0; i < n; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    std::set<std::pair<Node, Node>> edges;
    for (Node i = 0; i < n; ++i) edges.insert(std::minmax(order[i], order[(i + 1) % n]));
    for (Node k = 0; k < 2 * n; ++k) {
      const Node a = random() % n, b = random() % n;
      if (a != b) edges.insert(std::minmax(a, b));
    }
    const Topology topology = graph(n, {edges.begin(), edges.end()});
    const FoundCycle found = hamiltonian_cycle(topology);
    CAPTURE(n, found.why_none);
    CHECK(is_hamiltonian_cycle(topology, found.cycle));
    CHECK(hamiltonian_cycle(topology).cycle == found.cycle);
  }
}

TEST_CASE("the Petersen graph is refused because all paths were tried") {
  std::vector<std::pair<Node, Node>> edges;
  for (Node i = 0; i < 5; ++i) {
    edges.push_back({i, (i + 1) % 5});
    edges.push_back({i, i + 5});
    edges.push_back({i + 5, (i + 2) % 5 + 5});
  }
  const FoundCycle found = hamiltonian_cycle(graph(10, edges));
  CHECK(found.cycle.empty());
  CHECK(found.why_none.find("all paths were tried") != std::string::npos);
}
