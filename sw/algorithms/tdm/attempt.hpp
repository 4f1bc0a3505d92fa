#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/tdm/timetable.hpp"

namespace gossamer::tdm {

/// How long to search: until this time, and at most so many insertions.
struct Limit {
  std::uint64_t insertions = ~std::uint64_t{0};
  std::optional<std::chrono::steady_clock::time_point> until = std::nullopt;
};

/// Ruin and recreate: one attempt to place all routes in so many slots. A route without a place is
/// put where the prices of the routes in its way are lowest, and these lose their places. A route's
/// price rises whenever it finds no free place. Returns nothing if the limit came first. The same
/// seed gives the same routes on every machine. `insertions` is increased by those that were made.
std::optional<std::vector<Route>> attempt(const Torus& torus, std::uint32_t slots,
                                          std::uint32_t seed, const Limit& limit,
                                          std::uint64_t& insertions);

}  // namespace gossamer::tdm
