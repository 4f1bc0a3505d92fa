// Statements printed in paper 1 against the truth: evidence for docs/research/errata.md.

#include <array>

#include "algorithms/common/all.hpp"
#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"
#include "algorithms/single_port/single_port.hpp"
#include "bounds/brute_force.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "play.hpp"
#include "topology/families.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

std::uint64_t half_duplex_steps(Node n) {
  return kRing.formula(gossip_on(fmt::format("ring:{}", n), Duplex::Half)).rounds;
}

std::uint64_t half_duplex_rounds(const Algorithm& algorithm, const std::string& spec) {
  const Schedule schedule = algorithm.plan(gossip_on(spec, Duplex::Half));
  CHECK(test::broken_rules(schedule) == "");
  return schedule.rounds();
}

/// Butterfly without wrap-around: levels 0 ... d of 2^d rows, (row,level) is level + (d+1) row.
Topology open_butterfly(Node d) {
  std::vector<Edge> edges;
  for (Node row = 0; row < Node{1} << d; ++row) {
    for (Node level = 0; level < d; ++level) {
      const Node across = row ^ (Node{1} << level);
      edges.emplace_back(level + (d + 1) * row, level + 1 + (d + 1) * row);
      edges.emplace_back(level + (d + 1) * row, level + 1 + (d + 1) * across);
    }
  }
  const std::string name = fmt::format("open butterfly {}", d);
  return Topology(name, {graph_of_edges(name, (d + 1) << d, edges)});
}

/// A gossip on mesh:3x3 in 18 rounds, found by search: round by round {from, to, origin}.
using Hop = std::array<Node, 3>;
const std::vector<std::array<Hop, 4>> kMesh3x3 = {
    {{{1, 4, 1}, {2, 5, 2}, {6, 3, 6}, {8, 7, 8}}}, {{{0, 1, 0}, {3, 6, 3}, {7, 4, 7}, {5, 8, 2}}},
    {{{3, 0, 6}, {1, 2, 0}, {5, 4, 5}, {7, 6, 8}}}, {{{2, 1, 2}, {4, 3, 4}, {8, 5, 8}, {6, 7, 3}}},
    {{{3, 0, 3}, {4, 1, 7}, {2, 5, 0}, {7, 8, 3}}}, {{{1, 0, 2}, {6, 3, 8}, {4, 7, 1}, {5, 8, 0}}},
    {{{0, 1, 6}, {5, 2, 8}, {4, 3, 5}, {8, 7, 0}}}, {{{3, 0, 4}, {1, 2, 6}, {4, 5, 4}, {7, 6, 7}}},
    {{{0, 3, 2}, {4, 1, 4}, {8, 5, 3}, {7, 6, 1}}}, {{{1, 2, 1}, {3, 4, 6}, {5, 8, 5}, {6, 7, 6}}},
    {{{1, 0, 1}, {3, 6, 5}, {4, 7, 5}, {5, 8, 4}}}, {{{1, 2, 4}, {6, 3, 1}, {5, 4, 3}, {7, 8, 7}}},
    {{{0, 1, 3}, {3, 6, 4}, {7, 4, 0}, {8, 5, 7}}}, {{{1, 0, 7}, {5, 2, 5}, {4, 3, 0}, {8, 7, 2}}},
    {{{3, 0, 8}, {2, 1, 8}, {5, 4, 2}, {7, 6, 2}}}, {{{0, 3, 7}, {1, 2, 7}, {4, 5, 6}, {6, 7, 4}}},
    {{{3, 0, 5}, {2, 1, 5}, {5, 4, 8}, {7, 8, 1}}}, {{{1, 2, 3}, {3, 6, 0}, {4, 5, 1}, {7, 8, 6}}}};

}  // namespace

TEST_CASE("the sender set printed for odd rings makes neighbours send at the same time") {
  for (Node n = 3; n <= 15; n += 2) {
    const Topology ring = Topology::parse(fmt::format("ring:{}", n));
    Schedule printed(ring, Collective::Gossip, single_port_model(Duplex::Half));
    for (Node k = 0; k <= n - 1; k += 2) {  // step j = 1: j, j+2, ..., j+(n-1)
      const Node x = (1 + k) % n;
      printed.add_hop(1, x, (x + 1) % n, x);
    }
    bool clash = false;
    for (const BrokenRule& fault : check(printed, 1000).faults) {
      clash = clash || (fault.round == 1 && (fault.from == 1 || fault.to == 1));
    }
    CAPTURE(n);
    CHECK(clash);  // node 1 sends to node 2 and receives from node 0
    CHECK(test::broken_rules(kRing.plan(gossip_on(ring.spec(), Duplex::Half))) == "");
  }
}

TEST_CASE("Theorem 5 needs the odd dimension in phase 1: the other way round costs 2(n2-1) more") {
  for (const Node odd : {3u, 5u, 7u}) {
    for (const Node even : {2u, 4u, 6u}) {
      const Node n = odd * even;
      CAPTURE(odd, even);
      CHECK(half_duplex_steps(odd) + odd * half_duplex_steps(even) == 2 * n);
      CHECK(half_duplex_steps(even) + even * half_duplex_steps(odd) == 2 * n + 2 * (even - 1));
      CHECK(half_duplex_rounds(kProduct, fmt::format("torus:{}x{}", odd, even)) == 2 * n);
      CHECK(half_duplex_rounds(kProduct, fmt::format("torus:{}x{}", even, odd)) == 2 * n);
    }
  }
}

TEST_CASE("with two odd dimensions and an even one the product needs more than Theorem 5's 2n") {
  for (const char* spec : {"torus:3x5x4", "torus:4x5x3", "torus:5x4x3"}) {
    CAPTURE(spec);
    CHECK(half_duplex_rounds(kProduct, spec) == 126);      // 2n + 2*3
    CHECK(half_duplex_rounds(kHamiltonian, spec) == 118);  // 2(n-1): the lower bound
  }
  CHECK(half_duplex_rounds(kProduct, "torus:3x3x3x2") == 108 + 2 * (3 + 9));
}

TEST_CASE("odd products of rings are hamiltonian, so that section 3 solves them in 2n") {
  for (const char* spec : {"torus:3x3", "torus:3x5", "torus:5x7", "torus:3x3x3", "torus:3x5x3"}) {
    const Node n = Topology::parse(spec).nodes();
    CAPTURE(spec);
    CHECK(half_duplex_rounds(kHamiltonian, spec) == 2 * n);
    CHECK(half_duplex_rounds(kProduct, spec) > 2 * n);
  }
}

TEST_CASE("a path of 3 nodes meets the half-duplex bound without a hamiltonian cycle") {
  const Topology path = Topology::parse("path:3");
  CHECK(hamiltonian_cycle(path).cycle.empty());
  CHECK(fewest_gossip_rounds(path, single_port_model(Duplex::Half)) == 6);
}

TEST_CASE("a 3x3 mesh, odd and not hamiltonian, meets the half-duplex bound all the same") {
  const Topology mesh = Topology::parse("mesh:3x3");
  CHECK(hamiltonian_cycle(mesh).cycle.empty());
  Schedule schedule(mesh, Collective::Gossip, single_port_model(Duplex::Half));
  for (std::uint32_t round = 1; round <= kMesh3x3.size(); ++round) {
    for (const auto& [from, to, origin] : kMesh3x3[round - 1]) {
      schedule.add_hop(round, from, to, origin);
    }
  }
  CHECK(schedule.rounds() == single_port_bound(9, Duplex::Half));
  CHECK(test::broken_rules(schedule) == "");
  CHECK(half_duplex_rounds(kProduct, "mesh:3x3") == 24);
}

TEST_CASE("paths of 3 to 5 nodes cannot meet the full-duplex bound, so neither do meshes of them") {
  const Model model = single_port_model(Duplex::Full);
  CHECK(fewest_gossip_rounds(Topology::parse("path:3"), model) == 4);
  CHECK(fewest_gossip_rounds(Topology::parse("path:4"), model) == 5);
  CHECK(fewest_gossip_rounds(Topology::parse("path:5"), model) == 7);
  CHECK(kProduct.plan(gossip_on("mesh:3x3", Duplex::Full)).rounds() == 16);
}

TEST_CASE("butterflies without wrap-around have no hamiltonian cycle from d = 2") {
  CHECK(hamiltonian_cycle(open_butterfly(1)).cycle.size() == 4);
  for (const Node d : {2u, 3u}) {
    const FoundCycle found = hamiltonian_cycle(open_butterfly(d));
    CAPTURE(d, found.why_none);
    CHECK(found.cycle.empty());
    CHECK(found.why_none.find("has no hamiltonian cycle") != std::string::npos);
  }
}
