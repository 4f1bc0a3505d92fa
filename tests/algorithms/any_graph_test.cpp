// How near to the bound any-graph comes.
#include <fmt/format.h>

#include <random>
#include <set>

#include "algorithms/common/all.hpp"
#include "bounds/bounds.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "scratch.hpp"

using namespace gossamer;

namespace {

struct Result {
  std::uint64_t rounds, bound;
};

/// Plans; the checker must accept the schedule, and it must not be shorter than the bound.
Result plan(const std::string& topology, Collective collective, PortModel ports, Duplex duplex,
            Node root = 0) {
  const Request request{Topology::parse(topology), collective, ports, duplex, root};
  REQUIRE_FALSE(kAnyGraph.refuses(request));
  const Schedule schedule = kAnyGraph.plan(request);
  const CheckReport report = check(schedule);
  CAPTURE(report.faults.empty() ? "" : to_string(report.faults.front()));
  CHECK(test::broken_rules(report) == "");
  const std::uint64_t bound =
      lower_bound_rounds(request.topology, collective, schedule.model(), root);
  CHECK(schedule.rounds() >= bound);
  return {schedule.rounds(), bound};
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

TEST_CASE("any-graph scatters and gathers in the fewest rounds from every root") {
  for (const char* topology : {"mesh:4x4", "ccc:3", "edges:tests/data/tree-15.json",
                               "edges:tests/data/board-8.json", "edges:tests/data/dumbbell.json"}) {
    for (const PortModel ports : {PortModel::Single, PortModel::All}) {
      for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
        for (Node root = 0; root < Topology::parse(topology).nodes(); ++root) {
          CAPTURE(topology, to_string(ports), to_string(duplex), root);
          const Result scatter = plan(topology, Collective::Scatter, ports, duplex, root);
          const Result gather = plan(topology, Collective::Gather, ports, duplex, root);
          CHECK(scatter.rounds == scatter.bound);
          CHECK(gather.rounds == scatter.rounds);
          CHECK(gather.bound == scatter.bound);
        }
      }
    }
  }
}

TEST_CASE("any-graph broadcasts in the known numbers of rounds") {
  const auto [topology, root, single] = GENERATE(table<std::string, Node, std::uint64_t>({
      {"hypercube:6", 0, 6},  // doubles every round
      {"complete:16", 3, 4},  // the same
      {"path:9", 0, 8},       // from an end
      {"path:9", 4, 5},       // from the middle: one side starts a round later
      {"ring:9", 0, 5},       // ceil(9/2)
      {"ring:10", 0, 5},
      {"mesh:5x6", 0, 9},                      // from a corner: the diameter
      {"torus:6x6", 0, 6},                     // the diameter
      {"torus:5x5", 0, 5},                     // the diameter + 1
      {"edges:tests/data/star-9.json", 0, 8},  // the hub informs one leaf after the other
      {"edges:tests/data/star-9.json", 1, 8},
  }));
  CAPTURE(topology, root);
  CHECK(plan(topology, Collective::Broadcast, PortModel::Single, Duplex::Full, root).rounds ==
        single);
  const Result all = plan(topology, Collective::Broadcast, PortModel::All, Duplex::Full, root);
  CHECK(all.rounds == all.bound);
}

TEST_CASE("any-graph gossips within a round of the bound on random regular graphs") {
  const Scratch scratch;
  for (const unsigned degree : {3u, 4u}) {
    for (const Node nodes : {16, 50, 100, 128, 200}) {
      CAPTURE(degree, nodes);
      const std::string file = scratch.file("graph.json", random_regular(nodes, degree, nodes));
      const Result gossip =
          plan("edges:" + file, Collective::Gossip, PortModel::All, Duplex::Full);
      CHECK(gossip.rounds <= gossip.bound + 1);
    }
  }
}

TEST_CASE("any-graph plans the same schedule again for a seed") {
  const auto transfers = [](std::uint32_t seed) {
    const Request request{.topology = Topology::parse("debruijn:5"),
                          .ports = PortModel::All,
                          .seed = seed};
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
