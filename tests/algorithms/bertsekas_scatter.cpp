// The balanced spanning tree, scatter and gather (Bertsekas et al. 1991, section 3).

#include <algorithm>
#include <map>
#include <set>

#include "bertsekas_play.hpp"

using namespace bertsekas_test;
using bertsekas::balanced_tree;
using bertsekas::BalancedTree;

TEST_CASE("the tree of section 3 is a shortest path tree with d subtrees of nearly one size") {
  for (unsigned d = 1; d <= 16; ++d) {
    const BalancedTree tree = balanced_tree(d);
    const Node nodes = static_cast<Node>(power(d));
    std::vector<Node> size(d + 1);
    for (Node x = 1; x < nodes; ++x) {
      const Node parent = tree.parent[x];
      CAPTURE(d, x, parent);
      REQUIRE((parent & ~x) == 0);
      REQUIRE(ones(parent) + 1 == ones(x));
      if (parent != 0) REQUIRE(tree.subtree[parent] == tree.subtree[x]);
      ++size[tree.subtree[x]];
    }
    CHECK(size[0] == 0);
    for (unsigned i = 1; i <= d; ++i) {
      CHECK(size[i] >= (nodes - 1) / d);
      CHECK(size[i] <= (nodes - 1 + d - 1) / d);
    }
  }
}

TEST_CASE("the parents of a class of rotations are rotations of one string, in a class of d") {
  for (unsigned d = 3; d <= 14; ++d) {
    const BalancedTree tree = balanced_tree(d);
    for (const auto& [smallest, size] : bertsekas::rotation_classes(d)) {
      if (ones(smallest) < 2) continue;
      std::set<Node> parents;
      for (unsigned by = 0; by < d; ++by) {
        parents.insert(bertsekas::rotate_left(tree.parent[smallest], by, d));
      }
      for (unsigned by = 0; by < size; ++by) {
        const Node x = bertsekas::rotate_left(smallest, by, d);
        CAPTURE(d, x);
        REQUIRE(parents.contains(tree.parent[x]));
      }
      REQUIRE(parents.size() == d);
    }
  }
}

TEST_CASE("in a scatter the root sends to the furthest first and no packet ever waits") {
  for (unsigned d = 1; d <= 10; ++d) {
    const Node root = static_cast<Node>(power(d) / 3);
    const Schedule schedule = kBertsekas.plan(on_cube(d, Collective::Scatter, root));
    std::map<Node, std::uint32_t> started;   // by destination: the round of the first hop
    std::map<Node, unsigned> last_distance;  // by the root's neighbour
    for (const Transfer& t : schedule.transfers()) {
      const auto path = schedule.path(t);
      const Node destination = schedule.messages(t)[0].destination;
      if (path[0] == root) {
        started[destination] = t.round;
        const unsigned distance = ones(root ^ destination);
        const auto [before, is_first] = last_distance.try_emplace(path[1], distance);
        CHECK(before->second >= distance);
        before->second = distance;
      }
      REQUIRE(t.round == started.at(destination) + ones(root ^ path[0]));
    }
    CHECK(started.size() == power(d) - 1);
  }
}

TEST_CASE("the gather is the scatter backwards in time") {
  for (unsigned d = 1; d <= 8; ++d) {
    const Node root = static_cast<Node>(power(d) - 1);
    const Schedule scatter = kBertsekas.plan(on_cube(d, Collective::Scatter, root));
    const Schedule gather = kBertsekas.plan(on_cube(d, Collective::Gather, root));
    std::set<std::vector<Node>> forwards, backwards;
    for (const Transfer& t : scatter.transfers()) {
      const auto path = scatter.path(t);
      forwards.insert(
          {scatter.rounds() + 1 - t.round, path[1], path[0], scatter.messages(t)[0].destination});
    }
    for (const Transfer& t : gather.transfers()) {
      const auto path = gather.path(t);
      backwards.insert({t.round, path[0], path[1], gather.messages(t)[0].origin});
    }
    CHECK(forwards == backwards);
  }
}
