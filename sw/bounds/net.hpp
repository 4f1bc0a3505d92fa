#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer::bounds {

/// A direction of a link, and the time that a flit takes over it.
struct NetArc {
  Node tail = 0, head = 0;
  std::uint64_t hop = 1;
  std::uint32_t link = 0;  ///< the same number for both directions
};

/// The directed links of a topology, each with its own time; or all of them backwards.
class Net {
 public:
  /// By port the cycles of a hop; empty: 1 each.
  explicit Net(const Topology& topology, std::span<const std::uint64_t> hops = {},
               bool backwards = false);

  Node nodes() const { return static_cast<Node>(out_.size()); }
  const std::vector<NetArc>& arcs() const { return arcs_; }
  std::uint32_t links() const { return links_; }
  /// The arcs that leave and enter a node, by their numbers.
  std::span<const std::uint32_t> out(Node x) const { return out_[x]; }
  std::span<const std::uint32_t> in(Node x) const { return in_[x]; }
  std::uint64_t least_hop() const { return least_; }
  std::uint64_t most_hop() const { return most_; }

 private:
  std::vector<NetArc> arcs_;
  std::vector<std::vector<std::uint32_t>> out_, in_;
  std::uint32_t links_ = 0;
  std::uint64_t least_ = ~std::uint64_t{0}, most_ = 0;
};

enum class Leads { Away, There };
/// The time from the nearest of some nodes to each node, or from each node to the nearest of them.
std::vector<std::uint64_t> times(const Net& net, std::span<const Node> nodes,
                                 Leads leads = Leads::Away);

/// The least time of 1, 2, ... paths from `from` to `to` together, no two of which share an arc; as
/// many as there are such paths.
std::vector<std::uint64_t> hops_of_disjoint_paths(const Net& net, Node from, Node to);

}  // namespace gossamer::bounds
