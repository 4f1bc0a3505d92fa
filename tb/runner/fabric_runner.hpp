#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "checks/link_oracle.hpp"
#include "checks/verdict.hpp"
#include "engines/engine_library.hpp"
#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "run/runner.hpp"
#include "schedule/schedule.hpp"
#include "support/file.hpp"
#include "tables/compiler.hpp"

namespace gossamer::tb {

/// Runs a loaded fabric from cycle 0 up to `limit`, or until it is done, and records what is on its
/// links. The words of a reduction say nothing of what they are; its oracle knows the right ones.
LinkRecord record_links(Fabric& fabric, const Topology& topology, const Payload& payload,
                        std::uint64_t limit, const LinkOracle* sums = nullptr);

/// The same in a separate run, so that the verdict never depends on pictures. Records nothing if
/// that would take long and the run has passed; of a failed run it records what takes a second.
void record_run(const Loaded& run, const MakeFabric& make, unsigned threads, std::uint64_t limit,
                RunResult& result);

/// A schedule in the tables of a fabric that has not begun.
class PreparedRun : public Loaded {
 public:
  /// Compiles the schedule, gets the engine, and loads the fabric. Throws InputError if the engine
  /// cannot run the schedule, or memory does not suffice; Interrupted.
  PreparedRun(const Schedule& schedule, const RunOptions& asked, Ranks* ranks,
              const MakeFabric& make);
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;

  void stage(const char* text) const { options.job->stage(text); }
  /// Of the simulation.
  unsigned threads() const;
  /// Ends the waveform, if there is one, and writes its view.
  void write_wave(const RunResult& result);

  std::unique_ptr<Fabric> fabric;
  std::optional<NewFile> wave;
  std::chrono::steady_clock::time_point begin;  ///< of loading

 private:
  void trace();

  bool shows_expected_ = false;
};

/// Is one node of each class simulated instead of all nodes (docs/research/scale.md)? The options
/// decide; by default, it is done if it is exact and all nodes would take long. Throws InputError
/// if the options ask for it and it is not exact: the classes are single nodes, or another option
/// breaks the symmetry.
bool runs_symmetric(const Schedule& schedule, const RunOptions& options, bool several_ranks);

/// The cycle by which every slot has ended and every flit has arrived.
std::uint64_t last_cycle(const Timeline& time);

/// How many ports the nodes of the chosen engine have.
Port node_ports(const RunOptions& options, const Schedule& schedule);

/// Compiles a schedule, loads it into a fabric of the engine asked for, runs it and judges the
/// outcome: words against their origins, cycles against the prediction, errors of the hardware.
///
/// With several ranks, each simulates and judges a block of the nodes, and all get the same result
/// as one rank would. If something goes wrong in one of them, all end.
class FabricRunner final : public Runner {
 public:
  /// `make` makes the fabrics; tests pass their own. `others`: cycles of nodes that run something
  /// else at the same time.
  explicit FabricRunner(Ranks* ranks = nullptr, MakeFabric make = make_fabric,
                        std::uint64_t others = 0)
      : ranks_(ranks), make_(std::move(make)), others_(others) {}
  RunResult run(const Schedule& schedule, const RunOptions& options) override;
  std::vector<RunResult> run_programs(std::span<const Program> programs,
                                      std::span<const std::size_t> starts,
                                      const RunOptions& options) override;
  bool side_by_side() const override { return ranks_ == nullptr; }
  void note_failure(const std::string& why) override { failure_ = why; }

  /// Call it when the command ends, with its exit status. Ranks that wait for this one then end,
  /// too.
  void leave(int status);

  std::string engine_of(const Schedule& schedule, const RunOptions& options) override;
  void get_engine(const std::string& name) override { tb::get_engine(name); }
  std::string sources() const override { return source_folder(); }

 private:
  void simulate_and_judge(PreparedRun& run, std::uint64_t limit, std::optional<WatchedRun>& watched,
                          RunResult& result);
  /// Of a run that was watched, reports what was seen; else runs it once more.
  void compare_links(PreparedRun& run, std::uint64_t limit,
                     const std::optional<WatchedRun>& watched, RunResult& result);

  Ranks* ranks_;
  MakeFabric make_;
  std::uint64_t others_;
  std::string failure_;  ///< what ended the command
};

/// The ranks of an MPI run, if mpirun has started this process as one of several. Null otherwise,
/// or if this build has no MPI. From here on the output of all ranks but the first is dropped. The
/// destructor ends the use of MPI.
std::unique_ptr<Ranks> mpi_ranks(int& argc, char**& argv);

}  // namespace gossamer::tb
