// Gossip on any graph through all ports.
#include <fmt/format.h>

#include <random>
#include <set>

#include "algorithms/any_graph/any_graph.hpp"
#include "bounds/bounds.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

namespace {

Request gossip_on(const std::string& topology) {
  return {Topology::parse(topology), Collective::Gossip, PortModel::All, Duplex::Full, 0, {}};
}

/// How many rounds the schedule takes beyond the bound. The checker accepts it.
std::uint64_t rounds_above_bound(const Request& request) {
  REQUIRE_FALSE(kAnyGraph.refuses(request));
  const Schedule schedule = kAnyGraph.plan(request);
  const CheckReport report = check(schedule);
  CAPTURE(report.faults.empty() ? "" : to_string(report.faults.front()));
  CHECK(test::broken_rules(report) == "");
  return schedule.rounds() -
         lower_bound_rounds(request.topology, Collective::Gossip, schedule.model());
}

/// A connected graph in which every node has `degree` links, as text for an edge file: pairs of
/// ends at random, repeated until they make a simple graph.
std::string random_regular(Node nodes, unsigned degree, unsigned seed) {
  std::mt19937 random(seed);
  for (;;) {
    std::set<std::pair<Node, Node>> edges;
    std::vector<Node> left;
    for (Node x = 0; x < nodes; ++x) left.insert(left.end(), degree, x);
    for (unsigned failures = 0; !left.empty() && failures < 1000;) {
      std::swap(left[random() % left.size()], left.back());
      const Node a = left.back();
      std::swap(left[random() % (left.size() - 1)], left[left.size() - 2]);
      const Node b = left[left.size() - 2];
      if (a == b || !edges.insert(std::minmax(a, b)).second) {
        ++failures;
        continue;
      }
      left.resize(left.size() - 2);
    }
    if (!left.empty()) continue;
    std::string text;
    for (const auto& [a, b] : edges)
      text += fmt::format("{}[{},{}]", text.empty() ? "" : ",", a, b);
    return fmt::format("{{\"n\":{},\"edges\":[{}]}}", nodes, text);
  }
}

}  // namespace

TEST_CASE("any-graph gossips at the bound where it is known to be enough") {
  for (const char* topology : {"path:2",
                               "path:9",
                               "ring:8",
                               "ring:9",
                               "complete:7",
                               "mesh:3x4",
                               "mesh:8x8",
                               "mesh:9x7",
                               "mesh:4x4x4",
                               "mesh:16x16",
                               "hypercube:4",
                               "hypercube:6",
                               "torus:5x5",
                               "torus:7x7x7",
                               "ghc:3x4",
                               "ccc:3",
                               "ccc:4",
                               "butterfly:3",
                               "butterfly:4",
                               "debruijn:4",
                               "debruijn:6",
                               "product:path:3,complete:4",
                               "edges:tests/data/star-9.json",
                               "edges:tests/data/tree-15.json",
                               "edges:tests/data/petersen.json",
                               "edges:tests/data/board-8.json",
                               "edges:tests/data/ladder.json"}) {
    CAPTURE(topology);
    CHECK(rounds_above_bound(gossip_on(topology)) == 0);
  }
}

TEST_CASE("any-graph gossips within a round of the bound on random regular graphs") {
  const Scratch scratch;
  for (const unsigned degree : {3u, 4u}) {
    for (const Node nodes : {16, 50, 100, 128, 200}) {
      CAPTURE(degree, nodes);
      const std::string file = scratch.file("graph.json", random_regular(nodes, degree, nodes));
      CHECK(rounds_above_bound(gossip_on("edges:" + file)) <= 1);
    }
  }
}

TEST_CASE("any-graph plans the same schedule again for a seed") {
  const auto transfers = [](std::uint32_t seed) {
    Request request = gossip_on("debruijn:5");
    request.seed = seed;
    const Schedule schedule = kAnyGraph.plan(request);
    std::string text;
    for (const Transfer& t : schedule.transfers()) {
      const auto path = schedule.path(t);
      text +=
          fmt::format("{} {} {} {}\n", t.round, path[0], path[1], schedule.messages(t)[0].origin);
    }
    return text;
  };
  CHECK(transfers(5) == transfers(5));
  CHECK(transfers(5) != transfers(6));
}
