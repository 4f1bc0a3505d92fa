// Out-trees that share no arc, against their definition.
#include "algorithms/broadcast_trees/disjoint_trees.hpp"

#include <algorithm>
#include <set>

#include "catch.hpp"

namespace gossamer::broadcast_trees {
namespace {

/// Depth of a tree whose arcs stand parents first; fails unless it spans all nodes.
std::uint32_t depth_of(const Arcs& arcs, Node root, const OutTree& tree) {
  std::vector<std::uint32_t> depth(arcs.nodes(), ~0u);
  depth[root] = 0;
  for (const ArcId arc : tree) {
    REQUIRE(depth[arcs.tail(arc)] != ~0u);
    REQUIRE(depth[arcs.head(arc)] == ~0u);
    depth[arcs.head(arc)] = depth[arcs.tail(arc)] + 1;
  }
  REQUIRE(tree.size() + 1 == arcs.nodes());
  return std::ranges::max(depth);
}

void try_trees(const char* spec, Duplex duplex, Node root, std::uint32_t trees,
               std::uint32_t depth) {
  INFO(spec << " " << to_string(duplex) << " root " << root << " trees " << trees);
  const Arcs arcs(Topology::parse(spec));
  REQUIRE(most_trees(arcs, duplex, root) >= trees);
  std::optional<std::vector<OutTree>> found;
  for (std::uint64_t seed = 1; !found && seed <= 20; ++seed) {
    any_graph::Random random(seed);
    found = disjoint_trees(arcs, duplex, root, trees, depth, random, 50u * arcs.nodes() * trees);
  }
  REQUIRE(found);
  REQUIRE(found->size() == trees);
  std::set<ArcId> used;
  for (const OutTree& tree : *found) {
    CHECK(depth_of(arcs, root, tree) <= depth);
    for (const ArcId arc : tree) {
      CHECK(used.insert(duplex == Duplex::Half ? std::min(arc, arcs.reverse(arc)) : arc).second);
    }
  }
}

}  // namespace

TEST_CASE("as many out-trees as there are ports, nearly as deep as the root is eccentric") {
  for (const std::uint32_t trees : {1u, 2u}) try_trees("torus:8x8", Duplex::Full, 9, trees, 8);
  try_trees("torus:8x8", Duplex::Full, 0, 3, 9);
  try_trees("torus:8x8", Duplex::Full, 63, 4, 10);
  try_trees("torus:5x5", Duplex::Full, 7, 4, 6);
  try_trees("torus:7x7x7", Duplex::Full, 100, 6, 11);
  try_trees("torus:4x4x4", Duplex::Full, 0, 6, 7);
  for (std::uint32_t trees = 1; trees <= 6; ++trees) {
    try_trees("hypercube:6", Duplex::Full, 5, trees, 7);
  }
  try_trees("mesh:8x8", Duplex::Full, 0, 2, 14);
  try_trees("ring:16", Duplex::Full, 3, 2, 15);
  try_trees("debruijn:6", Duplex::Full, 0, 2, 6);
  try_trees("complete:7", Duplex::Full, 0, 6, 2);
}

TEST_CASE("over half-duplex links the out-trees share no link") {
  try_trees("ring:8", Duplex::Half, 0, 1, 4);
  try_trees("torus:6x6", Duplex::Half, 0, 2, 9);
  try_trees("hypercube:6", Duplex::Half, 0, 3, 9);
  try_trees("torus:5x5x5", Duplex::Half, 7, 3, 10);
}

TEST_CASE("trees that cannot be are not found") {
  const Arcs ring(Topology::parse("ring:8"));
  any_graph::Random random(1);
  CHECK(!disjoint_trees(ring, Duplex::Full, 0, 2, 6, random, 10'000));
  CHECK(!disjoint_trees(ring, Duplex::Full, 0, 1, 3, random, 10'000));
  CHECK(most_trees(Arcs(Topology::parse("mesh:3x3")), Duplex::Half, 0) == 1);
  CHECK(most_trees(Arcs(Topology::parse("mesh:3x3")), Duplex::Full, 4) == 2);
}

}  // namespace gossamer::broadcast_trees
