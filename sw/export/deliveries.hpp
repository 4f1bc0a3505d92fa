#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// A transfer for other programs: messages from one node to another, and the deliveries that must
/// arrive at the source before it can be sent.
struct Delivery {
  std::uint32_t round = 0;    ///< in which it starts
  std::uint32_t arrival = 0;  ///< in which it ends: the same round unless switching is pipelined
  Node from = kNoNode;
  Node to = kNoNode;
  Port out = kNoPort;                ///< of the source, where the path begins
  Port in = kNoPort;                 ///< of the destination, where it ends
  std::vector<Message> messages;     ///< in ascending order of origin, then destination
  std::vector<std::uint32_t> parts;  ///< of each, of how many members a sum has the parts; or 1
  /// Deliveries to the source that first brought some of these, or that are in their sums.
  std::vector<std::uint32_t> needs;
};

/// All transfers of a schedule that the checker accepts, orbits expanded, by round. "Everything" is
/// expanded, each message once. Throws InputError for adaptive schedules, whose content is not
/// known in advance, and for schedules that are too large to be written node by node.
std::vector<Delivery> deliveries(const Schedule& schedule);

}  // namespace gossamer
