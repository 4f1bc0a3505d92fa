#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/any_graph/effort.hpp"
#include "algorithms/any_graph/hop.hpp"
#include "algorithms/any_graph/routes.hpp"
#include "bounds/resources.hpp"

namespace gossamer::any_graph {

/// Routes of small load from every node to every other one.
std::vector<Packet> routes_to_all(const Arcs& arcs, const bounds::Resources& resources,
                                  std::uint64_t goal, std::uint32_t seed);

/// Total exchange in any model: routes of small load, then the shortest of some list schedules.
std::vector<Hop> total_exchange(const Arcs& arcs, const bounds::Resources& resources,
                                std::uint32_t bound, const Effort& effort);

}  // namespace gossamer::any_graph
