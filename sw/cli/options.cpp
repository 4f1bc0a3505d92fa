#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <thread>

#include "driver/report.hpp"
#include "driver/values.hpp"
#include "support/error.hpp"
#include "tables/timing.hpp"

namespace gossamer::cli {
namespace {

namespace fs = std::filesystem;

void check_threads(const Options& options) {
  if (options.threads.empty()) return;
  number("--threads", options.threads, 1, 1024);
}

void set_trace_file(const Options& options, RunOptions& run) {
  run.trace = options.trace;
  const bool window = !options.trace_nodes.empty() || !options.trace_rounds.empty() ||
                      !options.trace_cycles.empty();
  if (run.trace.empty() && window) {
    throw InputError("--trace-nodes, --trace-rounds, --trace-cycles need --trace FILE");
  }
}

void set_trace_cycles(const Options& options, RunOptions& run) {
  if (options.trace_cycles.empty()) return;
  if (!options.trace_rounds.empty()) {
    throw InputError("--trace-cycles and --trace-rounds exclude each other");
  }
  std::tie(run.trace_first, run.trace_last) =
      range("--trace-cycles", options.trace_cycles, 0, ~std::uint64_t{0});
}

void set_trace_rounds(const Options& options, const Schedule& schedule, const ScheduleTiming* timed,
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

}  // namespace

void add_field(CLI::App& verb, Options& o, std::string_view name, const std::string& help) {
  const CaseField& field = case_field(name);
  verb.add_option(option_of(field), o.fields[field.name], help.empty() ? field.help : help);
}

void add_schedule_options(CLI::App& verb, Options& o) {
  for (const CaseField& field : case_fields()) {
    if (field.plans) add_field(verb, o, field.name);
  }
}

void add_engine_options(CLI::App& verb, Options& o) {
  add_field(verb, o, "flits");
  add_field(verb, o, "engine");
  verb.add_option("--threads", o.threads,
                  "threads of a simulation (default: 1; all cores from 4096 nodes on)");
  verb.add_flag_function(
      "--symmetric,!--no-symmetric",
      [&o](std::int64_t given) { o.fields["symmetric"] = given > 0 ? "true" : "false"; },
      case_field("symmetric").help);
  add_field(verb, o, "seed");
}

void add_trace_options(CLI::App& verb, Options& o) {
  verb.add_option("--trace", o.trace,
                  "write a waveform and its view for GTKWave: FILE.fst, with systemc FILE.vcd\n"
                  "(default: none)");
  verb.add_option("--trace-nodes", o.trace_nodes, "only these nodes: 0,3,5-7 (default: all)");
  verb.add_option("--trace-rounds", o.trace_rounds, "only these rounds: 2-4 (default: all)");
  verb.add_option("--trace-cycles", o.trace_cycles, "only these cycles: 100-140 (default: all)");
}

void require_extension(const std::string& option, const std::string& name,
                       std::string_view extension) {
  const fs::path file = name;
  if (!file.has_extension() || file.extension() == extension) return;
  throw InputError(
      fmt::format("{}: '{}' must end in {}, which is what is written", option, name, extension));
}

void set_fields(const Options& o, Case& c) {
  for (const CaseField& field : case_fields()) {
    const auto given = o.fields.find(field.name);
    if (given == o.fields.end() || given->second.empty()) continue;
    field.read(c, {option_of(field), given->second});
  }
}

Case case_of(const Options& o) {
  check_threads(o);
  Case c;
  c.file = o.file;
  c.flits_given = false;
  set_fields(o, c);
  return c;
}

RunOptions run_options_of(const Options& options, const Case& c, const Schedule& schedule,
                          const ScheduleTiming* timed) {
  RunOptions run = run_options(c, schedule, suite_options_of(options));
  run.record = !options.report.empty();
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
