#pragma once

#include <cstdint>
#include <vector>

#include "topology/arcs.hpp"

namespace gossamer::bounds {

/// The fewest hops of 1, 2, ... paths from `from` to `to` together, no two of which share an arc;
/// as many as there are such paths.
std::vector<std::uint64_t> hops_of_disjoint_paths(const Arcs& arcs, Node from, Node to);

/// The fewest cycles in which `flits` flits can get from one node to another over such paths, if a
/// hop takes `hop` cycles. Of all flows over time to one node, one that is the same in every cycle
/// is the best (Ford and Fulkerson 1958): over k paths of c hops together, k T - hop c flits have
/// arrived after T cycles.
std::uint64_t cycles_of_flow(const std::vector<std::uint64_t>& hops, std::uint64_t flits,
                             std::uint64_t hop);

}  // namespace gossamer::bounds
