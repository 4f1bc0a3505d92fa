// Bounds that come from searches on the graph: cuts, flows over time, fractional routings.
#include "bounds/cuts.hpp"
#include "bounds/degrees.hpp"
#include "bounds/flow_over_time.hpp"
#include "bounds/routing.hpp"
#include "catch.hpp"
#include "support/interrupt.hpp"
#include "topology/families.hpp"

using namespace gossamer;

TEST_CASE("gossip: messages enter a set of nodes over its links only") {
  const auto cut = [](const char* topology, Duplex duplex) {
    return bounds::gossip_cut_rounds(Topology::parse(topology), duplex);
  };
  // Six messages over one link, and one more round to the others.
  CHECK(cut("edges:tests/data/dumbbell.json", Duplex::Full) == 7);
  CHECK(cut("edges:tests/data/dumbbell.json", Duplex::Half) == 12);
  CHECK(cut("edges:tests/data/star-9.json", Duplex::Full) == 8);
  CHECK(cut("path:7", Duplex::Full) == 6);
  CHECK(cut("mesh:4x4", Duplex::Full) == 8);
}

TEST_CASE("gossip: what enters a ring over one link has to come to the node opposite") {
  // A ring of 2a nodes and a larger one, joined by one link; the smaller one is numbered from any
  // node on.
  for (const Node a : {2u, 3u, 4u}) {
    const Node small = 2 * a, large = small + 2;
    for (Node door = 0; door < small; ++door) {
      std::vector<Edge> edges = {{door, small}};
      for (Node i = 0; i < small; ++i) edges.push_back({i, (i + 1) % small});
      for (Node i = 0; i < large; ++i) edges.push_back({small + i, small + (i + 1) % large});
      const Topology rings("rings", {graph_of_edges("rings", small + large, edges)});
      CAPTURE(small, door);
      CHECK(bounds::gossip_cut_rounds(rings, Duplex::Full) == large + a);
    }
  }
}

TEST_CASE("gossip: the search for cuts hears Ctrl-C") {
  const Topology mesh = Topology::parse("mesh:4x4");
  note_interrupt(2);
  CHECK_THROWS_AS(bounds::gossip_cut_rounds(mesh, Duplex::Full), Interrupted);
  forget_interrupt();
}

TEST_CASE("a node that cuts the graph sends everything to every part") {
  const auto gossip = [](const char* topology, Duplex duplex) {
    return bounds::gossip_cut_node_rounds(Topology::parse(topology), duplex);
  };
  CHECK(gossip("edges:tests/data/star-9.json", Duplex::Full) == 7 * 9 + 1);
  CHECK(gossip("edges:tests/data/star-9.json", Duplex::Half) == 8 * 9);
  CHECK(gossip("edges:tests/data/tree-15.json", Duplex::Full) == 2 * 15 + 1);
  CHECK(gossip("mesh:3x3", Duplex::Full) == 0);
  const Topology star = Topology::parse("edges:tests/data/star-9.json");
  CHECK(bounds::broadcast_cut_node_rounds(star, 0) == 8);
  CHECK(bounds::broadcast_cut_node_rounds(star, 1) == 8);  // one round to the hub, seven parts
  // Half duplex: in the second node 15 messages arrive, and 14 leave it.
  CHECK(bounds::scatter_cut_node_rounds(Topology::parse("path:16"), 0) == 29);
  CHECK(bounds::scatter_cut_node_rounds(star, 1) == 15);  // 8 into the hub, 7 out of it
  CHECK(bounds::scatter_cut_node_rounds(star, 0) == 0);
  CHECK(bounds::scatter_cut_node_rounds(Topology::parse("mesh:3x3"), 0) == 0);
}

TEST_CASE("a scatter needs as many rounds as a flow over time") {
  const auto rounds = [](const char* topology, Node root) {
    return bounds::fewest_scatter_rounds(Arcs(Topology::parse(topology)), root, 1);
  };
  CHECK(rounds("edges:tests/data/dumbbell.json", 0) == 6);
  CHECK(rounds("edges:tests/data/dumbbell.json", 1) == 7);  // five more behind a link two hops away
  CHECK(rounds("edges:tests/data/star-9.json", 1) == 8);
  CHECK(rounds("mesh:8x8", 0) == 32);
  CHECK(rounds("torus:5x5", 3) == 6);
}

TEST_CASE("total exchange: the lengths of a fractional routing give a bound") {
  const auto routing = [](const char* topology, PortModel ports) {
    return bounds::routing_load(Topology::parse(topology), ports, Duplex::Full).of(1);
  };
  CHECK(routing("edges:tests/data/star-9.json", PortModel::Single) == 64);
  CHECK(routing("edges:tests/data/dumbbell.json", PortModel::All) == 36);  // 6 x 6 over the link
  CHECK(routing("path:8", PortModel::Single) == 31);  // what the middle has to send
  // The average status is 40: the nodes in the middle must send more than the others.
  CHECK(routing("mesh:4x4", PortModel::Single) == 43);
}

TEST_CASE("a node informs each of its neighbours once, and not the one that informed it") {
  const auto rounds = [](const char* topology, Node root = 0) {
    return bounds::broadcast_degree_rounds(Topology::parse(topology), root);
  };
  CHECK(rounds("path:9", 0) == 8);
  CHECK(rounds("path:9", 4) == 5);  // 1, 2, 4, 6, 8 holders
  CHECK(rounds("ring:9") == 5);
  CHECK(rounds("ring:10") == 5);
  CHECK(rounds("complete:16") == 4);
  CHECK(rounds("edges:tests/data/star-9.json", 0) == 8);
  CHECK(rounds("edges:tests/data/petersen.json") == 4);  // 1, 2, 4, 8, 14 holders
  CHECK(rounds("ccc:3") == 5);                           // ... 24
  CHECK(rounds("debruijn:10") == 12);  // node 0 has two links: 1, 2, 4, 7, 13, 24, 44, ... holders
}

TEST_CASE("on a tree there is one broadcast tree, and its rounds are known") {
  const auto rounds = [](const char* topology, Node root) {
    return bounds::broadcast_tree_rounds(Topology::parse(topology), root);
  };
  CHECK(rounds("path:9", 0) == 8);
  CHECK(rounds("path:9", 4) == 5);
  CHECK(rounds("edges:tests/data/star-9.json", 0) == 8);
  CHECK(rounds("edges:tests/data/star-9.json", 3) == 8);
  CHECK(rounds("edges:tests/data/tree-15.json", 0) == 6);  // binary: two rounds a level
  CHECK(rounds("ring:5", 0) == 0);
}
