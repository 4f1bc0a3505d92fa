#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "engines/make_fabric.hpp"
#include "fabric/payload.hpp"
#include "fabric/ranks.hpp"
#include "run/runner.hpp"
#include "schedule/schedule.hpp"
#include "support/file.hpp"
#include "tables/compiler.hpp"

namespace gossamer::tb {

/// A schedule in the tables of a fabric that has not begun.
class PreparedRun {
 public:
  /// Compiles the schedule, gets the engine, and loads the fabric. Throws InputError if the engine
  /// cannot run the schedule, or memory does not suffice; Interrupted.
  PreparedRun(const Schedule& schedule, const RunOptions& asked, Ranks* ranks,
              const MakeFabric& make);
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;

  void stage(const char* text) const {
    if (options.stage) options.stage(text);
  }
  /// Of the simulation.
  unsigned threads() const;
  /// Ends the waveform, if there is one, and writes its view.
  void write_wave(const RunResult& result);

  const Schedule& schedule;
  RunOptions options;
  Payload payload;
  CompiledSchedule compiled;
  std::unique_ptr<Fabric> fabric;
  std::optional<NewFile> wave;
  std::chrono::steady_clock::time_point begin;  ///< of loading

 private:
  void trace();

  bool shows_expected_ = false;
};

/// How many ports the nodes of the chosen engine have.
Port node_ports(const RunOptions& options, const Schedule& schedule);

}  // namespace gossamer::tb
