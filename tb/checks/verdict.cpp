#include "checks/verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

#include "adaptive/adaptive.hpp"
#include "checks/scoreboard.hpp"
#include "gossamer_constants.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"

namespace gossamer::tb {
namespace {

/// A Verilated node and all that belongs to it, except its logs; measured (docs/research/scale.md).
constexpr double kBytesPerNode = 1024;
/// Program, libraries, tables.
constexpr double kBytesBeside = 64e6;

}  // namespace

double store_bytes(const FabricImage& image) {
  return static_cast<double>(image.topology.nodes()) * image.kind.logs() * image.capacity *
         sizeof(std::uint32_t);
}

namespace {

/// Memory of a run on one of `ranks` processes.
double bytes_needed(const FabricImage& image, unsigned ranks) {
  double bytes = kBytesBeside + kBytesPerNode * image.topology.nodes() / ranks;
  bytes += 2 * sizeof(std::uint32_t) * static_cast<double>(image.own_begin.back());
  return bytes + (image.expected ? image.expected->bytes() : store_bytes(image) / ranks);
}

}  // namespace

void refuse_too_many_nodes(const Topology& topology, unsigned ranks) {
  require_memory(kBytesBeside + kBytesPerNode * topology.nodes() / ranks,
                 fmt::format("{}: a run", topology.spec()), [&](double free) {
                   const double fit = (free - kBytesBeside) / kBytesPerNode * ranks;
                   return fmt::format("in which {:.0f} nodes fit", std::max(0.0, std::floor(fit)));
                 });
}

void refuse_too_large(const FabricImage& image, unsigned ranks) {
  const double need = bytes_needed(image, ranks);
  const double a_node =
      kBytesPerNode + (image.expected ? 0 : store_bytes(image) / image.topology.nodes());
  const double fixed = need - a_node * image.topology.nodes() / ranks;
  require_memory(need,
                 fmt::format("{}: a run{}", image.topology.spec(),
                             image.expected ? "" : " that keeps every word that arrives"),
                 [&](double free) {
                   return fmt::format("in which {:.0f} such nodes fit",
                                      std::max(0.0, std::floor((free - fixed) / a_node * ranks)));
                 });
}

namespace {

/// Links times cycles that are compared in every run; about a second.
constexpr std::uint64_t kLinkCyclesToWatch = 50'000'000;
/// The same in a run that has failed, from its beginning.
constexpr std::uint64_t kLinkCyclesToSearch = 10 * kLinkCyclesToWatch;

/// A node of the schedule, and how many it represents.
std::string name_of(const FabricImage& image, Node i) {
  if (image.copies() == 1) return fmt::format("node {}", image.node_of(i));
  return fmt::format("node {} (as {} more)", image.node_of(i), image.copies() - 1);
}

std::string error_text(const FabricImage& image, const NodeError& e) {
  for (const rtl::NamedValue& v : rtl::error_e_table) {
    if (v.value == e.first_code) {
      return fmt::format("{} raised {} in slot {} at port {}: {}", name_of(image, e.node), v.name,
                         e.first_slot + 1, e.first_port, v.text);
    }
  }
  return fmt::format("{} raised error code {}", name_of(image, e.node), e.first_code);
}

/// Checks the words that have arrived in a run that is given up. Not those of the flat engine: they
/// are read through the port of the stores, which the nodes use while they run.
void check_arrivals(const Fabric& fabric, const Loaded& run, RunResult& result) {
  const FabricImage& image = run.compiled.image;
  if (run.options.engine == "flat" || run.payload.adds()) return;
  if (!image.expected) {
    Score s = score_so_far(fabric, image, run.payload);
    result.words_checked = s.words_checked;
    std::ranges::move(s.problems, std::back_inserter(result.problems));
    return;
  }
  const Fabric::Compared compared = fabric.compared();
  result.words_checked = compared.words * image.copies();
  if (compared.different == 0) return;
  result.problems.push_back(fmt::format("{} words arrived that the schedule does not have there",
                                        compared.different * image.copies()));
}

}  // namespace

void add_errors(const Fabric& fabric, const FabricImage& image, RunResult& result) {
  const auto errors = fabric.errors();
  result.errors = errors.size() * image.copies();
  constexpr std::size_t kTold = 5;
  for (std::size_t i = 0; i < errors.size() && i < kTold; ++i) {
    result.problems.push_back(error_text(image, errors[i]));
  }
  if (errors.size() > kTold) {
    const std::uint64_t more = (errors.size() - kTold) * image.copies();
    result.problems.push_back(
        fmt::format("and {} more node{} raised errors", more, more == 1 ? "" : "s"));
  }
}

void judge(const Fabric& fabric, const Loaded& run, unsigned threads, const LinkComparison* links,
           RunResult& result) {
  const auto& [schedule, options, payload, compiled] = run;
  if (!fabric.done()) {
    const std::vector<Node> running = fabric.running(3);
    result.problems.push_back(fmt::format(
        "stalled: not at rest by cycle {}{}", fabric.cycle(),
        running.empty() ? ", a flit still moves"
                        : fmt::format(", {} still runs", name_of(compiled.image, running[0]))));
  }
  const bool works_out = schedule.works_out();
  const std::vector<NodeError> errors = fabric.errors();
  result.errors = errors.size();
  if (!works_out) add_errors(fabric, compiled.image, result);
  if (!errors.empty() && !compiled.image.quotient) {
    result.suspects = suspects(schedule, *compiled.timed, errors);
  }
  if (!result.suspects.empty() && !works_out) {
    result.problems.push_back(fmt::format("{} alone, if dead, raises all of these errors",
                                          fmt::join(result.suspects, ", or ")));
  }
  // What is lost takes no cycles, and crosses no link.
  const auto differ = [&](std::uint64_t measured, std::uint64_t predicted) {
    return works_out ? measured > predicted : measured != predicted;
  };
  if (differ(result.cycles_measured, result.cycles_predicted)) {
    result.problems.push_back(fmt::format("{} cycles measured, {} predicted",
                                          result.cycles_measured, result.cycles_predicted));
  }
  if (differ(result.flits_moved, compiled.flits_expected)) {
    result.problems.push_back(fmt::format("{} flits stood on links, the schedule has {}",
                                          result.flits_moved, compiled.flits_expected));
  }
  const Scoring how{.threads = threads, .members = schedule.members, .sizes = schedule.sizes};
  Score s = payload.adds() ? score_sums(fabric, compiled.held, payload, schedule, how)
            : schedule.tolerance > 0
                ? score_pieces(fabric, payload, schedule, how, result.worked_out)
                : score(fabric, compiled.image, payload, schedule.collective(), schedule.root,
                        schedule.faults, how);
  result.words_checked = s.words_checked;
  result.delivered = s.delivered;
  result.expected = s.expected;
  for (std::string& p : s.problems) result.problems.push_back(std::move(p));
  if (adaptive(schedule)) {
    std::vector<MissingPair> missing = play(schedule, offers(schedule), schedule.faults).missing;
    std::erase_if(missing, [&](const MissingPair& pair) { return !fabric.holds(pair.node); });
    if (s.missing != missing) {
      result.problems.push_back(
          "the messages that are missing are not those that the model misses");
    }
  }
  if (links != nullptr) report_links(*links, fabric, result);
}

void judge_interrupted(const Fabric& fabric, const Loaded& run, RunResult& result) {
  const Timeline& time = run.compiled.time;
  result.cycles_simulated = fabric.cycle();
  for (std::size_t r = 0; r < time.start.size(); ++r) {
    if (time.start[r] + time.length[r] <= fabric.cycle()) ++result.rounds_done;
  }
  add_errors(fabric, run.compiled.image, result);
  check_arrivals(fabric, run, result);
}

namespace {

std::uint64_t link_cycles(const CompiledSchedule& compiled) {
  const Topology& topology = compiled.image.topology;
  return compiled.time.last_arrival * topology.nodes() * topology.ports();
}

}  // namespace

LinkOracle oracle_of(const Loaded& run) {
  const auto& [schedule, options, payload, compiled] = run;
  return {schedule, compiled.time, compiled.timed->sizes, payload,
          compiled.image.quotient ? LinkOracle::Nodes::Representatives : LinkOracle::Nodes::All};
}

bool WatchedRun::possible(const Loaded& run) {
  if (link_cycles(run.compiled) > kLinkCyclesToWatch) return false;
  try {
    require_memory(oracle_bytes(run.schedule, run.compiled.image),
                   "comparing every link with the schedule");
  } catch (const TooLarge&) {
    return false;
  }
  return true;
}

WatchedRun::WatchedRun(const Loaded& run)
    : oracle_(oracle_of(run)), watch_(run.compiled.image, oracle_, run.payload) {}

bool WatchedRun::look(const Fabric& fabric) {
  const auto begin = std::chrono::steady_clock::now();
  const bool same = watch_.look(fabric);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return same;
}

void WatchedRun::run(Fabric& fabric, std::uint64_t cycles) {
  if (!begun_) look(fabric);
  begun_ = true;
  const std::uint64_t end = fabric.cycle() + cycles;
  if (!watch_.result().difference) {
    fabric.run_and_look(cycles, [&] { return look(fabric) && !interrupted(); });
  }
  if (watch_.result().difference && fabric.cycle() < end) fabric.run(end - fabric.cycle());
}

void report_links(const LinkComparison& links, const Fabric& fabric, RunResult& result) {
  result.link_cycles_checked = links.compared;
  if (links.difference) {
    result.has_difference = true;
    result.difference_cycle = links.difference->cycle;
    result.cause_since = links.difference->since;
    if (links.difference->stale) result.problems.clear();  // all else follows from it
    result.problems.insert(result.problems.begin(), links.difference->text);
  } else if (!fabric.done() && !result.passed()) {
    result.problems.push_back(
        fmt::format("the first {} cycles, compared link by link, are as scheduled", links.cycles));
  }
}

std::unique_ptr<Fabric> again(const Loaded& run, const MakeFabric& make, unsigned threads) {
  RunOptions untraced = run.options;
  untraced.trace.clear();
  std::unique_ptr<Fabric> fabric = make(untraced, run.compiled.image);
  fabric->use_threads(threads);
  fabric->load(run.compiled.image);
  return fabric;
}

void watch_links(const Loaded& run, const MakeFabric& make, unsigned threads, std::uint64_t limit,
                 RunResult& result) {
  const FabricImage& image = run.compiled.image;
  if (result.passed() && link_cycles(run.compiled) > kLinkCyclesToWatch) return;
  try {
    require_memory(bytes_needed(image, 1) + oracle_bytes(run.schedule, image),
                   "comparing every link with the schedule");
  } catch (const TooLarge& error) {
    if (!result.passed()) result.problems.push_back(error.what());
    return;
  }
  limit = std::min(limit, kLinkCyclesToSearch /
                              (std::uint64_t{image.topology.nodes()} * image.topology.ports()));
  const auto fabric = again(run, make, threads);
  const LinkOracle oracle = oracle_of(run);
  report_links(compare_links(*fabric, image, oracle, run.payload, limit), *fabric, result);
}

}  // namespace gossamer::tb
