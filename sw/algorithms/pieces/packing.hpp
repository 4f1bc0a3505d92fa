#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/any_graph/any_graph.hpp"
#include "schedule/schedule.hpp"
#include "topology/topology.hpp"

namespace gossamer::packing {

/// The way of a piece that waits nowhere: up to a root, where it is joined, or down from it.
struct Tree {
  Node root = 0;
  bool up = true;
  std::uint32_t round = 1;             ///< of the arcs at the root
  std::uint32_t reach = 0;             ///< rounds between these and any other arcs, at most
  std::span<const Node> members = {};  ///< that it leads to or from; empty: all nodes
  bool whole = false;  ///< all nodes get a place, and those on no member's way lose it in the end
  bool lane = false;  ///< the sum also takes an arc out of the root, a hop later than the last arcs
  /// 0, or: what comes by some of these may be added so many rounds sooner, and takes a lane, too.
  std::uint32_t early = 0;
  /// Other sums come down to be stored: none by the lane's link when the lane stores (rules.cpp).
  bool guards = false;
  /// Found: of each node the arc between it and the next one towards the root (kNoArcId of the
  /// root, and of nodes that are not on the way of any member), and the rounds between that and
  /// those at the root.
  std::vector<ArcId> arc = {};
  std::vector<std::uint32_t> off = {};
  ArcId lane_arc = kNoArcId, early_lane_arc = kNoArcId;
  std::uint32_t way = 0;  ///< rounds from the first arcs to the last
};

/// What may not be used at the same time.
struct Rules {
  /// By arc: only one arc of a class is used in a round, as each tree stands for all its
  /// translations, or the arcs of a class for one another. A class is named after its first arc, or
  /// all trees are `mirrored`: where one takes an arc in a round, its mirror image takes the other
  /// arc of the class in the round that is as far from the next period.
  std::span<const std::uint32_t> classes = {};
  bool mirrored = false;
  /// A node sends one piece in a round, and receives one. So what comes to it may wait in its
  /// store: what comes later, or goes on later, is a transfer of its own. Of trees that lead up a
  /// node which is not the root stores all that comes, or passes on all that comes.
  bool single = false;
  bool half = false;  ///< a link idles for a hop before it turns; a single port sends or receives
};

/// Fills in all trees, so that in each round an arc is of one tree; rounds count modulo `period`
/// (0: not). A hop takes `hop` rounds. Places of nodes in trees are missing until an arc leads to
/// them; one after the other gets free cells, an arc in a round, or those of other places, which
/// are then missing with all below them. False if `most` steps did not do. Takes the cells that it
/// looked at from `work`.
bool pack(const Arcs& arcs, std::vector<Tree>& trees, std::uint32_t period, std::uint32_t hop,
          any_graph::Random& random, std::uint64_t most, std::uint64_t& work,
          const Rules& rules = {});

/// What goes on without a stop: arcs into a node, or out of it, and those that hang from them.
struct Way {
  Node source = 0;                 ///< that stores their sum, or sends what they bring
  std::vector<Branch> branches;    ///< those near the source first
  std::vector<std::uint32_t> off;  ///< by branch: Tree::off
};

/// All of a tree, in the order of time. `hop`: 0, or single ports take so many rounds for one.
std::vector<Way> ways_of(const Arcs& arcs, const Tree& tree, std::uint32_t hop = 0);

}  // namespace gossamer::packing
