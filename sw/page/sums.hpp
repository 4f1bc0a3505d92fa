#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "checker/checker.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

/// The most numbers in a page: paths and messages as the schedule lists them, and messages of
/// transfers of everything.
inline constexpr std::uint64_t kMostNumbers = 400'000;
inline constexpr std::uint64_t kMostListed = 300'000;

/// For a schedule that is too long for a page: the load of the links of blocks of nodes, by port,
/// and of all links by groups of rounds, in busy cycles.
nlohmann::ordered_json sums_json(const Schedule& schedule, const CheckReport& checked,
                                 unsigned flits);

}  // namespace gossamer
