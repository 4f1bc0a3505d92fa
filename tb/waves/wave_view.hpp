#pragma once

#include <string>
#include <vector>

#include "fabric/payload.hpp"
#include "run/runner.hpp"
#include "tables/compiler.hpp"

namespace gossamer::tb {

/// A run whose waveform was written.
struct TracedRun {
  const Schedule& schedule;
  const CompiledSchedule& compiled;
  const Payload& payload;
  const RunOptions& options;
  const RunResult& result;
  std::vector<NodeError> errors;
  bool expected;  ///< the engine shows what should be on the links
};

/// Writes the files with which GTKWave shows the waveform NAME.fst of a run well
/// (docs/use/waveforms.md): NAME.gtkw with a group for every node and in it for every port, states
/// and errors by name, and a marker where the run first went wrong; NAME.flits with names for the
/// words of flits. Throws InputError if they cannot be written, or if the run ended before the
/// requested window.
void write_wave_view(const TracedRun& run);

}  // namespace gossamer::tb
