#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.hpp"
#include "tables/compiled.hpp"

namespace gossamer {

/// Words from one message of an adaptive node's logs to the next: 2^shift, at least `flits`.
std::uint32_t adaptive_shift(unsigned flits);

/// Tables of an adaptive schedule (paper 3): each slot lists what it offers, message by message,
/// counted from the node's own, so that what a neighbour sends at a position belongs at ours with
/// one bit of its number turned. `flits_expected` is for schedule.faults. Throws InputError where
/// the lists do not agree in that way, or are more than a node can tell apart.
Compiled compile_adaptive(const Schedule& schedule, unsigned flits, Port ports);

/// Outputs that transmit nothing, for each node a bit per port; empty if no element is dead.
std::vector<std::uint64_t> dead_outputs(const Topology& topology, const FaultSet& faults);

}  // namespace gossamer
