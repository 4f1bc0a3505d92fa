#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fabric/fabric.hpp"
#include "schedule/schedule.hpp"
#include "tables/link_stages.hpp"
#include "tables/store_model.hpp"
#include "tables/timing.hpp"

namespace gossamer {

/// A schedule for a fabric that holds several, with the flits and link stages of its own.
struct OtherSchedule {
  Schedule schedule;
  unsigned flits;
  PortStages stages = {};
};

/// Where a node has the sum of a message when the run has ended.
struct SumPlace {
  Node node = 0;
  Message message;
  Place place;
};

/// A schedule as the hardware runs it.
struct CompiledSchedule {
  FabricImage image;  ///< without own words: what a message contains is not the schedule's business
  Timeline time;
  std::shared_ptr<const ScheduleTiming> timed;  ///< what the schedule's transfers carry, and when
  std::uint64_t flits_expected = 0;             ///< flits that will be on links, over all hops
  std::vector<SumPlace> sums = {};  ///< of a reduction, by node, then piece: those it brings
};

/// The nodes, of `ports` ports, that the tables of a schedule are for.
NodeKind node_kind(const Schedule& schedule, Port ports);

}  // namespace gossamer
