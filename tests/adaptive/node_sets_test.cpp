#include "topology/node_sets.hpp"

#include <random>
#include <set>

#include "catch.hpp"

using namespace gossamer;

namespace {

std::set<Node> nodes_of(std::span<const std::uint64_t> set, Node nodes) {
  std::set<Node> all;
  for (Node x = 0; x < nodes; ++x) {
    if (has(set, x)) all.insert(x);
  }
  return all;
}

}  // namespace

TEST_CASE("a set of nodes has a bit for each, in whole words") {
  CHECK(set_words(0) == 0);
  CHECK(set_words(1) == 1);
  CHECK(set_words(64) == 1);
  CHECK(set_words(65) == 2);
  CHECK(set_words(128) == 2);
  CHECK(set_words(129) == 3);
  for (const Node x : {0u, 1u, 62u, 63u, 64u, 65u, 127u, 128u, 129u}) {
    NodeSets one(1, 130);
    put(one[0], x);
    CHECK(nodes_of(one[0], 130) == std::set<Node>{x});
    CHECK(one[0][x / 64] == std::uint64_t{1} << (x % 64));
  }
}

TEST_CASE("a row of sets of nodes does what sets of numbers do") {
  const Node nodes = GENERATE(1u, 63u, 64u, 65u, 200u);
  CAPTURE(nodes);
  constexpr std::size_t kSets = 4;
  std::mt19937 random(nodes);
  NodeSets row(kSets, nodes);
  std::vector<std::set<Node>> expected(kSets);
  for (int i = 0; i < 600; ++i) {
    const std::size_t a = random() % kSets, b = random() % kSets;
    const auto x = static_cast<Node>(random() % nodes);
    switch (random() % 16) {
      case 0:
        unite(row[a], row[b]);
        expected[a].insert(expected[b].begin(), expected[b].end());
        break;
      case 1:
      case 2:
      case 3:
      case 4:
      case 5:
      case 6:
      case 7:
      case 8:
        put(row[a], x);
        expected[a].insert(x);
        break;
      default: take_out(row[a], x); expected[a].erase(x);
    }
    const NodeSets& fixed = row;
    for (std::size_t s = 0; s < kSets; ++s) {
      REQUIRE(fixed[s].size() == set_words(nodes));
      REQUIRE(nodes_of(fixed[s], nodes) == expected[s]);
      REQUIRE(count(fixed[s]) == expected[s].size());
    }
  }
}
