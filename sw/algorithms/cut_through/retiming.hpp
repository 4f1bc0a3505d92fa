#pragma once

#include <cstdint>
#include <vector>

namespace gossamer::cut_through {

/// What `before` is where a message starts.
inline constexpr std::uint32_t kNoStep = ~std::uint32_t{0};

/// A message goes over an arc.
struct Step {
  std::uint32_t arc = 0;
  std::uint32_t before = kNoStep;  ///< the step that brings the message to the arc's tail
  std::uint32_t round = 0;         ///< in the schedule for packets
};

/// Rounds for all steps, few of them. An arc has one step a round. A step is made a hop, which is
/// `hop` rounds, after the one before, and the flits pass through the node, or from the store, two
/// rounds later than that or more: in between they are in neither. A step is later in the list than
/// the one before. `reverse` is the other direction of each arc's link if links are half duplex,
/// and empty if not: a link is idle for a hop before it turns.
std::vector<std::uint32_t> retimed(const std::vector<Step>& steps,
                                   const std::vector<std::uint32_t>& reverse, std::uint32_t hop);

}  // namespace gossamer::cut_through
