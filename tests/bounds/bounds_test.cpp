#include "bounds/bounds.hpp"

#include "bounds/distances.hpp"
#include "catch.hpp"
#include "topology/families.hpp"

using namespace gossamer;

namespace {

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
  check(Topology::parse("mesh:2x16"),
        {{TotalExchange, Single, Full, 255, "messages through the middle of a path"}});
  check(Topology::parse("edges:tests/data/star-9.json"),
        {{Broadcast, Single, Full, 8, "holders of a message, each with its links"}});
  check(Topology::parse("hypercube:5"),
        {{AllReduce, Single, Half, 8, "what two nodes at a time can hold"}});
}
