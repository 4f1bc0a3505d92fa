#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/any_graph/effort.hpp"
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

/// Sends packets along their routes, as many at once as the resources allow. No hops once it is
/// certain that they take `most` rounds or more.
std::vector<Hop> list_schedule(const Arcs& arcs, const bounds::Resources& resources,
                               const std::vector<Packet>& packets, std::uint32_t seed,
                               std::uint32_t most = std::numeric_limits<std::uint32_t>::max());

/// Routes of small load from every node to every other one.
std::vector<Packet> routes_to_all(const Arcs& arcs, const bounds::Resources& resources,
                                  std::uint64_t goal, std::uint32_t seed);

/// Total exchange in any model: routes of small load, then the shortest of some list schedules.
std::vector<Hop> total_exchange(const Arcs& arcs, const bounds::Resources& resources,
                                std::uint32_t bound, const Effort& effort);

}  // namespace gossamer::any_graph
