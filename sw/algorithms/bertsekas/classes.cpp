// The classes R_kn of section 2, on which gossip and the balanced spanning tree are built.

#include <bit>

#include "algorithms/bertsekas/bertsekas.hpp"

namespace gossamer::bertsekas {
namespace {

/// The number of different rotations of `t`; 0 if one of them is smaller than `t`.
unsigned class_size(Node t, unsigned d) {
  for (unsigned by = 1; by < d; ++by) {
    const Node rotated = rotate_left(t, by, d);
    if (rotated < t) return 0;
    if (rotated == t) return by;
  }
  return d;
}

}  // namespace

Node rotate_left(Node t, unsigned by, unsigned d) {
  const std::uint64_t wide = std::uint64_t{t} << by;
  return static_cast<Node>((wide | wide >> d) & all_ones(d));
}

std::vector<RotationClass> rotation_classes(unsigned d) {
  // Among strings of k ones the one with its ones at the right is the smallest, so R_k1 comes
  // first.
  std::vector<std::vector<RotationClass>> by_ones(d);
  for (Node t = 1; t < all_ones(d); ++t) {
    if (const unsigned size = class_size(t, d)) {
      by_ones[static_cast<unsigned>(std::popcount(t))].push_back({t, size});
    }
  }
  std::vector<RotationClass> all;
  for (const auto& classes : by_ones) all.insert(all.end(), classes.begin(), classes.end());
  return all;
}

}  // namespace gossamer::bertsekas
