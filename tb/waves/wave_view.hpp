#pragma once

#include <string>
#include <vector>

#include "fabric/payload.hpp"
#include "run/runner.hpp"
#include "tables/compiler.hpp"
#include "views/rows.hpp"

namespace gossamer::tb {

/// The names of signals in an engine's waveforms.
class WaveSignals : public Signals {
 public:
  WaveSignals(const std::string& engine, bool half_duplex, bool adaptive = false)
      : engine_(engine), half_duplex_(half_duplex), adaptive_(adaptive) {}

  std::string clock(Node x) const override;
  NodeSignals node(Node x) const override;
  PortSignals port(Node x, Port p) const override;
  std::string words_in_log(Node x, unsigned log) const override;

 private:
  std::string scope(Node x) const;

  std::string engine_;
  bool half_duplex_, adaptive_;
};

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
