#pragma once

#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "schedule/schedule.hpp"
#include "tables/timing.hpp"

namespace gossamer::tb {

/// "link 0-1", "node 3": the links and nodes each of which, if it alone is dead from the first
/// round on, makes just these nodes raise just these first errors. Nothing of schedules that adapt.
std::vector<std::string> suspects(const Schedule& schedule, const ScheduleTiming& timed,
                                  const std::vector<NodeError>& errors);

}  // namespace gossamer::tb
