#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "catch.hpp"
#include "scratch.hpp"

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
