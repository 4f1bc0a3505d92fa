#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "adaptive/adaptive.hpp"
#include "schedule/schedule.hpp"
#include "tables/compiler.hpp"
#include "tables/link_stages.hpp"
#include "tables/timing.hpp"

namespace gossamer {

/// Slots of an adaptive schedule: a position for every offer, L cycles each; longer only if the
/// next slot would read a message before it is written. The last arrival is the last cycle of the
/// last receive window, whether or not anything arrives in it.
Timeline adaptive_timeline(const Schedule& schedule, const Offers& offers, unsigned flits,
                           const PortStages& stages = {});

/// Tables of an adaptive schedule (Chau-Fu): each slot lists the messages that it offers, numbered
/// from the node's own, so that the number of a neighbour's message at a position differs from ours
/// in one bit. `flits_expected` is for schedule.faults. Throws InputError if the lists do not agree
/// in this way, or have more messages than a node can distinguish.
CompiledSchedule compile_adaptive(const Schedule& schedule,
                                  std::shared_ptr<const ScheduleTiming> timed, Port ports);

/// Outputs that transmit nothing, a bit per port for each node; empty if no element is dead.
std::vector<std::uint64_t> dead_outputs(const Topology& topology, const FaultSet& faults);

}  // namespace gossamer
