// Colours of the edges of a bipartite multigraph, on which edge-colouring and others rest.
#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "algorithms/common/all.hpp"
#include "algorithms/edge_colouring/bipartite_edge_colouring.hpp"
#include "catch.hpp"

using namespace gossamer;

namespace {

std::vector<BipartiteEdge> random_edges(std::mt19937& random, std::uint32_t lefts,
                                        std::uint32_t rights, std::size_t count) {
  std::vector<BipartiteEdge> edges;
  for (std::size_t e = 0; e < count; ++e) {
    edges.push_back({static_cast<std::uint32_t>(random() % lefts),
                     static_cast<std::uint32_t>(random() % rights)});
  }
  return edges;
}

bool proper(const std::vector<BipartiteEdge>& edges, const std::vector<std::uint32_t>& colours) {
  std::set<std::tuple<int, std::uint32_t, std::uint32_t>> seen;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!seen.emplace(0, edges[e].left, colours[e]).second) return false;
    if (!seen.emplace(1, edges[e].right, colours[e]).second) return false;
  }
  return true;
}

}  // namespace

TEST_CASE(
    "a bipartite multigraph is coloured properly with as many colours as its largest degree") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint32_t lefts = 1 + random() % 20, rights = 1 + random() % 20;
    const auto edges = random_edges(random, lefts, rights, 1 + random() % 200);
    const std::vector<std::uint32_t> colours = colour_bipartite_edges(edges);
    CAPTURE(trial, lefts, rights, edges.size());
    REQUIRE(colours.size() == edges.size());
    REQUIRE(proper(edges, colours));
    REQUIRE(*std::max_element(colours.begin(), colours.end()) + 1 == max_degree(edges));
    REQUIRE(colour_bipartite_edges(edges) == colours);
  }
}
