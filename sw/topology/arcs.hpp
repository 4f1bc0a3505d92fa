#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

using ArcId = std::uint32_t;
inline constexpr ArcId kNoArcId = ~ArcId{0};

/// The directed links of a topology, numbered by the node that they leave and then by its ports.
class Arcs {
 public:
  explicit Arcs(const Topology& topology);

  Node nodes() const { return static_cast<Node>(first_.size() - 1); }
  ArcId count() const { return first_.back(); }
  ArcId first(Node x) const { return first_[x]; }
  ArcId degree(Node x) const { return first_[x + 1] - first_[x]; }
  /// The neighbours of `x`; the i-th is the head of arc first(x) + i.
  std::span<const Node> neighbours(Node x) const { return {heads_.data() + first_[x], degree(x)}; }
  Node tail(ArcId a) const { return tails_[a]; }
  Node head(ArcId a) const { return heads_[a]; }
  /// The same link in the other direction; kNoArcId of a one-way link.
  ArcId reverse(ArcId a) const { return reverse_[a]; }

 private:
  std::vector<ArcId> first_;
  std::vector<Node> heads_, tails_;
  std::vector<ArcId> reverse_;
};

/// The distance of every node from `x`, the way that links lead.
std::vector<std::uint32_t> distances_from(const Arcs& arcs, Node x);

/// Dijkstra's algorithm. `from` are the nodes where ways begin, and `cost` what it costs to be there;
/// it is infinite or as large elsewhere, and becomes the cost of the cheapest way. `arrives` becomes
/// the last arc of each way. What costs so much before an arc costs over(cost, arc) after it. Calls
/// ends(node) in the order of their costs until that is true.
template <typename Cost, typename Over, typename Ends>
void cheapest_ways(const Arcs& arcs, std::span<const Node> from, std::vector<Cost>& cost,
                   std::vector<ArcId>& arrives, const Over& over, const Ends& ends) {
  using Entry = std::pair<Cost, Node>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> near;
  for (const Node x : from) near.push({cost[x], x});
  while (!near.empty()) {
    const auto [here, x] = near.top();
    near.pop();
    if (here != cost[x]) continue;
    if (ends(x)) return;
    for (ArcId a = arcs.first(x); a < arcs.first(x) + arcs.degree(x); ++a) {
      const Cost more = over(here, a);
      if (more >= cost[arcs.head(a)]) continue;
      cost[arcs.head(a)] = more;
      arrives[arcs.head(a)] = a;
      near.push({more, arcs.head(a)});
    }
  }
}

}  // namespace gossamer
