#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace gossamer {

/// The schedule as a GOAL text, the input of LogGOPSim's txt2bin (docs/use/export.md): a rank for
/// each node, a send and a recv for each transfer, `bytes` bytes for each message, a longest one if
/// they are not equally long. Throws InputError like deliveries().
std::string goal_text(const Schedule& schedule, std::uint64_t bytes);

}  // namespace gossamer
