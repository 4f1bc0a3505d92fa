#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/hamiltonian_cycles/families.hpp"
#include "algorithms/hamiltonian_cycles/search.hpp"

namespace gossamer {
namespace {

/// Which of its three links a node does not use.
enum class Unused : std::uint8_t { BetweenVertices, ToNext, ToLast };

/// Cycles that together visit every node of the cube-connected cycles once: at first, the cycle of
/// each vertex of the cube. A *face* of the cube in dimensions i and i+1 is a ring of eight nodes,
/// in which links within vertices and links between them alternate; exchanging the four that are
/// used for the other four leaves each node with two used links.
class Cycles {
 public:
  explicit Cycles(Node d) : d_(d), unused_(nodes(), Unused::BetweenVertices) {}

  Node nodes() const { return d_ << d_; }

  /// Exchanges the links of the face of dimensions i and i+1 (mod d) at vertex v.
  void use_between_vertices(Node v, Node i) {
    for (const Node w : face(v, i)) {
      unused_[w * d_ + i] = Unused::ToNext;
      unused_[w * d_ + next(i)] = Unused::ToLast;
    }
  }

  /// The cycle that contains a node, starting there.
  std::vector<Node> walk(Node start) const {
    std::vector<Node> cycle;
    Node x = start, previous = links(start)[1];
    do {
      cycle.push_back(x);
      const auto [a, b] = links(x);
      const Node y = a == previous ? b : a;
      previous = x;
      x = y;
    } while (x != start);
    return cycle;
  }

 private:
  Node next(Node i) const { return (i + 1) % d_; }
  Node last(Node i) const { return (i + d_ - 1) % d_; }

  std::array<Node, 4> face(Node v, Node i) const {
    const Node a = Node{1} << i, b = Node{1} << next(i);
    return {v, v ^ a, v ^ b, v ^ a ^ b};
  }
  std::array<Node, 2> links(Node x) const {
    const Node v = x / d_, i = x % d_;
    const Node across = (v ^ (Node{1} << i)) * d_ + i;
    const Node to_next = v * d_ + next(i), to_last = v * d_ + last(i);
    if (unused_[x] == Unused::ToNext) return {across, to_last};
    if (unused_[x] == Unused::ToLast) return {across, to_next};
    return {to_next, to_last};
  }

  Node d_;
  std::vector<Unused> unused_;
};

/// Two dimensions at a time are a digit of base 4 of the vertex. For each digit p, the vertices
/// whose higher digits are 0 are joined four by four along p: each face joins four cycles that
/// share no node yet. The last dimension, if d is odd, is left to `offset`.
void join_digits(Cycles& cycles, Node digits, Node offset) {
  for (Node p = 0; p < digits; ++p) {
    for (Node v = 0; v < Node{1} << (2 * p); ++v) cycles.use_between_vertices(v + offset, 2 * p);
  }
}

}  // namespace

std::vector<Node> cube_connected_cycles_cycle(Node d) {
  if (d < 4) return {};
  Cycles cycles(d);
  join_digits(cycles, d / 2, 0);
  if (d % 2 == 0) return cycles.walk(0);

  // The two halves along the last dimension are a cycle each. Opened beside one of the links
  // between them, they make one path, whose ends are brought together by rotations. (No face joins
  // the two cycles: they go round neighbouring vertices in opposite senses.)
  const Node half = Node{1} << (d - 1);
  join_digits(cycles, d / 2, half);
  std::vector<Node> path = cycles.walk(d - 1);
  std::reverse(path.begin(), path.end());
  const std::vector<Node> other = cycles.walk(half * d + d - 1);
  path.insert(path.end(), other.begin(), other.end());
  return close_path(Topology::parse(fmt::format("ccc:{}", d)), std::move(path));
}

}  // namespace gossamer
