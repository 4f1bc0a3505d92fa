#include "algorithms/tdm/fewest_slots.hpp"

#include <algorithm>

namespace gossamer::tdm {
namespace {

/// A short attempt makes some ten insertions per route, which is enough for the small tori.
std::uint64_t short_attempt(const Torus& torus) {
  return std::max<std::uint64_t>(20'000, std::uint64_t{10} * torus.nodes());
}
/// Later attempts double their insertions at most this often.
constexpr unsigned kDoublings = 12;

/// Each attempt uses a different stream of random numbers.
std::uint32_t seed_of(std::uint32_t seed, std::uint32_t number) {
  return seed * 2654435761u + number;
}

/// Drops equally many unused slots at both ends.
Timetable trimmed(Timetable timetable) {
  const std::uint32_t unused = all_routes(timetable).front().slot - 1;
  timetable.slots -= 2 * unused;
  for (Route& route : timetable.half) route.slot -= unused;
  return timetable;
}

/// Tries more and more slots until the search succeeds.
Timetable first_timetable(const Torus& torus, std::uint32_t bound, std::uint32_t seed) {
  std::uint64_t insertions = 0;
  for (std::uint32_t more = 0;; more = std::max(2 * more, 1u)) {
    const auto routes =
        attempt(torus, bound + more, seed_of(seed, 0), {short_attempt(torus)}, insertions);
    if (routes) return trimmed({torus, bound + more, *routes});
  }
}

}  // namespace

Timetable fewest_slots(const Torus& torus, std::uint32_t bound, std::uint32_t seed,
                       const Limit& limit) {
  Timetable best = first_timetable(torus, bound, seed);
  std::uint64_t insertions = 0;
  for (std::uint32_t number = 1; best.slots > bound && insertions < limit.insertions; ++number) {
    if (limit.until && std::chrono::steady_clock::now() >= *limit.until) break;
    const std::uint64_t patience = short_attempt(torus) << std::min(number, kDoublings);
    const Limit one = {std::min(patience, limit.insertions - insertions), limit.until};
    const auto routes = attempt(torus, best.slots - 1, seed_of(seed, number), one, insertions);
    if (routes) best = trimmed({torus, best.slots - 1, *routes});
  }
  return best;
}

}  // namespace gossamer::tdm
