#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <thread>

#include "cli/values.hpp"
#include "support/error.hpp"
#include "tables/timing.hpp"
#include "topology/kinds.hpp"

namespace gossamer::cli {
namespace {

namespace fs = std::filesystem;

/// Adds the option's name to an error of the library's parsers.
template <typename Parse>
auto in_option(const char* option, Parse parse) {
  try {
    return parse();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
}

void check_threads(const Options& options) {
  if (options.threads.empty()) return;
  number("--threads", options.threads, 1, 1024);
}

/// Checks before a long run that the waveform's file can be written.
void set_trace_file(const Options& options, RunOptions& run) {
  run.trace = options.trace;
  if (run.trace.empty()) {
    const bool window = !options.trace_nodes.empty() || !options.trace_rounds.empty() ||
                        !options.trace_cycles.empty();
    if (window) throw InputError("--trace-nodes, --trace-rounds, --trace-cycles need --trace FILE");
    return;
  }
  require_folder("--trace", run.trace);
}

void set_trace_cycles(const Options& options, RunOptions& run) {
  if (options.trace_cycles.empty()) return;
  if (!options.trace_rounds.empty()) {
    throw InputError("--trace-cycles and --trace-rounds exclude each other");
  }
  std::tie(run.trace_first, run.trace_last) =
      range("--trace-cycles", options.trace_cycles, 0, ~std::uint64_t{0});
}

void set_trace_rounds(const Options& options, const Schedule& schedule, const Timed* timed,
                      RunOptions& run) {
  if (options.trace_rounds.empty()) return;
  const auto [first, last] = range("--trace-rounds", options.trace_rounds, 1, schedule.rounds());
  if (timed == nullptr) throw InputError("--trace-rounds: the schedule cannot be timed");
  const Timeline& time = timed->time;
  run.trace_first = time.start[first - 1];
  // A flit is on its first link one cycle after its slot begins, and on later links after that.
  run.trace_last = time.start[last - 1] + time.length[last - 1];
  if (last == schedule.rounds()) run.trace_last = std::max(run.trace_last, time.last_arrival + 1);
}

/// An example of each kind, in lines that fit the help.
std::string topologies_text() {
  constexpr std::size_t kWidth = 78;
  std::string text, line;
  const auto add = [&](std::string_view word) {
    if (line.size() + 1 + word.size() > kWidth) {
      text += line + '\n';
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  };
  for (const TopologyKind& kind : topology_kinds()) add(kind.example);
  for (const char* word : {"(needed", "where", "no", "schedule", "is", "read)"}) add(word);
  return text + line;
}

}  // namespace

void add_schedule_options(CLI::App& verb, Options& o) {
  verb.add_option("--topology", o.topology, topologies_text());
  verb.add_option("--collective", o.collective,
                  "gossip (all-gather), total-exchange (all-to-all), broadcast, scatter or gather\n"
                  "(default: gossip, or the first of these that the algorithm serves)");
  verb.add_option(
      "--algorithm", o.algorithm,
      "see `gossamer list` (default: the one with the fewest rounds; any-graph is tried\n"
      "on up to 256 nodes, or where no other serves; tdm-search, any-graph-combining and\n"
      "broadcast-trees, whose rounds have other lengths, are not)");
  verb.add_option("--ports", o.ports,
                  "single or all: links a node may use in a round (default: those with the fewest\n"
                  "rounds, or those of the algorithm)");
  verb.add_option("--duplex", o.duplex,
                  "full or half: directions a link carries in a round (default: full, or that of\n"
                  "the algorithm)");
  verb.add_option("--root", o.root,
                  "node that broadcasts, scatters, gathers or initiates (default: 0)");
  verb.add_option("--pieces", o.pieces,
                  "pieces into which a message is cut (default: whatever is fastest, of\n"
                  "broadcast-trees; 1 of the others)");
  verb.add_option("--members", o.members,
                  "nodes that take part: 0,3,5-9, or @FILE of them; the others only pass on\n"
                  "(default: all)");
  verb.add_option("--cycle", o.cycle,
                  "your own hamiltonian cycle: nodes separated by commas, or a file of them\n"
                  "(default: find one)");
  verb.add_option("--tolerance", o.tolerance,
                  "faults that a fault-tolerant algorithm must tolerate (default: as many as it\n"
                  "can)");
  verb.add_option(
      "--seconds", o.seconds,
      "search for this many seconds, from --seed (default: any-graph until a fixed\n"
      "amount of work is done, tdm-search not: it has schedules that were found before)");
}

void add_fault_options(CLI::App& verb, Options& o) {
  verb.add_option("--faults", o.faults,
                  "what is broken: nodes=3,17;links=0-1;arcs=4>5 or random:4 or rate:0.05,\n"
                  "and from=3 if only from round 3 on (default: nothing, or what the file says)");
}

void add_engine_options(CLI::App& verb, Options& o) {
  verb.add_option("--flits", o.flits,
                  fmt::format("flits of a message (default: {}; 1 if pipelined)", kDefaultFlits));
  verb.add_option("--engine", o.engine,
                  fmt::format("tile, flat or systemc (default: {})", Case{}.engine));
  verb.add_option("--threads", o.threads,
                  "threads of a simulation (default: 1; all cores from 4096 nodes on)");
  // A function, since a flag bound to the value would make it false where neither is given.
  verb.add_flag_function(
      "--symmetric,!--no-symmetric", [&o](std::int64_t given) { o.symmetric = given > 0; },
      "simulate one node of each class of the schedule's translations in the place of\n"
      "all, or all (default: one, where that is exact and there are 4096 nodes or 2^28\n"
      "node-cycles and more)");
  verb.add_option("--seed", o.seed,
                  fmt::format("seed of the registers' initial values, the messages' contents,\n"
                              "random faults and searches (default: {})",
                              Case{}.seed));
}

void add_trace_options(CLI::App& verb, Options& o) {
  verb.add_option("--trace", o.trace,
                  "write a waveform and its view for GTKWave: FILE.fst, with systemc FILE.vcd\n"
                  "(default: none)");
  verb.add_option("--trace-nodes", o.trace_nodes, "only these nodes: 0,3,5-7 (default: all)");
  verb.add_option("--trace-rounds", o.trace_rounds, "only these rounds: 2-4 (default: all)");
  verb.add_option("--trace-cycles", o.trace_cycles, "only these cycles: 100-140 (default: all)");
}

void require_folder(const std::string& option, const std::string& name,
                    std::string_view extension) {
  const fs::path file = name;
  if (!extension.empty() && file.has_extension() && file.extension() != extension) {
    throw InputError(
        fmt::format("{}: '{}' must end in {}, which is what is written", option, name, extension));
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    throw InputError(fmt::format("{}: there is no folder {}", option, folder.string()));
  }
}

void set_engine(const Options& o, Case& c) {
  if (!o.engine.empty()) c.engine = in_option("--engine", [&] { return parse_engine(o.engine); });
}

Case case_of(const Options& o) {
  check_threads(o);
  Case c;
  c.file = o.file;
  c.topology = o.topology;
  c.algorithm = o.algorithm;
  if (!o.collective.empty()) {
    c.collective = in_option("--collective", [&] { return parse_collective(o.collective); });
  }
  if (!o.ports.empty()) c.ports = in_option("--ports", [&] { return parse_ports(o.ports); });
  if (!o.duplex.empty()) c.duplex = in_option("--duplex", [&] { return parse_duplex(o.duplex); });
  if (!o.root.empty()) c.root = static_cast<Node>(number("--root", o.root, 0, kNoNode - 1));
  if (!o.pieces.empty()) {
    c.pieces = static_cast<std::uint32_t>(number("--pieces", o.pieces, 1, kMostPieces));
  }
  c.members = o.members;
  if (!o.cycle.empty()) c.cycle = cycle("--cycle", o.cycle);
  if (!o.tolerance.empty()) {
    c.tolerance = static_cast<unsigned>(number("--tolerance", o.tolerance, 0, kMaxTolerance));
  }
  c.faults = o.faults;
  if (!o.seconds.empty()) c.seconds = seconds("--seconds", o.seconds);
  c.flits_said = !o.flits.empty();
  if (!o.flits.empty()) c.flits = static_cast<unsigned>(number("--flits", o.flits, 1, kMaxFlits));
  if (!o.link_stages.empty()) {
    c.stages = in_option("--link-stages", [&] { return LinkStages::parse(o.link_stages); });
  }
  set_engine(o, c);
  c.symmetric = o.symmetric;
  if (!o.seed.empty()) {
    c.seed = static_cast<std::uint32_t>(number("--seed", o.seed, 0, ~std::uint32_t{0}));
  }
  return c;
}

RunOptions run_options_of(const Options& options, const Case& c, const Schedule& schedule,
                          const Timed* timed) {
  RunOptions run = suite_options_of(options);
  run.flits = flits_of(c, schedule);
  run.engine = c.engine;
  run.seed = c.seed;
  run.record = !options.report.empty();
  run.symmetric = c.symmetric;
  run.stages = c.stages;
  run.threads = 0;
  if (!options.threads.empty()) {
    run.threads = static_cast<unsigned>(number("--threads", options.threads, 1, 1024));
  }
  set_trace_rounds(options, schedule, timed, run);
  if (!options.trace_nodes.empty()) {
    run.trace_nodes = node_list("--trace-nodes", options.trace_nodes, schedule.topology().nodes());
  }
  return run;
}

void check_trace_file(const Options& options, const std::string& engine) {
  const std::string_view extension = wave_extension(engine);
  if (options.trace.empty() || fs::path(options.trace).extension() == extension) return;
  throw InputError(fmt::format("--trace: '{}' must end in {} with the {} engine", options.trace,
                               extension, engine));
}

RunOptions suite_options_of(const Options& options) {
  RunOptions run;
  set_trace_file(options, run);
  set_trace_cycles(options, run);
  return run;
}

unsigned jobs_of(const Options& options) {
  if (options.jobs.empty()) return std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(number("--jobs", options.jobs, 1, 1024));
}

}  // namespace gossamer::cli
