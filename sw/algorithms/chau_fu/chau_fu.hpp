#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

namespace chau_fu {

/// Rounds of the two phases, so that every healthy node receives the message of every other one in
/// spite of any k faulty nodes and links.
///
/// Whispering: d rounds, and k+1 more (section 2), 2d for k = d-1. Shouting: d+1 for k = d-1 > 0.
/// The paper does not say how many rounds a smaller k saves, but d are enough: between nodes at
/// distance h there are h disjoint paths of h hops, and d-h more of h+2 hops. At h = d and h = d-1,
/// k <= d-2 faults cannot cut all paths of h hops; for h <= d-2 one of all d survives, with at most
/// d hops. Shouting follows every path that survives, one hop per round.
constexpr unsigned rounds(unsigned d, unsigned k, PortModel ports) {
  if (ports == PortModel::All) return k + 1 == d && d > 1 ? d + 1 : d;
  return d + k + 1;
}

}  // namespace chau_fu
}  // namespace gossamer
