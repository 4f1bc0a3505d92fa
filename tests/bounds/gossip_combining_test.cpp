// Single-port gossip with combining: bounds of trees and odd rings beside a search of everything.
#include <random>

#include "bounds/claims.hpp"
#include "brute_force.hpp"
#include "catch.hpp"
#include "topology/families.hpp"

using namespace gossamer;

namespace {

std::uint64_t fewest(const Topology& topology) {
  return fewest_gossip_rounds(topology, {PortModel::Single, Duplex::Full, Switching::Packet, true});
}

Topology random_tree(Node nodes, std::mt19937& random) {
  std::vector<Edge> edges;
  for (Node x = 1; x < nodes; ++x) edges.push_back({static_cast<Node>(random() % x), x});
  return Topology("tree", {graph_of_edges("tree", nodes, edges)});
}

}  // namespace

TEST_CASE(
    "gossip with combining on an odd ring takes a round more than half of the nodes, rounded up") {
  const auto rounds = [](const char* topology) {
    return bounds::gossip_combining_ring_rounds(Topology::parse(topology));
  };
  CHECK(rounds("ring:5") == 4);
  CHECK(rounds("ring:9") == 6);
  CHECK(rounds("ring:3") == 0);
  CHECK(rounds("ring:8") == 0);
  CHECK(rounds("path:9") == 0);
  CHECK(rounds("torus:3x3") == 0);
  CHECK(fewest(Topology::parse("ring:5")) == 4);
}

TEST_CASE("on small trees the bound of a gossip with combining is the fewest rounds") {
  std::mt19937 random(1);
  for (int i = 0; i < 40; ++i) {
    const Topology tree = random_tree(3 + static_cast<Node>(i) % 4, random);
    const std::uint64_t bound = bounds::gossip_combining_tree_rounds(tree);
    CAPTURE(tree.nodes(), bound, i);
    CHECK(fewest(tree) == bound);
  }
}
