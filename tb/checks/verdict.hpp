#pragma once

#include <cstdint>

#include "driver/runner.hpp"
#include "engines/make_fabric.hpp"
#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "tables/compiler.hpp"

namespace gossamer::tb {

/// The first errors that nodes raised, each as a problem.
void add_errors(const Fabric& fabric, const FabricImage& image, RunResult& result);

/// The checks of a run that has ended: all nodes are at rest, there are no errors, cycles and flits
/// are as predicted, and the scoreboard accepts every word.
void judge(const Fabric& fabric, const Compiled& compiled, const Payload& payload,
           const Schedule& schedule, RunResult& result);

/// What is known when a run is given up.
void judge_interrupted(const Fabric& fabric, const Compiled& compiled, const Payload& payload,
                       const RunOptions& options, RunResult& result);

/// A second run that compares every link in every cycle with the schedule. It is left out only if
/// it would take long and everything else is right. After a failed run it compares as much as time
/// and memory allow, and says so.
void watch_links(const Compiled& compiled, const Payload& payload, const Schedule& schedule,
                 const RunOptions& options, const MakeFabric& make, unsigned threads,
                 std::uint64_t limit, RunResult& result);

}  // namespace gossamer::tb
