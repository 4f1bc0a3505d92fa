#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "engines/tile/lane_links.hpp"
#include "engines/tile/lane_store.hpp"
#include "engines/tile/lanes.hpp"
#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// Nodes that did the same in some cycle, so that they are likely to do the same in the next ones:
/// their registers are in the lanes of one model. Lanes without a node do what the first one does.
template <class Model>
struct LaneGroup {
  Model model;
  LaneNodes nodes;
  std::vector<LaneLinks> links;  ///< by port
  std::vector<LaneLog> logs;
  bool together = true;  ///< false: they have parted, and each has its own model again
};

/// Finds nodes that do the same. `what(x)` says what node x does; each group's nodes are equal in
/// that. Returns the groups of the nodes [first, last), and the nodes that are left, among them all
/// that are not `busy`.
template <class Busy, class What>
std::vector<LaneNodes> alike(Node first, Node last, const Busy& busy, const What& what,
                             std::vector<Node>& alone) {
  std::vector<std::pair<decltype(what(first)), Node>> nodes;
  alone.clear();
  for (Node x = first; x < last; ++x) {
    if (busy(x)) {
      nodes.emplace_back(what(x), x);
    } else {
      alone.push_back(x);
    }
  }
  std::ranges::sort(nodes);
  std::vector<LaneNodes> groups;
  for (std::size_t i = 0; i < nodes.size();) {
    LaneNodes group;
    while (i + group.count < nodes.size() && group.count < kLanes &&
           nodes[i + group.count].first == nodes[i].first) {
      group.node[group.count] = nodes[i + group.count].second;
      ++group.count;
    }
    i += group.count;
    if (group.count >= LaneNodes::kFewest) {
      groups.push_back(group);
    } else {
      alone.insert(alone.end(), group.begin(), group.end());
    }
  }
  return groups;
}

/// A register of one node, and the same one in its lane.
inline void into_lane(Lanes& to, unsigned lane, std::uint32_t from) { to.set(lane, from); }
template <class Number>
void from_lane(Number& to, unsigned lane, const Lanes& from) {
  to = static_cast<Number>(from[lane]);
}
inline void into_lane(LaneBytes& to, unsigned lane, std::uint32_t from) { to.set(lane, from); }
template <class Number>
void from_lane(Number& to, unsigned lane, const LaneBytes& from) {
  to = static_cast<Number>(from[lane]);
}
template <std::size_t kWords, class Wide>
void into_lane(LaneWide<kWords>& to, unsigned lane, const Wide& from) {
  for (std::uint32_t i = 0; i < kWords; ++i) to[i].set(lane, from.at(i));
}
template <std::size_t kWords, class Wide>
void from_lane(Wide& to, unsigned lane, const LaneWide<kWords>& from) {
  for (std::uint32_t i = 0; i < kWords; ++i) to.at(i) = from[i][lane];
}

}  // namespace gossamer::tb
