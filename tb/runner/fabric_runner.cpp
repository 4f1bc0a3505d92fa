#include "runner/fabric_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "checks/link_recorder.hpp"
#include "checks/verdict.hpp"
#include "engines/engine_library.hpp"
#include "fabric/torus_shape.hpp"
#include "runner/agreement.hpp"
#include "runner/prepared_run.hpp"
#include "runner/symmetric_run.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "tables/compiler.hpp"

namespace gossamer::tb {
namespace {

/// A run that is this many cycles late is given up.
constexpr std::uint64_t kPatience = 64;
/// Between two reports of progress, and between two looks for an interruption: a second at most.
constexpr std::uint64_t kCyclesAtATime = 4096;
constexpr std::uint64_t kNodeCyclesAtATime = std::uint64_t{1} << 22;
/// Cycles from the end of a node's last receive window until it reports that its table has ended
/// (docs/hardware/table-format.md).
constexpr std::uint64_t kUntilReported = 3;

/// The cycle by which every slot has ended and every flit has arrived.
std::uint64_t last_cycle(const Timeline& time) {
  if (time.start.empty()) return 0;
  const std::uint64_t longest = time.stages.empty() ? 0 : std::ranges::max(time.stages);
  return std::max(time.last_arrival, time.start.back() + time.length.back()) + longest +
         time.combining;
}

/// Runs the fabric to its end, or until it is too late. `watched`, if there is one, compares the
/// links.
void simulate(const PreparedRun& run, std::uint64_t limit, Ranks* ranks, WatchedRun* watched,
              RunResult& result) {
  Fabric& fabric = *run.fabric;
  const FabricImage& image = run.compiled.image;
  const std::uint64_t step =
      std::clamp<std::uint64_t>(kNodeCyclesAtATime / image.topology.nodes(), 1, kCyclesAtATime);
  const auto report = [&] {
    if (run.options.progress) run.options.progress(fabric.cycle(), limit - kPatience);
  };
  report();
  const auto give_up = [&] {
    std::uint64_t signals[] = {interrupted() ? 1u : 0u};
    if (ranks != nullptr) ranks->add_up(signals);
    return signals[0] != 0;
  };
  const auto begin = std::chrono::steady_clock::now();
  while (!fabric.done() && fabric.cycle() < limit && fabric.trace_error() == 0 && !give_up()) {
    const std::uint64_t cycles = std::min<std::uint64_t>(step, limit - fabric.cycle());
    if (watched != nullptr) {
      watched->run(fabric, cycles);
    } else {
      fabric.run(cycles);
    }
    report();
  }
  result.interrupted = !fabric.done() && fabric.cycle() < limit;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  result.engine_seconds = wall.count() - (watched != nullptr ? watched->seconds() : 0);
  // An adaptive node decides itself what it sends last, so the end of its slots counts.
  // A sum that is written last moves no flit.
  const std::uint64_t closed = fabric.cycle() - std::min(fabric.cycle(), kUntilReported);
  result.cycles_measured = image.kind.adaptive                ? closed
                           : run.compiled.time.ends_merging() ? closed - 1 - image.most_stages()
                                                              : fabric.last_arrival();
  result.nodes_simulated = image.topology.nodes();
  result.flits_moved = fabric.flits_moved() * image.copies();
}

}  // namespace

void FabricRunner::leave(int status) {
  if (ranks_ == nullptr) return;
  ranks_->gather(kLeaves + (failure_.empty()
                                ? fmt::format("it ended before the run, with status {}", status)
                                : failure_));
}

RunResult FabricRunner::run(const Schedule& schedule, const RunOptions& options) {
  std::optional<PreparedRun> prepared;
  std::string failure;
  try {
    prepared.emplace(schedule, options, ranks_, make_);
  } catch (const std::exception& e) {
    if (ranks_ == nullptr) throw;
    failure = one_line(e);
  }
  if (ranks_ != nullptr) agree_to_run(*ranks_, name_of(schedule, options), failure);

  PreparedRun& run = *prepared;
  const Fabric& fabric = *run.fabric;
  const std::uint64_t limit = last_cycle(run.compiled.time) + kPatience;
  RunResult result;
  result.cycles_predicted = run.compiled.time.last_arrival;
  std::optional<WatchedRun> watched;
  simulate_and_judge(run, limit, watched, result);
  if (ranks_ != nullptr) {
    join_results(*ranks_, result);
  } else if (!result.interrupted) {
    compare_links(run, limit, watched, result);
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - run.begin;
  const double node_cycles =
      static_cast<double>(fabric.cycle()) * run.compiled.image.topology.nodes();
  result.wall_seconds = wall.count();
  result.node_cycles_per_second = node_cycles / result.wall_seconds;
  result.engine_node_cycles_per_second = node_cycles / result.engine_seconds;
  run.write_wave(result);
  return result;
}

void FabricRunner::simulate_and_judge(PreparedRun& run, std::uint64_t limit,
                                      std::optional<WatchedRun>& watched, RunResult& result) {
  try {
    if (ranks_ == nullptr && WatchedRun::possible(run.compiled, run.schedule)) {
      watched.emplace(run.compiled, run.payload, run.schedule);
    }
    simulate(run, limit, ranks_, watched ? &*watched : nullptr, result);
    if (const int error = run.fabric->trace_error()) run.wave->refuse(error);
    if (!result.interrupted) {
      run.stage("reading the stores");
      // The stores of other engines are behind ports of the RTL.
      judge(*run.fabric, run.compiled, run.payload, run.schedule,
            run.options.engine == "tile" ? run.threads() : 1, result);
    }
  } catch (const Interrupted&) {
    if (ranks_ != nullptr) ranks_->abort("interrupted");
    result.interrupted = true;
  } catch (const GaveUp& why) {
    if (ranks_ != nullptr) ranks_->abort(why.what());
    result.problems.push_back(
        fmt::format("given up after cycle {}: {}", run.fabric->cycle(), why.what()));
    add_errors(*run.fabric, run.compiled.image, result);
    result.words_checked = run.fabric->compared().words * run.compiled.image.copies();
    if (watched && !watched->seen().difference) watched.reset();  // a second run may see more
  } catch (const std::exception& e) {
    if (ranks_ == nullptr) throw;
    ranks_->abort(one_line(e));
  }
  if (result.interrupted) {
    judge_interrupted(*run.fabric, run.compiled, run.payload, run.options, result);
  }
}

void FabricRunner::compare_links(PreparedRun& run, std::uint64_t limit,
                                 const std::optional<WatchedRun>& watched, RunResult& result) {
  try {
    if (watched) {
      report_links(watched->seen(), *run.fabric, result);
    } else {
      run.stage("comparing the links with the schedule");
      watch_links(run.compiled, run.payload, run.schedule, run.options, make_, run.threads(), limit,
                  result);
    }
    if (run.options.record && !run.compiled.image.quotient) {
      record_run(run.compiled, run.payload, run.schedule, run.options, make_, run.threads(), limit,
                 result);
    }
  } catch (const Interrupted&) {
    if (result.passed()) {
      result.interrupted = true;
      judge_interrupted(*run.fabric, run.compiled, run.payload, run.options, result);
    } else {
      result.problems.push_back("interrupted while the links were compared with the schedule");
    }
  }
}

namespace {

/// Calls `use` with what a run's tile engine depends on.
template <class Use>
auto with_tile_engine(const Schedule& schedule, const RunOptions& options, const Use& use) {
  return use(node_kind(schedule, node_ports(options, schedule)), !options.trace.empty(),
             !options.stages.on(schedule).empty());
}

}  // namespace

/// Only tile engines are known in advance: the depth of a flat one depends on the tables.
std::string FabricRunner::engine_of(const Schedule& schedule, const RunOptions& options) {
  RunOptions known = options;  // whether the run is recorded depends on how long it takes
  known.record = false;
  runs_symmetric(schedule, known, ranks_ != nullptr);
  refuse_too_many_ports(schedule.topology());
  if (options.engine == "flat") torus_shape(schedule.topology(), "; use the tile engine");
  if (options.engine != "tile") return {};
  return with_tile_engine(schedule, options, tile_engine);
}

void FabricRunner::get_engine(const Schedule& schedule, const RunOptions& options) {
  if (options.engine != "tile") return;
  with_tile_engine(schedule, options, get_tile_engine);
}

}  // namespace gossamer::tb
