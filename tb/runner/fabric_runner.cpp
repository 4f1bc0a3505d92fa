#include "runner/fabric_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "checks/link_oracle.hpp"
#include "checks/link_recorder.hpp"
#include "checks/run_memory.hpp"
#include "checks/verdict.hpp"
#include "engines/engine_library.hpp"
#include "runner/agreement.hpp"
#include "runner/symmetric_run.hpp"
#include "schedule/adaptive_rules.hpp"
#include "schedule/chunks.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/interrupt.hpp"
#include "tables/compiler.hpp"
#include "tables/own_words.hpp"
#include "tables/expected_logs.hpp"
#include "waves/wave_view.hpp"

namespace gossamer::tb {
namespace {

/// A run that is this many cycles late is given up.
constexpr std::uint64_t kPatience = 64;
/// Fabrics of fewer nodes have too little to do in a cycle for threads to pay, except in a long
/// run, which takes a minute at least (docs/research/scale.md).
constexpr std::uint64_t kNodesForThreads = 4096, kNodesForThreadsIfLong = 256;
constexpr std::uint64_t kNodeCyclesForThreads = std::uint64_t{1} << 30;
/// Adaptive tiles serve all hypercubes with so few messages that the tile can tell them apart.
constexpr Port kAdaptiveTilePorts = 8;
/// Between two reports of progress, and between two looks for an interruption: a second at most.
constexpr std::uint64_t kCyclesAtATime = 4096;
constexpr std::uint64_t kNodeCyclesAtATime = std::uint64_t{1} << 22;
/// A run of more cycles times nodes saves more time with a fast engine than its compilation costs.
/// Somebody who waits for a shorter one is likely to run it again.
constexpr double kLongRun = 5e7, kLongIfAwaited = 1e6;

/// How many ports the nodes of the chosen engine have.
Port node_ports(const RunOptions& options, const Schedule& schedule) {
  const Port ports = schedule.topology().ports();
  if (options.engine != "tile") return ports;
  return adaptive(schedule) ? std::max(ports, kAdaptiveTilePorts) : tile_ports(ports);
}

/// The most memory of an oracle that is kept during a traced run.
constexpr double kOracleBytes = 256e6;

/// Is it known what should be on the links in each cycle? Not if a transfer carries everything.
bool words_are_known(const Schedule& schedule, const FabricImage& image) {
  return oracle_bytes(schedule, image) <= kOracleBytes &&
         std::ranges::none_of(schedule.transfers(),
                              [](const Transfer& t) { return t.carry == Carry::Everything; });
}

/// Threads help if a cycle has much to do, and in a long run of a smaller fabric: then it is likely
/// that the machine does nothing else.
unsigned threads_for(const RunOptions& options, const Compiled& compiled) {
  if (options.threads != 0) return options.threads;
  const std::uint64_t nodes = compiled.image.topology.nodes();
  const bool is_long = compiled.time.last_arrival > kNodeCyclesForThreads / nodes;
  if (nodes < (is_long ? kNodesForThreadsIfLong : kNodesForThreads)) return 1;
  return std::max(1u, std::thread::hardware_concurrency());
}

/// The most memory of explicit stores; compressed ones are faster than larger explicit ones.
constexpr double kExplicitBytes = 30e6;

void compress_stores(FabricImage& image, const Schedule& schedule, const Payload& payload,
                     const RunOptions& options) {
  if (options.engine != "tile" || image.kind.adaptive) return;
  if (!options.compressed.value_or(store_bytes(image) > kExplicitBytes)) return;
  image.expected = expected_logs(schedule, image.kind, payload);
}

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

/// `watched`, if there is one, compares the links. `merges`: the run ends with a sum that is
/// written.
void simulate(Fabric& fabric, const FabricImage& image, std::uint64_t limit,
              const RunOptions& options, Ranks* ranks, WatchedRun* watched, bool merges,
              RunResult& result) {
  const std::uint64_t step =
      std::clamp<std::uint64_t>(kNodeCyclesAtATime / image.topology.nodes(), 1, kCyclesAtATime);
  const auto report = [&] {
    if (options.progress) options.progress(fabric.cycle(), limit - kPatience);
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
  result.cycles_measured = image.kind.adaptive ? closed
                           : merges            ? closed - 1 - image.most_stages()
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

RunResult FabricRunner::run(const Schedule& schedule, const RunOptions& asked) {
  RunOptions options = asked;
  std::optional<Payload> words;
  std::optional<Compiled> tables;
  std::optional<NewFile> wave;
  std::unique_ptr<Fabric> fabric;
  std::string failure;
  bool shows_expected = false;
  std::chrono::steady_clock::time_point begin;
  const auto stage = [&options](const char* text) {
    if (options.stage) options.stage(text);
  };
  try {
    stage("compiling the tables");
    refuse_too_many_ports(schedule.topology());
    const bool symmetric = runs_symmetric(schedule, options, ranks_ != nullptr);
    words.emplace(schedule, options.flits, options.seed);
    std::shared_ptr<const Quotient> quotient;
    if (symmetric) {
      quotient = std::make_shared<const Quotient>(schedule.topology(), schedule.symmetry(), *words);
    }
    refuse_too_many_nodes(quotient ? quotient->topology() : schedule.topology(),
                          ranks_ != nullptr ? ranks_->size() : 1);
    tables.emplace(compile(schedule, options.flits, node_ports(options, schedule),
                           options.engine == "tile", std::move(quotient), options.timed,
                           options.stages.on(schedule)));
    const Payload& payload = *words;
    Compiled& compiled = *tables;
    place_own_words(compiled.image, schedule, payload);
    compress_stores(compiled.image, schedule, payload, options);
    refuse_too_large(compiled.image, ranks_ != nullptr ? ranks_->size() : 1);
    add_own_words(compiled.image, schedule, payload);
    options.long_run =
        static_cast<double>(compiled.time.last_arrival) * compiled.image.topology.nodes() >
        (options.stage ? kLongIfAwaited : kLongRun);
    stage("getting the engine");
    fabric = make_(options, compiled.image);
    stage("loading the fabric");
    begin = std::chrono::steady_clock::now();
    if (!options.trace.empty()) {
      wave.emplace(options.trace);
      TraceOptions trace{wave->temporary(), options.trace_nodes, options.trace_first,
                         options.trace_last};
      for (Node& x : trace.nodes) x = compiled.image.index(x);
      shows_expected = options.engine == "tile" && words_are_known(schedule, compiled.image);
      if (shows_expected) {
        const auto oracle = std::make_shared<LinkOracle>(oracle_of(compiled, payload, schedule));
        trace.expected = [oracle](Node x, Port p, std::uint64_t cycle) {
          return oracle->word_at(x, p, cycle);
        };
      }
      fabric->trace(trace);
    }
    if (ranks_ != nullptr) fabric->join(*ranks_);
    fabric->use_threads(threads_for(options, compiled));
    fabric->load(compiled.image);
  } catch (const std::exception& e) {
    if (ranks_ == nullptr) throw;
    failure = one_line(e);
  }
  if (ranks_ != nullptr) agree_to_run(*ranks_, name_of(schedule, options), failure);
  const Payload& payload = *words;
  const Compiled& compiled = *tables;

  RunResult result;
  result.cycles_predicted = compiled.time.last_arrival;
  const std::uint64_t limit = last_cycle(compiled.time) + kPatience;
  const unsigned threads = threads_for(options, compiled);
  std::optional<WatchedRun> watched;
  try {
    if (ranks_ == nullptr && WatchedRun::possible(compiled, schedule)) {
      watched.emplace(compiled, payload, schedule);
    }
    simulate(*fabric, compiled.image, limit, options, ranks_, watched ? &*watched : nullptr,
             compiled.time.ends_merging(), result);
    if (const int error = fabric->trace_error()) wave->refuse(error);
    if (!result.interrupted) {
      stage("reading the stores");
      // The stores of other engines are behind ports of the RTL.
      judge(*fabric, compiled, payload, schedule, options.engine == "tile" ? threads : 1, result);
    }
  } catch (const Interrupted&) {
    if (ranks_ != nullptr) ranks_->abort("interrupted");
    result.interrupted = true;
  } catch (const GaveUp& why) {
    if (ranks_ != nullptr) ranks_->abort(why.what());
    result.problems.push_back(
        fmt::format("given up after cycle {}: {}", fabric->cycle(), why.what()));
    add_errors(*fabric, compiled.image, result);
    result.words_checked = fabric->compared().words * compiled.image.copies();
    if (watched && !watched->seen().difference) watched.reset();  // a second run may see more
  } catch (const std::exception& e) {
    if (ranks_ == nullptr) throw;
    ranks_->abort(one_line(e));
  }
  if (result.interrupted) judge_interrupted(*fabric, compiled, payload, options, result);
  if (ranks_ != nullptr) join_results(*ranks_, result);
  try {
    if (ranks_ == nullptr && !result.interrupted) {
      if (watched) {
        report_links(watched->seen(), *fabric, result);
      } else {
        stage("comparing the links with the schedule");
        watch_links(compiled, payload, schedule, options, make_, threads, limit, result);
      }
      if (options.record && !compiled.image.quotient)
        record_run(compiled, payload, options, make_, threads, limit, result);
    }
  } catch (const Interrupted&) {
    if (result.passed()) {
      result.interrupted = true;
      judge_interrupted(*fabric, compiled, payload, options, result);
    } else {
      result.problems.push_back("interrupted while the links were compared with the schedule");
    }
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  const double node_cycles = static_cast<double>(fabric->cycle()) * compiled.image.topology.nodes();
  result.wall_seconds = wall.count();
  result.node_cycles_per_second = node_cycles / result.wall_seconds;
  result.engine_node_cycles_per_second = node_cycles / result.engine_seconds;
  if (!options.trace.empty()) {
    fabric->end_trace();
    if (const int error = fabric->trace_error()) wave->refuse(error);
    std::vector<NodeError> errors = fabric->errors();
    for (NodeError& e : errors) e.node = compiled.image.name(e.node);
    write_wave_view(
        {schedule, compiled, payload, options, result, std::move(errors), shows_expected});
    wave->keep();
  }
  return result;
}

namespace {

/// Calls `use` with what a run's tile engine depends on.
template <class Use>
auto with_tile_engine(const Schedule& schedule, const RunOptions& options, const Use& use) {
  return use(node_kind(schedule, node_ports(options, schedule)), !options.trace.empty(),
             !options.stages.none());
}

}  // namespace

/// Only tile engines are known in advance: the depth of a flat one depends on the tables.
std::string FabricRunner::engine_of(const Schedule& schedule, const RunOptions& options) {
  if (options.engine != "tile") return {};
  return with_tile_engine(schedule, options, tile_engine);
}

void FabricRunner::get_engine(const Schedule& schedule, const RunOptions& options) {
  if (options.engine != "tile") return;
  with_tile_engine(schedule, options, get_tile_engine);
}

}  // namespace gossamer::tb
