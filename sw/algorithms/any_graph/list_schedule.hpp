#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/any_graph/hop.hpp"
#include "algorithms/any_graph/routes.hpp"

namespace gossamer::any_graph {

/// Sends packets along their routes, as many at once as the resources allow. No hops once it is
/// certain that they take `most` rounds or more.
std::vector<Hop> list_schedule(const Arcs& arcs, const bounds::Resources& resources,
                               const std::vector<Packet>& packets, std::uint32_t seed,
                               std::uint32_t most = std::numeric_limits<std::uint32_t>::max());

}  // namespace gossamer::any_graph
