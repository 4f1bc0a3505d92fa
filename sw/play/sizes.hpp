#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// Flits of every transfer, in the order of schedule.transfers(). Everything is each message once.
std::vector<std::uint64_t> carried_flits(const Schedule& schedule, const ChunkFlits& flits);

}  // namespace gossamer
