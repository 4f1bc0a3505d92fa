#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gossamer {

/// An edge of a bipartite multigraph. Vertices of each side count from 0.
struct BipartiteEdge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

/// The largest degree of any vertex of either side; 0 without edges.
std::uint32_t max_degree(std::span<const BipartiteEdge> edges);

/// König's theorem: a colour for every edge, of 0, 1, ..., max_degree-1, so that edges which share
/// a vertex differ. The same edges in the same order get the same colours.
///
/// Made for few vertices of large degree on the right and many of small degree on the left: takes
/// time O(edges x (left degree + right vertices)) and memory O(edges + right vertices x colours).
std::vector<std::uint32_t> colour_bipartite_edges(std::span<const BipartiteEdge> edges);

}  // namespace gossamer
