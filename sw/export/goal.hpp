#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace gossamer {

/// The schedule as a GOAL text, the input of LogGOPSim's txt2bin (docs/use/export.md): a rank for
/// each node, a send and a recv for each transfer, of four bytes a flit. `flits` are those of a
/// message if the schedule does not say how long they are. Throws InputError like deliveries().
std::string goal_text(const Schedule& schedule, std::uint32_t flits);

}  // namespace gossamer
