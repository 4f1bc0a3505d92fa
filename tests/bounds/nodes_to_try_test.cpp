// Which nodes of a large graph bounds are worked out for.
#include "bounds/distances.hpp"
#include "catch.hpp"
#include "scratch.hpp"

using namespace gossamer;

namespace {

using Edges = std::vector<std::pair<Node, Node>>;

Topology graph_of(const Scratch& folder, Node nodes, const Edges& edges) {
  std::string text = "{\"n\":" + std::to_string(nodes) + ",\"edges\":[";
  for (const auto& [a, b] : edges)
    text += fmt::format("{}[{},{}]", text.back() == '[' ? "" : ",", a, b);
  return Topology::parse("edges:" + folder.file("edges.json", text + "]}"));
}

/// Node 0 between two arms of `right` and `right` + 1 nodes, at the end of each a square, and a
/// single node that hangs from node 3.
Topology two_arms(const Scratch& folder, Node right) {
  Edges edges = {{0, 1}};
  const auto arm = [&](Node first, Node size) {
    for (Node k = 1; k < size; ++k) edges.emplace_back(first + k - 1, first + k);
    const Node end = first + size - 1;
    for (const Node side : {end + 1, end + 2}) {
      edges.emplace_back(end, side);
      edges.emplace_back(side, end + 3);
    }
    return end + 3;
  };
  const Node left = arm(1, right) + 1;
  edges.emplace_back(0, left);
  const Node last = arm(left, right + 1);
  edges.emplace_back(3, last + 1);
  return graph_of(folder, last + 2, edges);
}

}  // namespace

TEST_CASE("of a small graph all nodes are tried, of one that can be translated a single one") {
  const Scratch folder;
  CHECK(bounds::nodes_to_try(two_arms(folder, 10)).size() == 29);
  CHECK(bounds::nodes_to_try(Topology::parse("torus:50x50")) == std::vector<Node>{0});
  CHECK(bounds::nodes_to_try(Topology::parse("path:1024")).size() == 1024);
  CHECK(bounds::nodes_to_try(Topology::parse("path:1025")).size() == 2);
}

TEST_CASE("of a large graph the node of the fewest links is tried, and the one farthest out") {
  const Scratch folder;
  // Node 1208 alone has one link. The corner of the longer arm's square is farthest from node 0, at
  // 603 steps; farthest from that is the other one, 603, at 602 more.
  const Topology large = two_arms(folder, 600);
  CHECK(bounds::nodes_to_try(large) == std::vector<Node>{1208, 603});
  CHECK(bounds::diameter(two_arms(folder, 8000)) == 16'005);
  // On a ring that is given as a list, the node farthest from the one that is farthest from node 0.
  Edges ring;
  for (Node x = 0; x < 1030; ++x) ring.emplace_back(x, (x + 1) % 1030);
  CHECK(bounds::nodes_to_try(graph_of(folder, 1030, ring)) == std::vector<Node>{0, 0});
}
