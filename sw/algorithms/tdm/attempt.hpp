#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/tdm/timetable.hpp"

namespace gossamer::tdm {

/// How long to search: until a moment, and never more than so many insertions.
struct Limit {
  std::uint64_t insertions = ~std::uint64_t{0};
  std::optional<std::chrono::steady_clock::time_point> until = std::nullopt;
};

/// Ruin and recreate: one attempt to place all routes in so many slots. Routes without a place are
/// put where the prices of those in their way are least, and these then have none; a route grows
/// dearer whenever it finds no free place. Nothing if the limit came first. The same seed gives the
/// same routes, on any machine. `insertions` is increased by those that were made.
std::optional<std::vector<Route>> attempt(const Torus& torus, std::uint32_t slots,
                                          std::uint32_t seed, const Limit& limit,
                                          std::uint64_t& insertions);

}  // namespace gossamer::tdm
