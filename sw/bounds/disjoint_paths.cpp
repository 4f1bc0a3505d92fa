#include "bounds/disjoint_paths.hpp"

#include <algorithm>
#include <deque>
#include <limits>

#include "bounds/arithmetic.hpp"

namespace gossamer::bounds {

std::vector<std::uint64_t> hops_of_disjoint_paths(const Arcs& arcs, Node from, Node to) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  std::vector<std::uint64_t> hops;
  if (from == to) return hops;
  std::vector<bool> used(arcs.count(), false);
  for (std::uint64_t sum = 0;;) {
    // The cheapest way to one path more: it may also go back over an arc that is used, and frees
    // it.
    std::vector<std::int64_t> distance(arcs.nodes(), kFar);
    std::vector<ArcId> arrives(arcs.nodes(), kNoArcId);
    std::vector<bool> waiting(arcs.nodes(), false);
    std::deque<Node> next = {from};
    distance[from] = 0;
    while (!next.empty()) {
      const Node x = next.front();
      next.pop_front();
      waiting[x] = false;
      for (ArcId a = arcs.first(x); a < arcs.first(x) + arcs.degree(x); ++a) {
        const bool back = used[arcs.reverse(a)];
        if (used[a] && !back) continue;
        const std::int64_t further = distance[x] + (back ? -1 : 1);
        const Node y = arcs.head(a);
        if (further >= distance[y]) continue;
        distance[y] = further;
        arrives[y] = a;
        if (!waiting[y]) next.push_back(y);
        waiting[y] = true;
      }
    }
    if (distance[to] == kFar) return hops;
    for (Node y = to; y != from; y = arcs.tail(arrives[y])) {
      const ArcId a = arrives[y];
      if (used[arcs.reverse(a)]) {
        used[arcs.reverse(a)] = false;
      } else {
        used[a] = true;
      }
    }
    hops.push_back(sum += static_cast<std::uint64_t>(distance[to]));
  }
}

std::uint64_t cycles_of_flow(const std::vector<std::uint64_t>& hops, std::uint64_t flits,
                             std::uint64_t hop) {
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t k = 0; k < hops.size(); ++k) {
    fewest = std::min(fewest, divide_up(flits + hop * hops[k], k + 1));
  }
  return fewest;
}

}  // namespace gossamer::bounds
