#pragma once

#include <cstdint>
#include <memory>

#include "engines/verilated_model.hpp"
#include "engines/wave_error.hpp"
#include "fabric/fabric.hpp"
#include "support/error.hpp"
#include "waves/wave_time.hpp"

namespace gossamer::tb {

/// Levels of the hierarchy, for a model's trace().
inline constexpr int kAllLevels = 99;

/// The waveform of a run, an FST file. Engines built without tracing never open one.
class WaveFile {
 public:
  bool open() const { return file_ != nullptr; }
  bool in_window(std::uint64_t cycle) const {
    return open() && cycle >= options_.first_cycle && cycle <= options_.last_cycle;
  }

  /// Opens the file; `add` passes every model to trace to the given TraceFile.
  template <class Add>
  void begin(const TraceOptions& options, Add add) {
    options_ = options;
    wave_error(/*forget=*/true);
    if (options_.file.empty()) return;
    file_ = std::make_unique<TraceFile>();
    add(*file_);
    file_->open(options_.file.c_str());
    if (!file_->isOpen()) throw InputError(options_.file + ": cannot be written");
  }
  /// The values of all signals in the first half of the cycle, while the clock is high.
  void rising(std::uint64_t cycle) { file_->dump(cycle * kWaveUnitsPerCycle); }
  /// The values in the second half.
  void falling(std::uint64_t cycle) {
    file_->dump(cycle * kWaveUnitsPerCycle + kWaveUnitsPerCycle / 2);
  }
  void close() {
    if (file_) file_->close();
    file_.reset();
  }

 private:
  TraceOptions options_;
  std::unique_ptr<TraceFile> file_;
};

}  // namespace gossamer::tb
