#pragma once

#include <vector>

#include "bounds/resources.hpp"
#include "schedule/schedule.hpp"

namespace gossamer::any_graph {

/// A message and its way, arc by arc.
struct Packet {
  Message message;
  std::vector<ArcId> route;
};

/// Routes for a packet from each origin to each destination, so that the busiest resource has few
/// hops; no fewer than `goal` are looked for.
std::vector<Packet> balanced_routes(const Arcs& arcs, const bounds::Resources& resources,
                                    std::vector<Message> messages, std::uint64_t goal,
                                    std::uint32_t seed);

}  // namespace gossamer::any_graph
