#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// What a page can hold, in numbers: paths and messages as the schedule lists them, and messages of
/// transfers of everything.
inline constexpr std::uint64_t kMostNumbers = 400'000;
inline constexpr std::uint64_t kMostListed = 300'000;

/// Of a schedule that is too long for a page: what the links of neighbouring nodes carry together, by
/// port, and all links by groups of neighbouring rounds, in cycles that they are busy.
nlohmann::ordered_json sums_json(const Schedule& schedule, const std::vector<std::uint64_t>& carried,
                                 unsigned flits);

}  // namespace gossamer
