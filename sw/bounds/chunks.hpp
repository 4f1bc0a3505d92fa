#pragma once

#include <cstdint>
#include <span>

#include "bounds/bounds.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

/// The bounds that are printed beside a schedule, each with the schedules that it holds for.
/// Of rounds: of all in the same model; if messages are cut into `pieces`, into as many or more.
Bound bound_of_rounds(const Schedule& schedule, std::uint32_t pieces);
/// Of cycles: of all schedules of the same request through these ports. `stages` of the links are
/// those that packets have, by port (empty: none).
Bound bound_of_cycles(const Schedule& schedule, PortModel ports, unsigned flits,
                      std::span<const std::uint32_t> stages);

/// Lower bounds of any collective of any members, with messages of any sizes, over links of any
/// directions and stages: see chunks.cpp for the claims and their proofs.

/// Of the rounds of all schedules of the same model that cut messages into as many `pieces` or
/// more.
Bound chunk_bound(const Schedule& schedule, std::uint32_t pieces);

/// Of the cycles of all schedules through these ports, over links of the same duplex and of these
/// stages by port: of any switching, whatever is combined or cut into pieces. See
/// lower_bound_cycles().
Bound chunk_bound_cycles(const Schedule& schedule, PortModel ports, unsigned flits,
                         std::span<const std::uint32_t> stages);

/// Of the cycles of packets, each of them a whole chunk of this schedule.
std::uint64_t chunk_bound_packets(const Schedule& schedule, unsigned flits, std::uint64_t stages);

}  // namespace gossamer
