// The proof of König's theorem as an algorithm. Edges are coloured one by one. Some colour a is
// still free at the left end of the next edge, and some b at its right end. If neither is free at
// both ends, the path that starts at the right end and alternates between a and b is recoloured. It
// reaches left vertices only by edges of colour a, so it never reaches the left end, which has
// none. Then a is free at both ends.

#include "algorithms/edge_colouring/bipartite_edge_colouring.hpp"

#include <algorithm>
#include <utility>

#include "support/job.hpp"

namespace gossamer {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

struct Degrees {
  std::vector<std::uint32_t> left, right;
};

void count(std::vector<std::uint32_t>& degrees, std::uint32_t vertex) {
  if (vertex >= degrees.size()) degrees.resize(vertex + std::size_t{1}, 0);
  ++degrees[vertex];
}

Degrees degrees_of(std::span<const BipartiteEdge> edges) {
  Degrees degrees;
  for (const BipartiteEdge& edge : edges) {
    count(degrees.left, edge.left);
    count(degrees.right, edge.right);
  }
  return degrees;
}

std::uint32_t largest(const Degrees& degrees) {
  std::uint32_t most = 0;
  for (const std::uint32_t d : degrees.left) most = std::max(most, d);
  for (const std::uint32_t d : degrees.right) most = std::max(most, d);
  return most;
}

class Colouring {
 public:
  explicit Colouring(std::span<const BipartiteEdge> edges);
  std::vector<std::uint32_t> colour_all();

 private:
  std::uint32_t at_left(std::uint32_t vertex, std::uint32_t colour) const;
  std::uint32_t& at_right(std::uint32_t vertex, std::uint32_t colour) {
    return right_[std::size_t{vertex} * colours_ + colour];
  }
  std::uint32_t free_at_left(std::uint32_t vertex) const;
  std::uint32_t free_at_right(std::uint32_t vertex);
  void recolour_path(std::uint32_t right, std::uint32_t a, std::uint32_t b);

  std::span<const BipartiteEdge> edges_;
  std::uint32_t colours_ = 0;
  std::vector<std::uint32_t> colour_of_;          ///< by edge; kNone: not coloured yet
  std::vector<std::uint32_t> left_begin_, left_;  ///< all edges at each left vertex
  std::vector<std::uint32_t> right_;              ///< right vertex x colour: edge or kNone
  std::vector<std::uint32_t> no_free_below_;      ///< by right vertex
};

Colouring::Colouring(std::span<const BipartiteEdge> edges)
    : edges_(edges), colour_of_(edges.size(), kNone), left_(edges.size()) {
  const Degrees degrees = degrees_of(edges);
  colours_ = largest(degrees);
  right_.assign(degrees.right.size() * colours_, kNone);
  no_free_below_.assign(degrees.right.size(), 0);
  left_begin_.assign(degrees.left.size() + 1, 0);
  for (std::size_t v = 0; v < degrees.left.size(); ++v) {
    left_begin_[v + 1] = left_begin_[v] + degrees.left[v];
  }
  std::vector<std::uint32_t> next = left_begin_;
  for (std::uint32_t e = 0; e < edges.size(); ++e) left_[next[edges[e].left]++] = e;
}

std::uint32_t Colouring::at_left(std::uint32_t vertex, std::uint32_t colour) const {
  for (std::uint32_t i = left_begin_[vertex]; i < left_begin_[vertex + 1]; ++i) {
    if (colour_of_[left_[i]] == colour) return left_[i];
  }
  return kNone;
}

/// The smallest; one exists while an edge of the vertex is not coloured.
std::uint32_t Colouring::free_at_left(std::uint32_t vertex) const {
  const std::uint32_t degree = left_begin_[vertex + 1] - left_begin_[vertex];
  std::vector<bool> used(degree, false);
  for (std::uint32_t i = left_begin_[vertex]; i < left_begin_[vertex + 1]; ++i) {
    const std::uint32_t colour = colour_of_[left_[i]];
    if (colour < degree) used[colour] = true;
  }
  return static_cast<std::uint32_t>(std::find(used.begin(), used.end(), false) - used.begin());
}

std::uint32_t Colouring::free_at_right(std::uint32_t vertex) {
  std::uint32_t& colour = no_free_below_[vertex];
  while (at_right(vertex, colour) != kNone) ++colour;
  return colour;
}

/// Exchanges a and b on the path that starts at a right vertex with an edge of colour a.
void Colouring::recolour_path(std::uint32_t right, std::uint32_t a, std::uint32_t b) {
  std::vector<std::uint32_t> path;
  for (;;) {
    const std::uint32_t there = at_right(right, a);
    if (there == kNone) break;
    path.push_back(there);
    const std::uint32_t back = at_left(edges_[there].left, b);
    if (back == kNone) break;
    path.push_back(back);
    right = edges_[back].right;
  }
  for (const std::uint32_t e : path) at_right(edges_[e].right, colour_of_[e]) = kNone;
  for (const std::uint32_t e : path) {
    std::uint32_t& lowest = no_free_below_[edges_[e].right];
    lowest = std::min(lowest, colour_of_[e]);
    colour_of_[e] = colour_of_[e] == a ? b : a;
    at_right(edges_[e].right, colour_of_[e]) = e;
  }
}

std::vector<std::uint32_t> Colouring::colour_all() {
  for (std::uint32_t e = 0; e < edges_.size(); ++e) {
    stop_if_interrupted();
    const auto [left, right] = edges_[e];
    std::uint32_t colour = free_at_right(right);
    if (at_left(left, colour) != kNone) {
      const std::uint32_t a = free_at_left(left);
      recolour_path(right, a, colour);
      colour = a;
    }
    colour_of_[e] = colour;
    at_right(right, colour) = e;
  }
  return std::move(colour_of_);
}

}  // namespace

std::uint32_t max_degree(std::span<const BipartiteEdge> edges) {
  return largest(degrees_of(edges));
}

std::vector<std::uint32_t> colour_bipartite_edges(std::span<const BipartiteEdge> edges) {
  return Colouring(edges).colour_all();
}

}  // namespace gossamer
