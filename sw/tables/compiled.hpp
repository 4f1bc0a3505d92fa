#pragma once

#include <cstdint>
#include <memory>

#include "fabric/fabric.hpp"
#include "schedule/schedule.hpp"
#include "tables/sum_player.hpp"
#include "tables/timing.hpp"

namespace gossamer {

/// A schedule as the hardware runs it.
struct CompiledSchedule {
  FabricImage image;  ///< without own words: what a message contains is not the schedule's business
  Timeline time;
  std::shared_ptr<const ScheduleTiming> timed;  ///< what the schedule's transfers carry, and when
  std::uint64_t flits_expected = 0;             ///< flits that will be on links, over all hops
  std::shared_ptr<const SumPlayer> sums = nullptr;  ///< of a reduction: where its results are
};

/// The nodes, of `ports` ports, that the tables of a schedule are for.
NodeKind node_kind(const Schedule& schedule, Port ports);

}  // namespace gossamer
