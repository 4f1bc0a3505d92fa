// Single-port gossip with combining: bounds of trees and odd rings beside a search of everything.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "bounds/degrees.hpp"
#include "catch.hpp"
#include "topology/arcs.hpp"
#include "topology/families.hpp"

using namespace gossamer;

namespace {

/// All choices of arcs for a round of which none can be extended: a node sends to one neighbour and
/// receives from one.
class Choices {
 public:
  explicit Choices(const Arcs& arcs) : arcs_(arcs) { extend(0, 0, 0, {}); }
  const std::vector<std::vector<ArcId>>& all() const { return all_; }

 private:
  bool is_free(ArcId a, unsigned senders, unsigned receivers) const {
    return (senders >> arcs_.tail(a) & 1) == 0 && (receivers >> arcs_.head(a) & 1) == 0;
  }

  void extend(ArcId next, unsigned senders, unsigned receivers, const std::vector<ArcId>& chosen) {
    if (next == arcs_.count()) {
      for (ArcId a = 0; a < arcs_.count(); ++a) {
        if (is_free(a, senders, receivers)) return;
      }
      all_.push_back(chosen);
      return;
    }
    extend(next + 1, senders, receivers, chosen);
    if (!is_free(next, senders, receivers)) return;
    std::vector<ArcId> more = chosen;
    more.push_back(next);
    extend(next + 1, senders | 1u << arcs_.tail(next), receivers | 1u << arcs_.head(next), more);
  }

  const Arcs& arcs_;
  std::vector<std::vector<ArcId>> all_;
};

/// What all nodes hold, a row of bits each.
using Held = std::uint64_t;

/// The fewest rounds, or `limit` if there are not fewer. For up to 8 nodes.
std::uint32_t fewest(const Topology& topology, std::uint32_t limit) {
  const Arcs arcs(topology);
  const Node n = arcs.nodes();
  const Choices choices(arcs);
  const Held all = n == 8 ? ~Held{0} : (Held{1} << n * n) - 1;
  const Held row = (Held{1} << n) - 1;
  Held own = 0;
  for (Node x = 0; x < n; ++x) own |= Held{1} << (x * n + x);
  std::vector<Held> reached = {own};
  for (std::uint32_t round = 1; round < limit; ++round) {
    std::vector<Held> next;
    for (const Held held : reached) {
      for (const auto& choice : choices.all()) {
        Held after = held;
        for (const ArcId a : choice) {
          after |= (held >> arcs.tail(a) * n & row) << arcs.head(a) * n;
        }
        if (after == all) return round;
        next.push_back(after);
      }
    }
    std::ranges::sort(next);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    reached = std::move(next);
  }
  return limit;
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
  CHECK(fewest(Topology::parse("ring:5"), 9) == 4);
  CHECK(fewest(Topology::parse("ring:7"), 5) == 5);  // not in 4
}

TEST_CASE("gossip with combining on a tree is at least a gather and what is left of a broadcast") {
  const auto rounds = [](const char* topology) {
    return bounds::gossip_combining_tree_rounds(Topology::parse(topology));
  };
  CHECK(rounds("path:2") == 1);
  CHECK(rounds("path:3") == 3);
  CHECK(rounds("path:7") == 7);
  CHECK(rounds("edges:tests/data/star-9.json") == 15);
  CHECK(rounds("edges:tests/data/tree-15.json") == 11);
  CHECK(rounds("ring:5") == 0);
}

TEST_CASE("on small trees the bound of a gossip with combining is the fewest rounds") {
  std::mt19937 random(1);
  for (int i = 0; i < 40; ++i) {
    const Topology tree = random_tree(3 + static_cast<Node>(i) % 4, random);
    const std::uint64_t bound = bounds::gossip_combining_tree_rounds(tree);
    const auto limit = static_cast<std::uint32_t>(bound) + 1;
    CAPTURE(tree.nodes(), bound, i);
    CHECK(fewest(tree, limit) == bound);
  }
}
