// Scatters and routings beside what their definitions say, as in plain_bounds_test.cpp.
#include <map>

#include "bounds/flow_over_time.hpp"
#include "bounds/plain.hpp"
#include "bounds/resources.hpp"
#include "bounds/routing.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// Is there a scatter in so many rounds? A flow from the root, step by step over (node, time), with
/// waiting everywhere, by one way after the other.
bool scatters_in(const Plain& plain, Node root, std::size_t rounds) {
  const std::size_t n = plain.n, states = n * (rounds + 1);
  const std::size_t sink = states + n, all = sink + 1;
  std::vector<std::vector<int>> room(all, std::vector<int>(all, 0));
  for (Node x = 0; x < n; ++x) {
    for (std::size_t t = 0; t <= rounds; ++t) {
      const std::size_t here = x * (rounds + 1) + t;
      if (t < rounds) room[here][here + 1] = 1000;
      if (x != root) room[here][states + x] = 1;
      if (t == rounds) continue;
      for (Node y = 0; y < n; ++y) {
        if (plain.link[x][y]) room[here][y * (rounds + 1) + t + 1] = 1;
      }
    }
    if (x != root) room[states + x][sink] = 1;
  }
  for (std::size_t got = 0; got + 1 < n; ++got) {
    std::vector<std::size_t> from(all, all);
    std::deque<std::size_t> waiting = {root * (rounds + 1)};
    from[waiting.front()] = waiting.front();
    while (!waiting.empty() && from[sink] == all) {
      const std::size_t s = waiting.front();
      waiting.pop_front();
      for (std::size_t to = 0; to < all; ++to) {
        if (room[s][to] == 0 || from[to] != all) continue;
        from[to] = s;
        waiting.push_back(to);
      }
    }
    if (from[sink] == all) return false;
    for (std::size_t s = sink; from[s] != s; s = from[s]) {
      --room[from[s]][s];
      ++room[s][from[s]];
    }
  }
  return true;
}

}  // namespace

TEST_CASE("plain bounds: a scatter as a flow over time, its paths one by one") {
  std::size_t tried = 0;
  for (const Topology& t : graphs()) {
    if (++tried % 3 != 0 && t.nodes() > 3) continue;
    const Plain plain(t);
    const Arcs arcs(t);
    const Node n = t.nodes();
    for (const Node root : {Node{0}, Node(n - 1)}) {
      std::uint32_t fewest = 1;
      while (!scatters_in(plain, root, fewest)) ++fewest;
      CAPTURE(plain.text, root, fewest);
      for (std::uint32_t least = 1; least <= fewest + 2; ++least) {
        CHECK(bounds::fewest_scatter_rounds(arcs, root, least) == std::max(least, fewest));
      }
      for (std::uint32_t rounds = 1; rounds <= fewest + 3; ++rounds) {
        const auto paths = bounds::scatter_in(arcs, root, rounds);
        REQUIRE(paths.has_value() == (rounds >= fewest));
        if (!paths) continue;
        std::set<std::tuple<std::uint64_t, Node, Node>> used;
        for (Node x = 0; x < n; ++x) {
          const auto& [first, nodes] = (*paths)[x];
          if (x == root) {
            CHECK(nodes.empty());
            continue;
          }
          REQUIRE(nodes.size() >= 2);
          CHECK(nodes.front() == root);
          CHECK(nodes.back() == x);
          CHECK(first >= 1);
          CHECK(first + nodes.size() - 2 <= rounds);
          for (std::size_t h = 0; h + 1 < nodes.size(); ++h) {
            CHECK(plain.link[nodes[h]][nodes[h + 1]]);
            CHECK(used.insert({first + h, nodes[h], nodes[h + 1]}).second);
          }
        }
      }
    }
  }
}

TEST_CASE("plain bounds: lengths of a routing between the plainest lengths and a routing's load") {
  unsigned trees_below = 0;
  for (const Topology& t : graphs()) {
    const Plain plain(t);
    const Arcs arcs(t);
    if (t.translatable()) continue;
    for (const PortModel ports : {PortModel::Single, PortModel::All}) {
      for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
        const bounds::Resources resources(arcs, ports, duplex);
        // Each message takes the way over the least neighbours that are nearer.
        std::map<bounds::Resource, std::uint64_t> load;
        for (Node x = 0; x < t.nodes(); ++x) {
          for (Node y = 0; y < t.nodes(); ++y) {
            for (Node at = x; at != y;) {
              for (ArcId a = arcs.first(at);; ++a) {
                if (plain.distance[arcs.head(a)][y] >= plain.distance[at][y]) continue;
                for (const bounds::Resource r : resources.of(a)) ++load[r];
                at = arcs.head(a);
                break;
              }
            }
          }
        }
        std::uint64_t most = 0, sum = 0;
        for (const auto& [resource, messages] : load) {
          most = std::max(most, messages);
          sum += messages;
        }
        const std::uint64_t bound = bounds::routing_load(t, ports, duplex).of(1);
        CAPTURE(plain.text, to_string(ports), to_string(duplex));
        CHECK(bound >= up(sum, load.size()));
        CHECK(bound <= most);
        if (plain.is_tree() && bound != most) ++trees_below;
      }
    }
  }
  CHECK(trees_below <= 4);  // where lengths were not found within the trials
}
