#pragma once

#include <cstdint>

#include "checks/link_oracle.hpp"
#include "engines/engine_library.hpp"
#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "run/runner.hpp"
#include "tables/compiler.hpp"

namespace gossamer::tb {

/// Runs a loaded fabric from cycle 0 up to `limit`, or until it is done, and records what is on its
/// links. The words of a reduction say nothing of what they are; its oracle knows the right ones.
LinkRecord record_links(Fabric& fabric, const Topology& topology, const Payload& payload,
                        std::uint64_t limit, const LinkOracle* sums = nullptr);

/// Is a run of so many cycles short enough to be recorded as a whole?
bool can_record(const Topology& topology, std::uint64_t cycles);

/// The same in a separate run, so that the verdict never depends on pictures. Records nothing if
/// that would take long and the run has passed; of a failed run it records what takes a second.
void record_run(const CompiledSchedule& compiled, const Payload& payload, const Schedule& schedule,
                const RunOptions& options, const MakeFabric& make, unsigned threads,
                std::uint64_t limit, RunResult& result);

}  // namespace gossamer::tb
