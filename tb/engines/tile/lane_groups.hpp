#pragma once

#include <algorithm>
#include <utility>
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
  Model model{nullptr, ""};
  LaneNodes nodes;
  std::vector<LaneLinks> links;  ///< by port
  std::vector<LaneLog> logs;
  std::vector<LaneRead> reads;  ///< by channel
  unsigned idle = 0;            ///< cycles in which nothing happened
  bool together = true;         ///< false: they have parted, and each has its own model again
};

/// Puts nodes that do the same into groups, and removes them from `nodes`. `what(x)` says what node
/// x does; each group's nodes are equal in that. Nodes that are not `busy` stay.
template <class Busy, class What>
std::vector<LaneNodes> alike(std::vector<Node>& nodes, const Busy& busy, const What& what) {
  std::vector<std::pair<decltype(what(Node{})), Node>> candidates;
  std::vector<Node> alone;
  for (const Node x : nodes) {
    if (busy(x)) {
      candidates.emplace_back(what(x), x);
    } else {
      alone.push_back(x);
    }
  }
  std::ranges::sort(candidates);
  std::vector<LaneNodes> groups;
  for (std::size_t i = 0; i < candidates.size();) {
    LaneNodes group;
    while (i + group.count < candidates.size() && group.count < kLanes &&
           candidates[i + group.count].first == candidates[i].first) {
      group.node[group.count] = candidates[i + group.count].second;
      ++group.count;
    }
    i += group.count;
    if (group.count >= LaneNodes::kFewest) {
      groups.push_back(group);
    } else {
      alone.insert(alone.end(), group.begin(), group.end());
    }
  }
  nodes = std::move(alone);
  return groups;
}

}  // namespace gossamer::tb
