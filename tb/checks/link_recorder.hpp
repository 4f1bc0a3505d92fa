#pragma once

#include <cstdint>

#include "driver/runner.hpp"
#include "engines/make_fabric.hpp"
#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "tables/compiler.hpp"

namespace gossamer::tb {

/// Runs a loaded fabric from cycle 0 up to `limit`, or until it is done, and writes down what
/// stands on its links.
LinkRecord record_links(Fabric& fabric, const Topology& topology, const Payload& payload,
                        std::uint64_t limit);

/// The same in a run of its own, so that what is judged never depends on what is drawn. Nothing if
/// that would take long and the run has passed; of one that has failed as much as is quickly done.
void record_run(const Compiled& compiled, const Payload& payload, const RunOptions& options,
                const MakeFabric& make, unsigned threads, std::uint64_t limit, RunResult& result);

}  // namespace gossamer::tb
