#include "fabric_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <chrono>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>

#include "engine_library.hpp"
#include "judges/judge_check.hpp"
#include "link_oracle.hpp"
#include "schedule/checker_rules.hpp"
#include "scoreboard.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/memory.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"
#include "wave_view.hpp"

namespace gossamer::tb {
namespace {

/// A run that is this many cycles late will not end any more.
constexpr std::uint64_t kPatience = 64;
/// Fabrics of fewer nodes have too little to do in a cycle for threads to pay (docs/scale.md).
constexpr Node kNodesForThreads = 4096;
/// A Verilated node with everything that belongs to it but its logs; measured (docs/scale.md).
constexpr double kBytesPerNode = 1024;
/// Program, libraries, tables.
constexpr double kBytesBeside = 64e6;
/// Adaptive tiles are built for all the hypercubes whose messages they can tell apart.
constexpr Port kAdaptiveTilePorts = 8;
/// Between two reports of progress, and between two looks for an interruption: a second at most.
constexpr std::uint64_t kCyclesAtATime = 4096;
constexpr std::uint64_t kNodeCyclesAtATime = std::uint64_t{1} << 22;
/// Links times cycles that are compared on every run; about a second.
constexpr std::uint64_t kLinkCyclesToWatch = 50'000'000;
/// And on one that has failed, from its beginning.
constexpr std::uint64_t kLinkCyclesToSearch = 10 * kLinkCyclesToWatch;

/// Where the own words of each node begin: how many there are is known before they are made.
void place_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload) {
  image.own_begin.assign(1, 0);
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    image.own_begin.push_back(image.own_begin.back() +
                              checking::count_initial(schedule, x) * payload.flits());
  }
}

void add_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload) {
  image.own_words.reserve(image.own_begin.back());
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    stop_if_interrupted();
    for (const Message& m : own_messages(schedule, x)) {
      for (unsigned i = 0; i < payload.flits(); ++i) {
        image.own_words.push_back(payload.word({m, i}));
      }
    }
  }
}

/// Ports of the nodes that the engine asked for is built of.
Port node_ports(const RunOptions& options, const Schedule& schedule) {
  const Port ports = schedule.topology().ports();
  if (options.engine != "tile") return ports;
  return adaptive(schedule) ? std::max(ports, kAdaptiveTilePorts) : tile_ports(ports);
}

std::string error_text(const NodeError& e) {
  for (const rtl::NamedValue& v : rtl::error_e_table) {
    if (v.value == e.first_code) {
      return fmt::format("node {} raised {} in slot {} at port {}: {}", e.node, v.name,
                         e.first_slot + 1, e.first_port, v.text);
    }
  }
  return fmt::format("node {} raised error code {}", e.node, e.first_code);
}

void add_errors(const Fabric& fabric, RunResult& result) {
  const auto errors = fabric.errors();
  result.errors = errors.size();
  for (std::size_t i = 0; i < errors.size() && i < 5; ++i) {
    result.problems.push_back(error_text(errors[i]));
  }
}

/// What the ranks found, each in its block, becomes what all of them found.
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

/// What a rank says before a run begins, and once more when its command ends: wherever it fails, the
/// others do not wait for it in vain.
constexpr char kFails = '!', kLeaves = '.', kRuns = ':';

/// Throws on all ranks what keeps one of them from running, if anything does.
void agree_to_run(Ranks& ranks, const std::string& name, const std::string& failure) {
  const std::string mine = failure.empty() ? kRuns + name : kFails + failure;
  const std::vector<std::string> all = ranks.gather(mine);
  const bool alike = std::ranges::count(all, mine) == std::ssize(all);
  if (alike && failure.empty()) return;
  if (alike) throw InputError(failure);
  for (unsigned r = 0; r < all.size(); ++r) {
    if (all[r][0] == kRuns) continue;
    throw InputError(fmt::format("rank {}: {}", r, all[r].substr(1)));
  }
  throw InputError("the ranks do not run the same schedule: they must have the same files");
}

/// What all ranks must run alike.
std::string name_of(const Schedule& schedule, const RunOptions& options) {
  return fmt::format("{} {} {} {} {}", schedule.topology().spec(), to_string(schedule.collective()),
                     schedule.transfers().size(), options.flits, options.seed);
}

void judge(const Fabric& fabric, const Compiled& compiled, const Payload& payload,
           const Schedule& schedule, RunResult& result) {
  if (!fabric.done()) {
    const std::vector<Node> running = fabric.running(3);
    result.problems.push_back(fmt::format(
        "stalled: not at rest by cycle {}{}", fabric.cycle(),
        running.empty() ? ", a flit still moves" : fmt::format(", node {} still runs", running[0])));
  }
  add_errors(fabric, result);
  if (result.cycles_measured != result.cycles_predicted) {
    result.problems.push_back(fmt::format("{} cycles measured, {} predicted",
                                          result.cycles_measured, result.cycles_predicted));
  }
  if (result.flits_moved != compiled.flits_expected) {
    result.problems.push_back(fmt::format("{} flits stood on links, the schedule has {}",
                                          result.flits_moved, compiled.flits_expected));
  }
  Score s = score(fabric, compiled.image, payload, schedule.collective(), schedule.root,
                  schedule.faults);
  result.words_checked = s.words_checked;
  result.delivered = s.delivered;
  result.expected = s.expected;
  for (std::string& p : s.problems) result.problems.push_back(std::move(p));
  if (!adaptive(schedule)) return;
  std::vector<MissingPair> missing = play(schedule, offers(schedule), schedule.faults).missing;
  std::erase_if(missing, [&](const MissingPair& pair) { return !fabric.holds(pair.node); });
  if (s.missing != missing) {
    result.problems.push_back("the messages that are missing are not those that the model misses");
  }
}

unsigned threads_for(const RunOptions& options, const Topology& topology) {
  if (options.threads != 0) return options.threads;
  if (topology.nodes() < kNodesForThreads) return 1;
  return std::max(1u, std::thread::hardware_concurrency());
}

/// Explicit stores take this much at most; larger ones are slower than compressed ones too.
constexpr double kExplicitBytes = 1e8;

double store_bytes(const FabricImage& image) {
  return static_cast<double>(image.topology.nodes()) * image.kind.logs() * image.capacity *
         sizeof(std::uint32_t);
}

void compress_stores(FabricImage& image, const Schedule& schedule, const Payload& payload,
                     const RunOptions& options) {
  if (options.engine != "tile" || image.kind.adaptive) return;
  if (!options.compressed.value_or(store_bytes(image) > kExplicitBytes)) return;
  image.expected = expected_logs(schedule, image.kind, payload);
}

/// Memory of a run on one of `ranks` processes.
double bytes_needed(const FabricImage& image, unsigned ranks) {
  double bytes = kBytesBeside + kBytesPerNode * image.topology.nodes() / ranks;
  bytes += 2 * sizeof(std::uint32_t) * static_cast<double>(image.own_begin.back());
  if (!image.expected) return bytes + store_bytes(image) / ranks;
  for (const auto& log : image.expected->origins) {
    bytes += static_cast<double>(log.size()) * sizeof(std::uint32_t);
  }
  return bytes;
}

/// Throws TooLarge before anything is made for more nodes than the machine's memory can hold.
void refuse_too_many_nodes(const Topology& topology, unsigned ranks) {
  require_memory(kBytesBeside + kBytesPerNode * topology.nodes() / ranks,
                 fmt::format("{}: a run", topology.spec()), [&](double free) {
                   const double fit = (free - kBytesBeside) / kBytesPerNode * ranks;
                   return fmt::format("in which {:.0f} nodes fit", std::max(0.0, std::floor(fit)));
                 });
}

/// The same of everything that the run will hold.
void refuse_too_large(const FabricImage& image, unsigned ranks) {
  const double need = bytes_needed(image, ranks);
  const double a_node = kBytesPerNode + (image.expected ? 0 : store_bytes(image) / image.topology.nodes());
  const double fixed = need - a_node * image.topology.nodes() / ranks;
  require_memory(
      need,
      fmt::format("{}: a run{}", image.topology.spec(),
                  image.expected ? "" : " that keeps every word that arrives"),
      [&](double free) {
        return fmt::format("in which {:.0f} such nodes fit",
                           std::max(0.0, std::floor((free - fixed) / a_node * ranks)));
      });
}

/// The cycle by which every slot has ended and every flit has arrived.
std::uint64_t last_cycle(const Timeline& time) {
  if (time.start.empty()) return 0;
  return std::max(time.last_arrival, time.start.back() + time.length.back());
}

void simulate(Fabric& fabric, const FabricImage& image, std::uint64_t limit,
              const RunOptions& options, Ranks* ranks, RunResult& result) {
  const std::uint64_t step = std::clamp<std::uint64_t>(
      kNodeCyclesAtATime / image.topology.nodes(), 1, kCyclesAtATime);
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
  while (!fabric.done() && fabric.cycle() < limit && !give_up()) {
    fabric.run(std::min<std::uint64_t>(step, limit - fabric.cycle()));
    report();
  }
  result.interrupted = !fabric.done() && fabric.cycle() < limit;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  result.wall_seconds = wall.count();
  result.node_cycles_per_second =
      static_cast<double>(fabric.cycle()) * image.topology.nodes() / wall.count();
  // What an adaptive node sends last, if anything, is its own decision: its slots are what counts.
  result.cycles_measured = image.kind.adaptive ? fabric.cycle() - 1 : fabric.last_arrival();
  result.flits_moved = fabric.flits_moved();
}

/// The words that have arrived in a run that is given up. Those of the flat engine are read through
/// the port of its nodes' stores, which is theirs while they run.
void check_arrivals(const Fabric& fabric, const FabricImage& image, const Payload& payload,
                    const RunOptions& options, RunResult& result) {
  if (options.engine == "flat") return;
  if (!image.expected) {
    Score s = score_so_far(fabric, image, payload);
    result.words_checked = s.words_checked;
    std::ranges::move(s.problems, std::back_inserter(result.problems));
    return;
  }
  const Fabric::Compared compared = fabric.compared();
  result.words_checked = compared.words;
  if (compared.different == 0) return;
  result.problems.push_back(fmt::format("{} words arrived that the schedule does not have there",
                                        compared.different));
}

/// What is known when a run is given up.
void judge_interrupted(const Fabric& fabric, const Compiled& compiled, const Payload& payload,
                       const RunOptions& options, RunResult& result) {
  const Timeline& time = compiled.time;
  result.cycles_simulated = fabric.cycle();
  for (std::size_t r = 0; r < time.start.size(); ++r) {
    if (time.start[r] + time.length[r] <= fabric.cycle()) ++result.rounds_done;
  }
  add_errors(fabric, result);
  check_arrivals(fabric, compiled.image, payload, options, result);
}

/// What the oracle of the links holds.
double oracle_bytes(const Schedule& schedule) {
  constexpr double kBytesOfLink = 24, kBytesOfStream = 80;  // in a vector that doubles
  double hops = 0;
  for (const Transfer& t : schedule.transfers()) hops += t.path_size;
  return kBytesOfLink * schedule.topology().nodes() * schedule.topology().ports() +
         kBytesOfStream * hops * schedule.symmetry().order();
}

/// A second run that compares every link in every cycle with what the schedule says; left out only
/// where that is long and everything else is as it should be. Of a run that has failed it compares
/// as much as time and memory allow, and says so.
void watch_links(const Compiled& compiled, const Payload& payload, const Schedule& schedule,
                 const RunOptions& options, const MakeFabric& make, std::uint64_t limit,
                 RunResult& result) {
  const Topology& topology = schedule.topology();
  const std::uint64_t link_cycles = result.cycles_predicted * topology.nodes() * topology.ports();
  if (result.passed() && link_cycles > kLinkCyclesToWatch) return;
  try {
    require_memory(bytes_needed(compiled.image, 1) + oracle_bytes(schedule),
                   "comparing every link with the schedule");
  } catch (const TooLarge& error) {
    if (!result.passed()) result.problems.push_back(error.what());
    return;
  }
  limit = std::min(limit, kLinkCyclesToSearch / (std::uint64_t{topology.nodes()} * topology.ports()));
  RunOptions untraced = options;
  untraced.trace.clear();
  const std::unique_ptr<Fabric> fabric = make(untraced, compiled.image);
  fabric->use_threads(threads_for(options, schedule.topology()));
  fabric->load(compiled.image);
  const LinkOracle oracle(schedule, compiled.time, transfer_flits(schedule, options.flits),
                          payload);
  const auto [compared, difference] = compare_links(*fabric, topology, oracle, payload, limit);
  result.link_cycles_checked = compared;
  if (!difference) {
    if (fabric->done() || result.passed()) return;
    result.problems.push_back(fmt::format(
        "the first {} cycles, compared link by link, are as scheduled", fabric->cycle()));
    return;
  }
  result.has_difference = true;
  result.difference_cycle = difference->cycle;
  result.problems.insert(result.problems.begin(), difference->text);
}

}  // namespace

std::unique_ptr<Fabric> make_fabric(const RunOptions& options, const FabricImage& image) {
  const bool trace = !options.trace.empty();
  if (options.engine == "tile") return make_tile_fabric(image.kind, trace, options.seed);
  if (options.engine == "flat") {
    return make_flat_fabric(image.topology, image.kind, depths_for(image, kFlatDepths), trace,
                            options.seed);
  }
  if (options.engine == "systemc") return make_systemc_fabric();
  throw InputError(
      fmt::format("unknown engine '{}': known are tile, flat and systemc", options.engine));
}

void FabricRunner::leave(int status) {
  if (ranks_ == nullptr) return;
  ranks_->gather(kLeaves + (failure_.empty() ? fmt::format("it ended before the run, with status {}",
                                                           status)
                                             : failure_));
}

RunResult FabricRunner::run(const Schedule& schedule, const RunOptions& options) {
  std::optional<Payload> words;
  std::optional<Compiled> tables;
  std::unique_ptr<Fabric> fabric;
  std::string failure;
  try {
    refuse_too_many_ports(schedule.topology());
    refuse_too_many_nodes(schedule.topology(), ranks_ != nullptr ? ranks_->size() : 1);
    words.emplace(schedule, options.flits, options.seed);
    tables.emplace(compile(schedule, options.flits, node_ports(options, schedule)));
    const Payload& payload = *words;
    Compiled& compiled = *tables;
    place_own_words(compiled.image, schedule, payload);
    compress_stores(compiled.image, schedule, payload, options);
    refuse_too_large(compiled.image, ranks_ != nullptr ? ranks_->size() : 1);
    add_own_words(compiled.image, schedule, payload);
    fabric = make_(options, compiled.image);
    if (!options.trace.empty()) {
      fabric->trace({options.trace, options.trace_nodes, options.trace_first, options.trace_last});
    }
    if (ranks_ != nullptr) fabric->join(*ranks_);
    fabric->use_threads(threads_for(options, schedule.topology()));
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
  try {
    simulate(*fabric, compiled.image, limit, options, ranks_, result);
    if (!result.interrupted) judge(*fabric, compiled, payload, schedule, result);
  } catch (const Interrupted&) {
    if (ranks_ != nullptr) ranks_->abort("interrupted");
    result.interrupted = true;
  } catch (const GaveUp& why) {
    if (ranks_ != nullptr) ranks_->abort(why.what());
    result.problems.push_back(fmt::format("given up after cycle {}: {}", fabric->cycle(), why.what()));
    add_errors(*fabric, result);
    result.words_checked = fabric->compared().words;
  } catch (const std::exception& e) {
    if (ranks_ == nullptr) throw;
    ranks_->abort(one_line(e));
  }
  if (result.interrupted) judge_interrupted(*fabric, compiled, payload, options, result);
  if (ranks_ != nullptr) join_results(*ranks_, result);
  if (result.interrupted) return result;
  try {
    if (ranks_ == nullptr) watch_links(compiled, payload, schedule, options, make_, limit, result);
  } catch (const Interrupted&) {
    if (result.passed()) {
      result.interrupted = true;
      judge_interrupted(*fabric, compiled, payload, options, result);
      return result;
    }
    result.problems.push_back("interrupted while the links were compared with the schedule");
  }
  if (!options.trace.empty()) {
    write_wave_view({schedule, compiled, payload, options, result, fabric->errors()});
  }
  return result;
}

/// Flat engines and SystemC's are not foreseen: how deep a flat one is shows only in the tables.
std::string FabricRunner::engine_of(const Schedule& schedule, const RunOptions& options) {
  if (options.engine != "tile") return {};
  return tile_engine(node_kind(schedule, node_ports(options, schedule)), !options.trace.empty());
}

void FabricRunner::get_engine(const Schedule& schedule, const RunOptions& options) {
  if (options.engine != "tile") return;
  get_tile_engine(node_kind(schedule, node_ports(options, schedule)), !options.trace.empty());
}

JudgeCheck FabricRunner::check_judges(bool all) {
  return tb::check_judges(
      [](const Schedule& schedule, const RunOptions& options, const MakeFabric& make) {
        return FabricRunner(nullptr, make).run(schedule, options);
      },
      all);
}

}  // namespace gossamer::tb
