#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "algorithms/common/algorithm.hpp"
#include "schedule/schedule.hpp"
#include "support/job.hpp"

namespace gossamer::any_graph {

/// How a search goes on after the work that it always does, which is the same on every machine.
struct Effort {
  std::uint32_t seed = 1;
  std::optional<std::chrono::steady_clock::time_point> until = std::nullopt;

  /// Has the search done `enough`, and is the time over?
  bool over(std::uint64_t work, std::uint64_t enough) const {
    return work >= enough && (!until || std::chrono::steady_clock::now() >= *until);
  }
};

inline Effort effort_of(const Request& request) {
  Effort effort{request.seed};
  if (request.seconds) {
    using Clock = std::chrono::steady_clock;
    effort.until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(*request.seconds));
  }
  return effort;
}

/// The work of a search that plans schedules of so many hops: so many hops in all, but no more than
/// three thousand schedules. On small graphs more of them do not help.
constexpr std::uint64_t enough_work(std::uint64_t hops_in_all, std::uint64_t hops_of_a_schedule) {
  constexpr std::uint64_t kSchedules = 3000;
  return std::min(hops_in_all, kSchedules * hops_of_a_schedule);
}

/// The work of a schedule in which every round looks at all arcs. It is as if so many hops were
/// planned: on dense graphs through single ports most arcs are looked at in vain.
constexpr std::uint64_t work_of(std::uint64_t hops, std::uint64_t rounds, std::uint64_t arcs) {
  return std::max(hops, rounds * arcs / 8);
}

/// Improves what is already there. Ctrl-C ends an improvement that was given its time, not the
/// program: what was found so far is checked and reported.
template <typename Improve>
void best_so_far(const Effort& effort, Improve improve) {
  try {
    improve();
  } catch (const Interrupted&) {
    if (!effort.until || !ended_by_control_c()) throw;
  }
}

/// A message crosses a link in a round.
struct Hop {
  std::uint32_t round = 0;
  Node from = 0;
  Node to = 0;
  Message message;
};

}  // namespace gossamer::any_graph
