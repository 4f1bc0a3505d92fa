#pragma once

#include "adaptive/offers.hpp"
#include "tables/timing.hpp"

namespace gossamer {

/// Slots of an adaptive schedule: a position for every offer, L cycles each; longer only if the
/// next slot would read a message before it is written. The last arrival is the last cycle of the
/// last receive window, whether or not anything arrives in it.
Timeline adaptive_timeline(const Schedule& schedule, const Offers& offers, unsigned flits,
                           const PortStages& stages = {});

}  // namespace gossamer
