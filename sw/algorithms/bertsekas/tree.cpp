// The perfectly balanced spanning tree of section 3.

#include "algorithms/bertsekas/bertsekas.hpp"

namespace gossamer::bertsekas {
namespace {

/// Zeros to the left of the 1 in position k, up to the next 1.
unsigned zeros_left_of(Node t, unsigned k, unsigned d) {
  unsigned zeros = 0;
  while ((t & rotate_left(unit(k), zeros + 1, d)) == 0) ++zeros;
  return zeros;
}

/// `t` without the 1 to the right of its longest run of zeros (cyclically; the paper achieves this
/// by strings that begin with a 0 and end with a 1). The run grows and is then the only longest
/// one, so no two rotations of the result are equal: its class has d strings.
Node compatible(Node t, unsigned d) {
  unsigned best = 0, longest = 0;
  for (unsigned k = 1; k <= d; ++k) {
    if ((t & unit(k)) == 0) continue;
    const unsigned zeros = zeros_left_of(t, k, d);
    if (best == 0 || zeros > longest) {
      best = k;
      longest = zeros;
    }
  }
  return t ^ unit(best);
}

}  // namespace

BalancedTree balanced_tree(unsigned d) {
  BalancedTree tree{std::vector<Node>(std::size_t{1} << d),
                    std::vector<unsigned>(std::size_t{1} << d)};
  const auto add = [&](Node x, Node parent, unsigned m) {
    tree.parent[x] = parent;
    tree.subtree[x] = m;
  };
  Node n = 1;
  for (const RotationClass& r : rotation_classes(d)) {
    // Rotate both strings until the parent is in the next subtree. The parents of R_11 are the
    // root, and the paper does not fix its first string: here it is e_1.
    const Node parent = compatible(r.smallest, d);
    const unsigned first = parent == 0 ? 1 : tree.subtree[parent];
    unsigned by = (m_of(n, d) + d - first) % d;
    for (unsigned i = 0; i < r.size; ++i, ++n, by = (by + 1) % d) {
      add(rotate_left(r.smallest, by, d), rotate_left(parent, by, d), m_of(n, d));
    }
  }
  Node last = 0;  // of R_(d-1)1, in the subtree m(11...1); the root if d is 1
  for (unsigned k = 1; d > 1 && k <= d; ++k) {
    const Node x = all_ones(d) ^ unit(k);
    if (tree.subtree[x] == m_of(n, d)) last = x;
  }
  add(all_ones(d), last, m_of(n, d));
  return tree;
}

}  // namespace gossamer::bertsekas
