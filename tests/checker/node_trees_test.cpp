#include "topology/node_trees.hpp"

#include <random>
#include <set>

#include "catch.hpp"

using namespace gossamer;

namespace {

using Tree = NodeTrees::Tree;

/// A tree beside the set of nodes that it should be.
struct Pair {
  Tree tree = NodeTrees::kEmpty;
  std::set<Node> nodes;
};

void check_equal(const NodeTrees& trees, const Topology& topology, const Pair& pair) {
  REQUIRE(trees.size(pair.tree) == pair.nodes.size());
  for (Node x = 0; x < topology.nodes(); ++x) {
    REQUIRE(trees.contains(pair.tree, x) == (pair.nodes.count(x) == 1));
  }
  const std::vector<Node> missing = trees.missing(pair.tree, topology.nodes());
  REQUIRE(missing.size() == topology.nodes() - pair.nodes.size());
  for (const Node x : missing) REQUIRE(pair.nodes.count(x) == 0);
  REQUIRE(std::ranges::is_sorted(missing));
  for (const std::size_t most : {std::size_t{0}, missing.size() / 2}) {
    REQUIRE(
        trees.missing(pair.tree, most) ==
        std::vector<Node>(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(most)));
  }
}

}  // namespace

TEST_CASE("trees of nodes are united and translated as sets of nodes are") {
  const char* spec = GENERATE("torus:4x6", "torus:7x7x7", "torus:49x7", "torus:8x9x5",
                              "hypercube:6", "ghc:6x4", "ring:60", "torus:2x12x3");
  CAPTURE(spec);
  const Topology topology = Topology::parse(spec);
  std::mt19937 random(5);
  NodeTrees trees(topology);
  std::vector<Pair> pairs(1);
  for (int i = 0; i < 40; ++i) {
    Pair next = pairs[random() % pairs.size()];
    const auto x = static_cast<Node>(random() % topology.nodes());
    next.tree = trees.merge(next.tree, trees.single(x), 0);
    next.nodes.insert(x);
    const Pair& other = pairs[random() % pairs.size()];
    const auto by = static_cast<Node>(random() % topology.nodes());
    next.tree = trees.merge(next.tree, other.tree, by);
    for (const Node y : other.nodes) next.nodes.insert(topology.translate(y, by));
    check_equal(trees, topology, next);
    pairs.push_back(next);
  }
  for (const Pair& a : pairs) {
    for (const Pair& b : pairs) REQUIRE((a.tree == b.tree) == (a.nodes == b.nodes));
  }
}

TEST_CASE("a union of families of 343x343x343 is a small tree wherever it is moved") {
  const Topology topology = Topology::parse("torus:343x343x343");
  NodeTrees trees(topology);
  // All multiples of 49 along every axis: seven copies of one set, three times.
  Tree family = trees.single(0);
  for (std::size_t f = 0; f < 3; ++f) {
    const Node step = 49 * topology.stride(f);
    Tree line = family;
    for (Node k = 1; k < 7; ++k) line = trees.merge(line, family, k * step);
    family = line;
  }
  CHECK(trees.size(family) == 343);
  CHECK(trees.contains(family, 49 * (1 + 343 * 2) + 294 * 343 * 343));
  CHECK_FALSE(trees.contains(family, 48));
  const std::size_t before = trees.trees();
  const Tree moved = trees.merge(NodeTrees::kEmpty, family, 342 + 343 * (341 + 343 * 340));
  CHECK(trees.size(moved) == 343);
  CHECK(trees.trees() <= before + 9);
  CHECK(trees.merge(moved, family, 342 + 343 * (341 + 343 * 340)) == moved);
}

TEST_CASE("a radix with a large prime is no tree") {
  CHECK(NodeTrees::suits(Topology::parse("torus:49x64x61")));
  CHECK(NodeTrees::suits(Topology::parse("torus:122x128")));
  for (const char* spec : {"torus:49x67", "ring:67", "torus:67x67", "torus:134x4", "ring:4489"}) {
    CAPTURE(spec);
    CHECK_FALSE(NodeTrees::suits(Topology::parse(spec)));
  }
}
