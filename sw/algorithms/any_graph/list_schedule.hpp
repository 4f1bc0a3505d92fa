#pragma once

#include <vector>

#include "algorithms/any_graph/hop.hpp"
#include "algorithms/any_graph/routes.hpp"

namespace gossamer::any_graph {

/// Sends packets along their routes, as many at once as the resources allow.
std::vector<Hop> list_schedule(const Arcs& arcs, const bounds::Resources& resources,
                               const std::vector<Packet>& packets, std::uint32_t seed);

}  // namespace gossamer::any_graph
