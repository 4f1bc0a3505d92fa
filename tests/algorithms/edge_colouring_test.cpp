#include "algorithms/edge_colouring/edge_colouring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "algorithms/edge_colouring/bipartite_edge_colouring.hpp"
#include "bounds/bounds.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"

using namespace gossamer;

namespace {

Request exchange_over(const std::string& topology, Duplex duplex = Duplex::Full) {
  return {Topology::parse(topology), Collective::TotalExchange, PortModel::All, duplex, 0, {}};
}

/// Planned, accepted by the checker, and as short as formula and bound.
void check_fewest_rounds(const std::string& topology, Duplex duplex = Duplex::Full) {
  CAPTURE(topology, to_string(duplex));
  const Request request = exchange_over(topology, duplex);
  REQUIRE_FALSE(kEdgeColouring.refuses(request));
  const Schedule schedule = kEdgeColouring.plan(request);
  const CheckReport report = check(schedule);
  CAPTURE(report.faults.empty() ? "" : to_string(report.faults.front()));
  CHECK(test::broken_rules(report) == "");
  CHECK(schedule.rounds() == kEdgeColouring.formula(request).rounds);
  CHECK(schedule.rounds() ==
        lower_bound_rounds(request.topology, Collective::TotalExchange, schedule.model()));
}

std::vector<BipartiteEdge> random_edges(std::mt19937& random, std::uint32_t lefts,
                                        std::uint32_t rights, std::size_t count) {
  std::vector<BipartiteEdge> edges;
  for (std::size_t e = 0; e < count; ++e) {
    edges.push_back({static_cast<std::uint32_t>(random() % lefts),
                     static_cast<std::uint32_t>(random() % rights)});
  }
  return edges;
}

bool proper(const std::vector<BipartiteEdge>& edges, const std::vector<std::uint32_t>& colours) {
  std::set<std::tuple<int, std::uint32_t, std::uint32_t>> seen;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!seen.emplace(0, edges[e].left, colours[e]).second) return false;
    if (!seen.emplace(1, edges[e].right, colours[e]).second) return false;
  }
  return true;
}

/// Transfers as numbers, to compare two schedules.
std::vector<Node> numbers(const Schedule& schedule) {
  std::vector<Node> all;
  for (const Transfer& t : schedule.transfers()) {
    all.push_back(t.round);
    for (const Node x : schedule.path(t)) all.push_back(x);
    for (const Message& m : schedule.messages(t)) {
      all.push_back(m.origin);
      all.push_back(m.destination);
    }
  }
  return all;
}

}  // namespace

TEST_CASE(
    "a bipartite multigraph is coloured properly with as many colours as its largest degree") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint32_t lefts = 1 + random() % 20, rights = 1 + random() % 20;
    const auto edges = random_edges(random, lefts, rights, 1 + random() % 200);
    const std::vector<std::uint32_t> colours = colour_bipartite_edges(edges);
    CAPTURE(trial, lefts, rights, edges.size());
    REQUIRE(colours.size() == edges.size());
    REQUIRE(proper(edges, colours));
    REQUIRE(*std::max_element(colours.begin(), colours.end()) + 1 == max_degree(edges));
    REQUIRE(colour_bipartite_edges(edges) == colours);
  }
}

TEST_CASE("a graph without edges needs no colour, and parallel edges need one each") {
  CHECK(max_degree({}) == 0);
  CHECK(colour_bipartite_edges({}).empty());
  const std::vector<BipartiteEdge> parallel(5, BipartiteEdge{3, 2});
  CHECK(max_degree(parallel) == 5);
  CHECK(proper(parallel, colour_bipartite_edges(parallel)));
}

TEST_CASE("edge-colouring takes the rounds that were predicted for it") {
  const auto [topology, rounds] = GENERATE(table<std::string, std::uint32_t>({
      {"torus:7x7x7", 294},
      {"torus:6x6", 27},
      {"torus:10x10", 125},
      {"torus:3x5x7", 90},
      {"torus:5x5x5", 75},
      {"ring:8", 8},        // paper 5: ceil(n^2/8)
      {"ring:9", 10},       // paper 5: (n^2-1)/8
      {"hypercube:6", 32},  // paper 4: 2^(d-1)
      {"ghc:4x4", 4},
  }));
  CAPTURE(topology);
  CHECK(kEdgeColouring.plan(exchange_over(topology)).rounds() == rounds);
  check_fewest_rounds(topology);
}

TEST_CASE("edge-colouring meets the lower bound on rings and tori of 2 and 3 dimensions") {
  for (Node a = 2; a <= 30; ++a) check_fewest_rounds(fmt::format("ring:{}", a));
  for (Node a = 2; a <= 8; ++a) {
    for (Node b = 2; b <= 8; ++b) {
      check_fewest_rounds(fmt::format("torus:{}x{}", a, b));
      if (a <= 6 && a <= b) {
        for (Node c = b; c <= 6; ++c) check_fewest_rounds(fmt::format("torus:{}x{}x{}", a, b, c));
      }
    }
  }
}

TEST_CASE("edge-colouring meets the lower bound in 4 and 5 dimensions and with complete factors") {
  for (const char* topology :
       {"torus:2x3x4x5", "torus:3x3x3x3", "torus:4x4x4x4", "torus:2x2x6x3", "torus:3x3x4x3x3",
        "hypercube:1", "hypercube:2", "hypercube:8", "ghc:3x5", "ghc:2x3x4", "complete:6",
        "product:ring:6,complete:5", "product:ring:10,complete:3,path:2"}) {
    check_fewest_rounds(topology);
  }
}

TEST_CASE("where halfway messages are odd in number, two classes of nodes meet the bound") {
  for (Node even = 4; even <= 14; even += 2) {
    for (Node odd = 3; odd <= 9; odd += 2) {
      const std::string topology = fmt::format("torus:{}x{}", odd, even);
      check_fewest_rounds(topology);
      CAPTURE(topology);
      CHECK(kEdgeColouring.plan(exchange_over(topology)).symmetry().classes() == 2);
    }
  }
  CHECK(kEdgeColouring.plan(exchange_over("torus:4x4")).symmetry().classes() == 1);
}

TEST_CASE("edge-colouring plans 4,096 nodes, every node doing the same") {
  const auto [topology, rounds] = GENERATE(table<std::string, std::uint32_t>(
      {{"torus:16x16x16", 8192}, {"torus:8x8x8x8", 4096}, {"torus:64x64", 32768}}));
  const Schedule schedule = kEdgeColouring.plan(exchange_over(topology));
  CAPTURE(topology);
  CHECK(schedule.rounds() == rounds);
  CHECK(schedule.symmetry().classes() == 1);
  CHECK(test::broken_rules(schedule) == "");
}

TEST_CASE("edge-colouring meets the bound over half-duplex links") {
  for (Node a = 2; a <= 30; ++a) check_fewest_rounds(fmt::format("ring:{}", a), Duplex::Half);
  for (Node a = 2; a <= 8; ++a) {
    for (Node b = 2; b <= 8; ++b) {
      check_fewest_rounds(fmt::format("torus:{}x{}", a, b), Duplex::Half);
    }
  }
  for (Node a = 2; a <= 5; ++a) {
    for (Node b = a; b <= 5; ++b) {
      for (Node c = b; c <= 5; ++c) {
        check_fewest_rounds(fmt::format("torus:{}x{}x{}", a, b, c), Duplex::Half);
      }
    }
  }
  for (Node n = 2; n <= 12; ++n) check_fewest_rounds(fmt::format("complete:{}", n), Duplex::Half);
  for (const char* topology : {"hypercube:4", "hypercube:7", "ghc:3x5", "ghc:4x4", "ghc:2x4x6",
                               "product:ring:6,complete:5", "product:ring:5,complete:8"}) {
    check_fewest_rounds(topology, Duplex::Half);
  }
}

TEST_CASE("edge-colouring plans the same schedule every time") {
  for (const char* topology : {"torus:5x6", "torus:4x4x4"}) {
    const Request request = exchange_over(topology);
    CHECK(numbers(kEdgeColouring.plan(request)) == numbers(kEdgeColouring.plan(request)));
  }
}

TEST_CASE("edge-colouring says in one line what it does not serve") {
  Request request = exchange_over("torus:4x4");
  request.collective = Collective::Gossip;
  CHECK(kEdgeColouring.refuses(request) ==
        std::string("edge-colouring serves total-exchange only, not gossip"));
  request = exchange_over("torus:4x4");
  request.ports = PortModel::Single;
  CHECK(kEdgeColouring.refuses(request) ==
        std::string("edge-colouring uses all ports: ask for these"));
  CHECK(kEdgeColouring.refuses(exchange_over("mesh:3x4")) ==
        std::string("edge-colouring needs a product of rings and complete graphs; path:3 is "
                    "neither"));
}
