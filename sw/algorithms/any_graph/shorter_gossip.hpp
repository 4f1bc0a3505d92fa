#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bounds/resources.hpp"
#include "topology/arcs.hpp"

namespace gossamer::any_graph {

/// The arcs that send in each round.
using ArcsByRound = std::vector<std::vector<ArcId>>;

/// A gossip with combining of so many rounds, by simulated annealing. Nothing if `changes` changes
/// do not find one.
std::optional<ArcsByRound> anneal_gossip(const Arcs& arcs, const bounds::Resources& resources,
                                         std::uint32_t rounds, std::uint64_t changes,
                                         std::uint64_t seed);

}  // namespace gossamer::any_graph
