// Hamiltonian cycles that share no link, by what they must be: each visits every node once over
// links, and no link is in two.
#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"

#include <set>

#include "catch.hpp"

using namespace gossamer;

namespace {

std::size_t checked_cycles(const std::string& spec) {
  INFO(spec);
  const Topology topology = Topology::parse(spec);
  const auto cycles = disjoint_hamiltonian_cycles(topology);
  std::set<std::pair<Node, Node>> links;
  for (const auto& cycle : cycles) {
    CHECK_FALSE(why_no_cycle(topology, cycle));
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const Node a = cycle[i], b = cycle[(i + 1) % cycle.size()];
      CHECK(links.emplace(std::min(a, b), std::max(a, b)).second);
    }
  }
  return cycles.size();
}

}  // namespace

TEST_CASE("disjoint cycles: two on every product of two rings, all links in use") {
  for (unsigned a = 3; a <= 9; ++a) {
    for (unsigned b = 3; b <= 9; ++b) {
      CHECK(checked_cycles("torus:" + std::to_string(a) + "x" + std::to_string(b)) == 2);
    }
  }
}

TEST_CASE("disjoint cycles: as many as dimensions, and as pairs of links") {
  for (const char* spec : {"torus:3x3x3", "torus:4x3x5", "torus:7x7x7", "torus:4x4x4"}) {
    CHECK(checked_cycles(spec) == 3);
  }
  CHECK(checked_cycles("torus:3x3x3x3") == 4);
  CHECK(checked_cycles("torus:32x32") == 2);
  for (unsigned d = 2; d <= 8; ++d)
    CHECK(checked_cycles("hypercube:" + std::to_string(d)) == d / 2);
}

TEST_CASE("disjoint cycles: one on other graphs, or none") {
  for (const char* spec : {"ring:5", "mesh:4x4", "ccc:4", "debruijn:4", "complete:6"}) {
    CHECK(checked_cycles(spec) == 1);
  }
  CHECK(checked_cycles("path:4") == 0);
  CHECK(checked_cycles("mesh:3x3") == 0);
}
