// Statements printed in paper 1 against the truth: evidence for docs/research/errata.md.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "algorithms/common/all.hpp"
#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"
#include "algorithms/single_port/single_port.hpp"
#include "bounds/brute_force.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "play.hpp"
#include "scratch.hpp"
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

TEST_CASE("ring meets the lower bound on rings of 2 to 40 nodes, sending in order of arrival") {
  const Duplex duplex = GENERATE(Duplex::Full, Duplex::Half);
  for (Node n = 2; n <= 40; ++n) {
    const Request request = gossip_on(fmt::format("ring:{}", n), duplex);
    CAPTURE(n, to_string(duplex));
    REQUIRE_FALSE(kRing.refuses(request));
    const Schedule schedule = kRing.plan(request);
    CHECK(schedule.rounds() == single_port_bound(n, duplex));
    CHECK(kRing.formula(request).rounds == single_port_bound(n, duplex));
    for (const auto& words : words_sent(schedule)) CHECK(std::ranges::is_sorted(words));
    CHECK(test::broken_rules(schedule) == "");
  }
}

TEST_CASE("in an odd half-duplex ring one node rests in each step, the one before a sender") {
  for (Node n = 3; n <= 21; n += 2) {
    const Schedule schedule = kRing.plan(gossip_on(fmt::format("ring:{}", n), Duplex::Half));
    std::vector<std::vector<Node>> senders(schedule.rounds() + 1);
    for (const Transfer& t : schedule.transfers()) {
      senders[t.round].push_back(schedule.path(t)[0]);
    }
    for (Node j = 1; j <= schedule.rounds(); ++j) {
      CAPTURE(n, j);
      std::vector<Node> expected;  // j, j+2, ..., j+n-3
      for (Node k = 0; k + 3 <= n; k += 2) expected.push_back((j + k) % n);
      std::sort(expected.begin(), expected.end());
      REQUIRE(senders[j] == expected);
    }
  }
}

TEST_CASE("a buffer of two messages is enough in half duplex, and one in full duplex") {
  const Duplex duplex = GENERATE(Duplex::Full, Duplex::Half);
  for (Node n = 2; n <= 21; ++n) {
    const Schedule schedule = kRing.plan(gossip_on(fmt::format("ring:{}", n), duplex));
    std::vector<int> buffered(n, 1);  // received or own, and not yet sent on
    const auto transfers = schedule.transfers();
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      for (const Node by : schedule.symmetry().elements()) {
        const Topology& ring = schedule.topology();
        --buffered[ring.translate(schedule.path(transfers[i])[0], by)];
        ++buffered[ring.translate(schedule.path(transfers[i])[1], by)];
      }
      const bool ends = i + 1 == transfers.size() || transfers[i + 1].round > transfers[i].round;
      if (!ends) continue;
      CAPTURE(n, to_string(duplex), transfers[i].round);
      REQUIRE(*std::min_element(buffered.begin(), buffered.end()) >= 0);
      REQUIRE(*std::max_element(buffered.begin(), buffered.end()) <=
              (duplex == Duplex::Full ? 1 : 2));
    }
  }
}

namespace {

std::uint64_t steps_of(const Graph& graph, Duplex duplex) {
  const bool path = graph.spec.compare(0, 4, "path") == 0 && graph.nodes > 2;
  return path ? PathGossip::formula(graph.nodes, duplex).rounds
              : single_port_bound(graph.nodes, duplex);
}

/// Theorem 2 for every order of the phases: the fewest rounds.
std::uint64_t best_order(const Topology& topology, Duplex duplex) {
  std::vector<std::size_t> order(topology.factors().size());
  for (std::size_t f = 0; f < order.size(); ++f) order[f] = f;
  std::uint64_t best = ~std::uint64_t{0};
  do {
    std::uint64_t rounds = 0, held = 1;
    for (const std::size_t f : order) {
      rounds += held * steps_of(topology.factors()[f], duplex);
      held *= topology.factors()[f].nodes;
    }
    best = std::min(best, rounds);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

/// Plans, plays and checks; returns the rounds.
std::uint64_t rounds_of(const Request& request) {
  REQUIRE_FALSE(kProduct.refuses(request));
  const Schedule schedule = kProduct.plan(request);
  const CheckReport report = check(schedule);
  CHECK(test::broken_rules(report) == "");
  CHECK(report.delivered == report.expected);
  CHECK(kProduct.formula(request).rounds == schedule.rounds());
  return schedule.rounds();
}

}  // namespace

TEST_CASE("Theorem 2: products take T_B + n2 T_A, in the order with the fewest rounds") {
  std::mt19937 random(13);
  const char* const factors[] = {"ring:2",     "ring:3", "ring:4",     "ring:5",     "ring:6",
                                 "path:2",     "path:3", "path:4",     "path:5",     "complete:3",
                                 "complete:4", "ccc:2",  "debruijn:2", "butterfly:2"};
  for (int trial = 0; trial < 60; ++trial) {
    std::string spec = "product:";
    const unsigned dimensions = 1 + random() % 4;
    for (unsigned f = 0; f < dimensions; ++f) {
      spec += fmt::format("{}{}", f == 0 ? "" : ",", factors[random() % std::size(factors)]);
    }
    const Duplex duplex = random() % 2 == 0 ? Duplex::Full : Duplex::Half;
    const Request request = gossip_on(spec, duplex);
    if (request.topology.nodes() > 400) continue;
    CAPTURE(spec, to_string(duplex));
    const std::uint64_t rounds = rounds_of(request);
    CHECK(rounds == best_order(request.topology, duplex));
    CHECK(rounds >= single_port_bound(request.topology.nodes(), duplex));
  }
}

TEST_CASE(
    "in each phase of a product of rings a node sends its log in order, from its own message") {
  for (const char* spec : {"torus:4x3", "torus:3x4x5", "hypercube:4", "torus:5x5"}) {
    for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
      for (const auto& words : words_sent(kProduct.plan(gossip_on(spec, duplex)))) {
        std::size_t next = 0, phases = 0;
        for (const std::size_t word : words) {
          CAPTURE(spec, word, next);
          if (word == 0) ++phases, next = 0;
          REQUIRE(word == next++);
        }
        CHECK(phases == Topology::parse(spec).factors().size());
      }
    }
  }
}

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

TEST_CASE("gossip on paths of 3 to 80 nodes takes what its formula says") {
  const Duplex duplex = GENERATE(Duplex::Full, Duplex::Half);
  for (Node n = 3; n <= 80; ++n) {
    const Topology path = Topology::parse(fmt::format("path:{}", n));
    const Schedule schedule = schedule_of(PathGossip(n, duplex), path, duplex);
    CAPTURE(n, to_string(duplex));
    CHECK(schedule.rounds() == PathGossip::formula(n, duplex).rounds);
    CHECK(schedule.rounds() >= (duplex == Duplex::Full ? n + 1 : 2 * n));
    CHECK(test::broken_rules(schedule) == "");
  }
}

TEST_CASE("gossip on paths of 3 to 5 nodes takes the fewest rounds there are") {
  for (const Node n : {3u, 4u, 5u}) {
    const Topology path = Topology::parse(fmt::format("path:{}", n));
    for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
      CAPTURE(n, to_string(duplex));
      CHECK(PathGossip::formula(n, duplex).rounds ==
            fewest_gossip_rounds(path, single_port_model(duplex)));
    }
  }
}
