#include "runner/fabric_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "checks/link_oracle.hpp"
#include "checks/verdict.hpp"
#include "engines/engine_library.hpp"
#include "fabric/fabric.hpp"
#include "fabric/torus_shape.hpp"
#include "run/runner.hpp"
#include "schedule/chunks.hpp"
#include "schedule/schedule.hpp"
#include "support/job.hpp"
#include "support/refuse.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"
#include "waves/wave_view.hpp"

namespace gossamer::tb {
namespace {

/// Links times cycles; about a second.
constexpr std::uint64_t kLinkCyclesToRecord = 50'000'000;
/// The most runs that are kept, some 80 MB.
constexpr std::size_t kMostRuns = 2'000'000;

/// Of a run with more cycles no more are recorded.
std::uint64_t most_cycles(const Topology& topology) {
  return kLinkCyclesToRecord / (std::uint64_t{topology.nodes()} * topology.ports());
}

/// Is this the next flit of the run?
bool continues(const LinkRun& run, std::uint64_t cycle, const Message& message,
               std::uint32_t index) {
  if (run.flits == 0 || run.begin + run.flits != cycle || run.message != message) return false;
  return message.origin == kNoNode || run.first + run.flits == index;
}

}  // namespace

LinkRecord record_links(Fabric& fabric, const Topology& topology, const Payload& payload,
                        std::uint64_t limit, const LinkOracle* sums) {
  LinkRecord record;
  std::vector<LinkRun> open(std::size_t{topology.nodes()} * topology.ports());
  const auto close = [&record](LinkRun& run) {
    if (run.flits != 0) record.runs.push_back(run);
    run.flits = 0;
  };
  const auto look = [&] {
    stop_if_interrupted();
    const std::uint64_t cycle = record.last = fabric.cycle();
    for (Node x = 0; x < topology.nodes(); ++x) {
      for (Port p = 0; p < topology.ports(); ++p) {
        if (!topology.peer(x, p).connected()) continue;
        LinkRun& run = open[std::size_t{x} * topology.ports() + p];
        const Flit flit = fabric.link(x, p);
        if (!flit.valid) {
          close(run);
          continue;
        }
        const FlitId id = (sums != nullptr ? sums->flit_of_sum(x, p, cycle, flit.data)
                                           : payload.identify(flit.data))
                              .value_or(FlitId{{kNoNode, kNoNode}, 0});
        if (!continues(run, cycle, id.message, id.index)) {
          close(run);
          run = {cycle, x, p, 0, id.message, id.index};
        }
        ++run.flits;
      }
    }
    return record.runs.size() < kMostRuns;
  };
  if (fabric.cycle() <= limit && look()) fabric.run_and_look(limit - fabric.cycle(), look);
  for (LinkRun& run : open) close(run);
  return record;
}

void record_run(const Loaded& run, const MakeFabric& make, unsigned threads, std::uint64_t limit,
                RunResult& result) {
  const Topology& topology = run.compiled.image.topology;
  if (result.passed() && result.cycles_predicted > most_cycles(topology)) return;
  if (run.payload.adds() && !WatchedRun::possible(run)) return;
  const auto fabric = again(run, make, threads);
  std::optional<LinkOracle> sums;
  if (run.payload.adds()) sums.emplace(oracle_of(run));
  result.record = record_links(*fabric, topology, run.payload,
                               std::min(limit, most_cycles(topology)), sums ? &*sums : nullptr);
}

namespace {

/// A full run of fewer nodes takes little time, unless it has so many node-cycles: ten seconds.
constexpr Node kLarge = 4096;
constexpr std::uint64_t kLong = std::uint64_t{1} << 28;

bool large(const Schedule& schedule, const RunOptions& options) {
  const Node nodes = schedule.topology().nodes();
  return nodes >= kLarge ||
         (options.timed != nullptr && options.timed->time.last_arrival >= kLong / nodes);
}

/// Only nodes that are simulated have waveforms. The reason why these options ask for others.
std::string untraceable(const Schedule& schedule, const RunOptions& options) {
  if (options.trace_nodes.empty() && !options.symmetric) return "all nodes are traced";
  const Symmetry& symmetry = schedule.symmetry();
  for (const Node x : options.trace_nodes) {
    const Node simulated = symmetry.representative(symmetry.class_of(x));
    if (x != simulated) {
      return fmt::format("node {} is traced, and in its place node {} is simulated", x, simulated);
    }
  }
  return "";
}

/// The reason why one node of each class is not enough, if there is one.
std::string reason(const Schedule& schedule, const RunOptions& options, bool several_ranks) {
  if (options.engine != "tile")
    return fmt::format("the {} engine simulates all nodes", options.engine);
  if (several_ranks) return "several machines share the nodes of a full run";
  if (adaptive(schedule)) return "an adaptive node chooses by whose messages it has";
  if (reduces(schedule.collective())) {
    return "a sum does not say whose parts are in it, so it cannot be translated";
  }
  if (has_root(schedule.collective())) {
    return fmt::format("a {} has a root, which no other node is like",
                       to_string(schedule.collective()));
  }
  if (schedule.symmetry().order() == 1) {
    return "the schedule has no translations, so that each node is a class of its own; a schedule "
           "file names its own (plan --orbits)";
  }
  // Of a run that is too long to be recorded it shows none.
  const bool recorded =
      options.record && (options.timed == nullptr ||
                         options.timed->time.last_arrival <= most_cycles(schedule.topology()));
  if (recorded) return "a report shows the links of all nodes";
  return options.trace.empty() ? "" : untraceable(schedule, options);
}

}  // namespace

bool runs_symmetric(const Schedule& schedule, const RunOptions& options, bool several_ranks) {
  if (!options.symmetric.value_or(large(schedule, options))) return false;
  const std::string why = reason(schedule, options, several_ranks);
  if (why.empty()) return true;
  if (!options.symmetric) return false;
  refuse("{}: one node of each class cannot stand for the others: {}", schedule.topology().spec(),
         why);
}

namespace {

/// Ranks exchange this before a run begins, and again when a command ends. So no rank waits in vain
/// for one that has failed.
inline constexpr char kFails = '!', kLeaves = '.', kRuns = ':';

/// What must be the same on all ranks.
std::string name_of(const Schedule& schedule, const RunOptions& options) {
  return fmt::format("{} {} {} {} {}", schedule.topology().spec(), to_string(schedule.collective()),
                     schedule.transfers().size(), options.flits, options.seed);
}

/// If one rank cannot run, throws the reason on all of them.
void agree_to_run(Ranks& ranks, const std::string& name, const std::string& failure) {
  const std::string mine = failure.empty() ? kRuns + name : kFails + failure;
  const std::vector<std::string> all = ranks.gather(mine);
  const bool alike = std::ranges::count(all, mine) == std::ssize(all);
  if (alike && failure.empty()) return;
  if (alike) throw InputError(failure);
  for (unsigned r = 0; r < all.size(); ++r) {
    if (all[r][0] == kRuns) continue;
    refuse("rank {}: {}", r, all[r].substr(1));
  }
  throw InputError("the ranks do not run the same schedule: they must have the same files");
}

/// Joins what the ranks found, each in its block; afterwards all have the same result.
void join_results(Ranks& ranks, RunResult& result) {
  std::uint64_t sums[] = {result.words_checked, result.delivered, result.expected, result.errors};
  ranks.add_up(sums);
  result.words_checked = sums[0];
  result.delivered = sums[1];
  result.expected = sums[2];
  result.errors = sums[3];
  std::string mine;
  for (const std::string& p : result.problems) mine += p + '\n';
  result.problems.clear();
  for (const std::string& text : ranks.gather(mine)) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (std::ranges::find(result.problems, line) == result.problems.end()) {
        result.problems.push_back(line);
      }
    }
  }
}

/// Fabrics of fewer nodes have too little to do in a cycle for threads to pay, except in a long
/// run, which takes a minute at least (docs/research/scale.md).
constexpr std::uint64_t kNodesForThreads = 4096, kNodesForThreadsIfLong = 256;
constexpr std::uint64_t kNodeCyclesForThreads = std::uint64_t{1} << 30;
/// Adaptive tiles serve all hypercubes with so few messages that the tile can tell them apart.
constexpr Port kAdaptiveTilePorts = 8;
/// A run of more cycles times nodes saves more time with a fast engine than its compilation costs.
constexpr double kLongRun = 5e7;

/// The most memory of an oracle that is kept during a traced run.
constexpr double kOracleBytes = 256e6;

/// Is it known what should be on the links in each cycle? Not if a transfer carries everything.
bool words_are_known(const Schedule& schedule, const FabricImage& image) {
  return oracle_bytes(schedule, image) <= kOracleBytes &&
         std::ranges::none_of(schedule.transfers(),
                              [](const Transfer& t) { return t.carry == Carry::Everything; });
}

/// The most memory of explicit stores; compressed ones are faster than larger explicit ones.
constexpr double kExplicitBytes = 30e6;

void compress_stores(FabricImage& image, const Schedule& schedule, const Payload& payload,
                     const RunOptions& options) {
  // A compressed store knows which words come, by numbers.
  if (options.engine != "tile" || image.kind.adaptive || schedule.tolerance > 0) return;
  if (!options.compressed.value_or(store_bytes(image) > kExplicitBytes)) return;
  image.expected = expected_logs(schedule, image.kind, payload);
}

/// What cannot run is refused before its words are asked for.
Loaded loaded(const Schedule& schedule, RunOptions options, Ranks* ranks) {
  options.job->stage("compiling the tables");
  options.symmetric = runs_symmetric(schedule, options, ranks != nullptr);
  const bool tile = options.engine == "tile";
  if (schedule.faults.from_cycle != 0 && !tile) {
    refuse("faults: cycle={}: in the {} engine nothing dies within a slot; use the tile engine",
           schedule.faults.from_cycle, options.engine);
  }
  Payload payload(schedule, options.flits, options.seed);
  const unsigned machines = ranks != nullptr ? ranks->size() : 1;
  std::shared_ptr<const Quotient> quotient;
  if (*options.symmetric) {
    quotient = std::make_shared<const Quotient>(schedule.topology(), schedule.symmetry(), payload);
  }
  refuse_too_many_nodes(quotient ? quotient->topology() : schedule.topology(), machines);
  CompiledSchedule compiled =
      compile(schedule, options.flits, node_ports(options, schedule), tile, std::move(quotient),
              options.timed, options.stages.on(schedule));
  FabricImage& image = compiled.image;
  compress_stores(image, schedule, payload, options);
  refuse_too_large(image, machines);
  add_own_words(image, schedule, payload);
  const double nodes = image.topology.nodes();
  options.long_run = static_cast<double>(compiled.time.last_arrival) * nodes > kLongRun;
  return {schedule, std::move(options), std::move(payload), std::move(compiled)};
}

}  // namespace

Port node_ports(const RunOptions& options, const Schedule& schedule) {
  const Port ports = schedule.topology().ports();
  if (options.engine != "tile") return ports;
  return adaptive(schedule) ? std::max(ports, kAdaptiveTilePorts) : tile_ports(ports);
}

PreparedRun::PreparedRun(const Schedule& of, const RunOptions& asked, Ranks* ranks,
                         const MakeFabric& make)
    : Loaded(loaded(of, asked, ranks)) {
  stage("getting the engine");
  fabric = make(options, compiled.image);
  stage("loading the fabric");
  begin = std::chrono::steady_clock::now();
  if (!options.trace.empty()) trace();
  if (ranks != nullptr) fabric->join(*ranks);
  fabric->use_threads(threads());
  fabric->load(compiled.image);
}

void PreparedRun::trace() {
  wave.emplace(options.trace);
  TraceOptions trace{wave->temporary(), options.trace_nodes, options.trace_first,
                     options.trace_last};
  for (Node& x : trace.nodes) x = compiled.image.class_of(x);
  shows_expected_ = options.engine == "tile" && words_are_known(schedule, compiled.image);
  if (shows_expected_) {
    const auto oracle = std::make_shared<LinkOracle>(oracle_of(*this));
    trace.expected = [oracle](Node x, Port p, std::uint64_t cycle) {
      return oracle->word_at(x, p, cycle);
    };
  }
  fabric->trace(trace);
}

/// Threads help if a cycle has much to do, and in a long run of a smaller fabric: then it is likely
/// that the machine does nothing else.
unsigned PreparedRun::threads() const {
  if (options.threads != 0) return options.threads;
  const std::uint64_t nodes = compiled.image.topology.nodes();
  const bool is_long = compiled.time.last_arrival > kNodeCyclesForThreads / nodes;
  if (nodes < (is_long ? kNodesForThreadsIfLong : kNodesForThreads)) return 1;
  return std::max(1u, std::thread::hardware_concurrency());
}

void PreparedRun::write_wave(const RunResult& result) {
  if (!wave) return;
  fabric->end_trace();
  if (const int error = fabric->trace_error()) wave->refuse(error);
  std::vector<NodeError> errors = fabric->errors();
  for (NodeError& e : errors) e.node = compiled.image.node_of(e.node);
  write_wave_view(
      {schedule, compiled, payload, options, result, std::move(errors), shows_expected_});
  wave->keep();
}

namespace {

/// A run that is this many cycles late is given up.
constexpr std::uint64_t kPatience = 64;
/// Between two reports of progress, and between two looks for an interruption: a second at most.
constexpr std::uint64_t kCyclesAtATime = 4096;
constexpr std::uint64_t kNodeCyclesAtATime = std::uint64_t{1} << 22;
/// Cycles from the end of a node's last receive window until it reports that its table has ended
/// (docs/hardware/table-format.md).
constexpr std::uint64_t kUntilReported = 3;

}  // namespace

std::uint64_t last_cycle(const Timeline& time) {
  if (time.start.empty()) return 0;
  const std::uint64_t longest = time.stages.empty() ? 0 : std::ranges::max(time.stages);
  return std::max(time.last_arrival, time.start.back() + time.length.back()) + longest +
         time.joining;
}

namespace {

/// Runs the fabric to its end, or until it is too late. `watched`, if there is one, compares the
/// links.
void simulate(const PreparedRun& run, std::uint64_t limit, Ranks* ranks, WatchedRun* watched,
              RunResult& result) {
  Fabric& fabric = *run.fabric;
  const FabricImage& image = run.compiled.image;
  const std::uint64_t step =
      std::clamp<std::uint64_t>(kNodeCyclesAtATime / image.topology.nodes(), 1, kCyclesAtATime);
  const auto report = [&] {
    run.options.job->at(fabric.cycle(), limit - kPatience, run.schedule.topology().nodes());
  };
  run.stage("cycles");
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
                           : run.compiled.time.ends_merging() ? closed - image.most_stages()
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
  const std::uint64_t limit = std::max(last_cycle(run.compiled.time), others_) + kPatience;
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
    if (ranks_ == nullptr && WatchedRun::possible(run)) {
      watched.emplace(run);
    }
    simulate(run, limit, ranks_, watched ? &*watched : nullptr, result);
    if (const int error = run.fabric->trace_error()) run.wave->refuse(error);
    if (!result.interrupted) {
      run.stage("reading the stores");
      // The stores of other engines are behind ports of the RTL.
      judge(*run.fabric, run, run.options.engine == "tile" ? run.threads() : 1,
            watched ? &watched->seen() : nullptr, result);
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
    if (watched) report_links(watched->seen(), *run.fabric, result);
  } catch (const std::exception& e) {
    if (ranks_ == nullptr) throw;
    ranks_->abort(one_line(e));
  }
  if (result.interrupted) {
    judge_interrupted(*run.fabric, run, result);
  }
}

void FabricRunner::compare_links(PreparedRun& run, std::uint64_t limit,
                                 const std::optional<WatchedRun>& watched, RunResult& result) {
  try {
    if (!watched) {
      run.stage("comparing the links with the schedule");
      watch_links(run, make_, run.threads(), limit, result);
    }
    if (run.options.record && !run.compiled.image.quotient) {
      record_run(run, make_, run.threads(), limit, result);
    }
  } catch (const Interrupted&) {
    if (result.passed()) {
      result.interrupted = true;
      judge_interrupted(*run.fabric, run, result);
    } else {
      result.problems.push_back("interrupted while the links were compared with the schedule");
    }
  }
}

/// Only tile engines are known in advance: the depth of a flat one depends on the tables.
std::string FabricRunner::engine_of(const Schedule& schedule, const RunOptions& options) {
  RunOptions known = options;  // whether the run is recorded depends on how long it takes
  known.record = false;
  runs_symmetric(schedule, known, ranks_ != nullptr);
  refuse_unrunnable(schedule.topology(), schedule.collective(), options.flits);
  if (options.engine == "flat") torus_shape(schedule.topology(), "; use the tile engine");
  if (options.engine != "tile") return {};
  return tile_engine(node_kind(schedule, node_ports(options, schedule)), !options.trace.empty(),
                     !options.stages.on(schedule).empty());
}

}  // namespace gossamer::tb
