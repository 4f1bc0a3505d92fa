#pragma once

#include <cstdint>
#include <span>
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

}  // namespace gossamer
