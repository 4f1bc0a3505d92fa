#include "bounds/bounds.hpp"

#include "bounds/distances.hpp"
#include "brute_force.hpp"
#include "catch.hpp"
#include "topology/families.hpp"

using namespace gossamer;

namespace {

std::uint64_t rounds(const char* spec, Collective c, Model m, Node root = 0) {
  return lower_bound_rounds(Topology::parse(spec), c, m, root);
}

constexpr Model packets(PortModel ports, Duplex duplex = Duplex::Full) {
  return {ports, duplex, Switching::Packet, false};
}

}  // namespace

TEST_CASE("a graph too large for all pairs gets a weaker bound, never a wrong one") {
  const Topology path = Topology::parse("path:20000");
  CHECK(bounds::sum_of_distances(path) == 0);
  CHECK(bounds::diameter(path) == 19999);
  CHECK(lower_bound_rounds(path, Collective::TotalExchange, packets(PortModel::All)) >= 19999);
}

TEST_CASE("combining gossip on a ring of 5 by circuits needs the rounds that the bound says") {
  const Topology ring = Topology::parse("ring:5");
  const Model model{GENERATE(PortModel::Single, PortModel::All), Duplex::Full, Switching::Circuit,
                    true};
  CHECK(lower_bound_rounds(ring, Collective::Gossip, model) == fewest_gossip_rounds(ring, model));
}

TEST_CASE("on hypercubes the bounds are the optimal times of Bertsekas et al. 1991, table I") {
  const unsigned d = GENERATE(range(1, 11));
  CAPTURE(d);
  const std::string spec = "hypercube:" + std::to_string(d);
  const std::uint64_t n = std::uint64_t{1} << d, share = (n - 1 + d - 1) / d;
  const Model all = packets(PortModel::All);
  CHECK(rounds(spec.c_str(), Collective::Gossip, all) == std::max<std::uint64_t>(share, d));
  CHECK(rounds(spec.c_str(), Collective::Scatter, all, 1) == std::max<std::uint64_t>(share, d));
  CHECK(rounds(spec.c_str(), Collective::TotalExchange, all) == n / 2);
  CHECK(rounds(spec.c_str(), Collective::TotalExchange, packets(PortModel::Single)) == d * n / 2);
}

TEST_CASE("the root decides what scatter and gather need on a path") {
  for (const Collective c : {Collective::Scatter, Collective::Gather}) {
    CHECK(rounds("path:5", c, packets(PortModel::All), 0) == 4);
    CHECK(rounds("path:5", c, packets(PortModel::All), 2) == 2);
    CHECK(rounds("path:5", c, packets(PortModel::Single), 2) == 4);
  }
  CHECK(lower_bound_delta(Topology::parse("path:5"), Collective::Broadcast, 1) == 3);
}

TEST_CASE("broadcast needs growth and distance, whichever is more") {
  CHECK(rounds("complete:9", Collective::Broadcast, packets(PortModel::Single)) == 4);
  CHECK(rounds("ring:64", Collective::Broadcast, packets(PortModel::Single)) == 32);
  CHECK(rounds("ring:64", Collective::Broadcast,
               {PortModel::All, Duplex::Full, Switching::Circuit, false}) == 4);
}

// Each of these arguments says most somewhere on two small graphs; who computes it wrongly or does
// not ask it names another one.
TEST_CASE("every argument is asked where it is the strongest") {
  using enum Collective;
  using enum PortModel;
  using enum Duplex;
  struct Row {
    Collective collective;
    PortModel ports;
    Duplex duplex;
    std::uint64_t rounds;
    const char* source;
  };
  const auto check = [](const Topology& topology, const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      CAPTURE(topology.spec(), row.source);
      const Bound bound = strongest_bound(topology, row.collective, packets(row.ports, row.duplex));
      CHECK(bound.value == row.rounds);
      CHECK(bound.source == row.source);
    }
  };
  // A root with three neighbours, behind them a single node, and behind that one five more.
  const std::vector<Edge> edges = {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4},
                                   {4, 5}, {4, 6}, {4, 7}, {4, 8}, {4, 9}};
  check(Topology("crowd", {graph_of_edges("crowd", 10, edges)}),
        {{Gossip, Single, Full, 51, "messages through a node that cuts the graph"},
         {Gossip, Single, Half, 60, "messages through a node that cuts the graph"},
         {Gossip, All, Full, 9, "messages through the ports of a node"},
         {Gossip, All, Half, 10, "messages over the links into some nodes"},
         {TotalExchange, Single, Full, 69, "loads of the best fractional routing"},
         {TotalExchange, All, Half, 18, "Dimakopoulos-Dimopoulos 1998, equation (4)"},
         {Scatter, Single, Half, 12, "messages into a node that cuts the graph, and out of it"},
         {Scatter, All, Full, 4, "messages through the ports of a node, the far ones last"},
         {Gather, All, Full, 4, "messages through the ports of a node, the far ones last"},
         {Broadcast, Single, Full, 7, "a node that cuts the graph informs each part"},
         {Broadcast, All, Full, 3, "distance, a hop a round"}});
  check(Topology::parse("edges:tests/data/tree-15.json"),
        {{Gossip, All, Half, 15, "receptions on half-duplex links"},
         {TotalExchange, All, Full, 56, "loads of the best fractional routing"},
         {Broadcast, Single, Full, 6, "the only broadcast tree"}});
  check(Topology::parse("edges:tests/data/star-9.json"),
        {{Broadcast, Single, Full, 8, "holders of a message, each with its links"}});
}
