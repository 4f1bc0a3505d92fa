#pragma once

#include "schedule/adaptive.hpp"
#include "tables/compiler.hpp"

namespace gossamer {

/// Words from one message of an adaptive node's logs to the next: 2^shift, at least `flits`.
std::uint32_t adaptive_shift(unsigned flits);

/// Tables of an adaptive schedule (paper 3): each slot lists what it offers, message by message,
/// counted from the node's own, so that what a neighbour sends at a position belongs at ours with
/// one bit of its number turned. `flits_expected` is for schedule.faults. Throws InputError where
/// the lists do not agree in that way, or are more than a node can tell apart.
Compiled compile_adaptive(const Schedule& schedule, unsigned flits, Port ports);

/// Slots of an adaptive schedule: a position for every offer, L cycles each; longer only where the
/// next slot would read a message before it is written. The last arrival is the last cycle of the
/// last receive window, whether or not anything arrives in it.
Timeline adaptive_timeline(const Schedule& schedule, const Offers& offers, unsigned flits);

/// Outputs that transmit nothing, for each node a bit per port; empty if no element is dead.
std::vector<std::uint64_t> dead_outputs(const Topology& topology, const FaultSet& faults);

}  // namespace gossamer
