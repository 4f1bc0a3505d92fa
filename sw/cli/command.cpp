#include "cli/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>

#include "cli/generated_help.hpp"
#include "cli/options.hpp"
#include "cli/verbs.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/nearest_name.hpp"

namespace gossamer {
namespace {

using cli::Options;

constexpr int kBadInput = 2;
constexpr std::array<std::string_view, 6> kVerbs = {"list", "plan",  "check",
                                                    "run",  "suite", "export"};

void add_json(CLI::App& verb, Options& o) {
  verb.add_flag("--json", o.json, "print one JSON object instead of text");
}

void add_verbs(CLI::App& app, Options& o) {
  CLI::App* list = app.add_subcommand("list", "collectives, topologies and algorithms");
  add_json(*list, o);

  CLI::App* plan = app.add_subcommand("plan", "compute a schedule: rounds, bounds, cycles; no RTL");
  cli::add_schedule_options(*plan, o);
  cli::add_fault_options(*plan, o);
  cli::add_engine_options(*plan, o);
  add_json(*plan, o);
  plan->add_option("-o,--output", o.output, "write the schedule (JSON Lines)");
  plan->add_flag("--orbits", o.orbits, "with -o: one line for all translations of a transfer");

  CLI::App* check = app.add_subcommand("check", "check a schedule file against the rules");
  check->add_option("FILE", o.file, "schedule (JSON Lines)");
  check->add_option("--flits", o.flits, fmt::format("flits of a message ({})", kDefaultFlits));
  cli::add_fault_options(*check, o);
  check->add_option("--seed", o.seed, "of random faults (1)");
  add_json(*check, o);

  CLI::App* run = app.add_subcommand("run", "plan or read a schedule and run it on the RTL");
  run->add_option("FILE", o.file, "schedule (JSON Lines), instead of the options that plan one");
  cli::add_schedule_options(*run, o);
  cli::add_fault_options(*run, o);
  cli::add_engine_options(*run, o);
  cli::add_trace_options(*run, o);
  add_json(*run, o);
  run->add_flag("--no-check", o.no_check, "run what the checker refuses too");

  CLI::App* exported = app.add_subcommand("export", "write a schedule for other tools");
  exported->add_option("FILE", o.file, "schedule (JSON Lines), instead of options that plan one");
  cli::add_schedule_options(*exported, o);
  exported->add_option("--format", o.format,
                       "goal (LogGOPSim), msccl-xml (MSCCL) or mem ($readmemh images)");
  exported->add_option("-o,--output", o.output, "file to write; for mem a folder");
  exported->add_option("--flits", o.flits, fmt::format("flits of a message ({})", kDefaultFlits));
  exported->add_option("--seed", o.seed, "of the messages' contents, for mem (1)");
  exported->add_flag("--one-cycle", o.one_cycle, "mem: tables for nodes with slots of one cycle");
  exported->add_flag("--in-order", o.in_order, "mem: own words as nodes without lists send them");
  add_json(*exported, o);

  CLI::App* suite =
      app.add_subcommand("suite", "run the cases of a suite file (what `make sim` does)");
  suite->add_option("FILE", o.file, "suite (TOML)");
  suite->add_option("--case", o.cases, "only this case; repeat for more; * stands for anything")
      ->expected(1)
      ->take_all();
  suite->add_option("--engine", o.engine, "run all cases on this engine: tile, flat or systemc");
  suite->add_option("--jobs", o.jobs, "cases to run side by side (all processors)");
  suite->add_option("--junit", o.junit, "write a report for CI servers (JUnit XML)");
  suite->add_option("--trace", o.trace, "write the waveform of the one case chosen");
  suite->add_option("--trace-cycles", o.trace_cycles, "only these cycles: 100-140");
  add_json(*suite, o);

  // What is left over is reported by us, with what was probably meant.
  for (CLI::App* verb : app.get_subcommands({})) verb->allow_extras();
}

/// What CLI11 says of an option without a value or with two, in plain words.
std::string plain_text(const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string option = text.substr(0, text.find(':'));
  if (text.find("required TEXT missing") != std::string::npos) return option + " needs a value";
  if (text.find("At Most 1") != std::string::npos) return option + " is given more than once";
  return text;
}

/// A verb must come first, so that a mistyped one is not taken for a stray argument.
void check_verb(int argc, char** argv) {
  if (argc < 2) {
    throw InputError(fmt::format("no verb given: {} (gossamer --help)", fmt::join(kVerbs, ", ")));
  }
  const std::string_view first = argv[1];
  if (first == "-h" || first == "--help") return;
  if (std::find(kVerbs.begin(), kVerbs.end(), first) != kVerbs.end()) return;
  if (first.starts_with("-")) {
    throw InputError(fmt::format("the verb comes first, not '{}': {} (gossamer --help)", first,
                                 fmt::join(kVerbs, ", ")));
  }
  throw InputError(fmt::format("unknown verb '{}': {}", first, suggestion(first, kVerbs)));
}

/// Throws for what the verb does not know.
void check_leftovers(const CLI::App& verb) {
  const std::vector<std::string> extras = verb.remaining();
  if (extras.empty()) return;
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string& extra : extras) {
    if (!extra.starts_with("-")) continue;
    const std::string word = extra.substr(0, extra.find('='));
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const std::string_view near = nearest_name(word, candidates);
    throw InputError(fmt::format("{} has no option {}{}", verb.get_name(), word,
                                 near.empty()
                                     ? fmt::format(" (gossamer {} --help)", verb.get_name())
                                     : fmt::format(": did you mean {}?", near)));
  }
  throw InputError(
      fmt::format("{} does not take the argument '{}'", verb.get_name(), extras.front()));
}

void require_file(const CLI::App& verb, const Options& o, const char* what) {
  if (o.file.empty()) throw InputError(fmt::format("{} needs a {}", verb.get_name(), what));
}

int dispatch(const CLI::App& verb, const Options& o, Runner& runner) {
  const std::string name = verb.get_name();
  if (name == "list") return cli::list(o);
  if (name == "plan") return cli::plan(o);
  if (name == "run") return cli::run(o, runner);
  if (name == "export") return cli::export_schedule(o);
  if (name == "check") {
    require_file(verb, o, "schedule file");
    return cli::check_file(o);
  }
  require_file(verb, o, "suite file, such as tests/regression.toml");
  return cli::suite(o, runner);
}

int complain(const std::exception& error) {
  std::fflush(stdout);
  fmt::print(stderr, "gossamer: {}\n", one_line(error));
  return kBadInput;
}

/// Throws InputError if what was printed has not all been written: a disk may be full.
void require_printed() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.flush()) return;
  throw InputError(fmt::format("cannot write to standard output: {}",
                               errno != 0 ? std::strerror(errno) : "the stream failed"));
}

int parse_and_dispatch(int argc, char** argv, Runner& runner) {
  Options options;
  options.program = argc > 0 ? argv[0] : "gossamer";
  CLI::App app("Computes collective-communication schedules and runs them on the RTL of a fabric.",
               "gossamer");
  app.get_formatter()->column_width(26);
  app.footer(
      "Exit status: 0 all as predicted, 1 a check failed, 2 bad input,\n"
      "130 interrupted by Ctrl-C (128 + the signal's number).");
  add_verbs(app, options);
  if (argc == 3 && argv[1] == std::string_view("--generate")) {  // for packagers, who know it
    fmt::print("{}", cli::generated_help(app, argv[2]));
    return 0;
  }
  check_verb(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    throw InputError(plain_text(error));
  }
  const CLI::App& verb = *app.get_subcommands().front();
  check_leftovers(verb);
  return dispatch(verb, options, runner);
}

}  // namespace

int run_command(int argc, char** argv, Runner& runner) {
  catch_interrupts();
  try {
    const int status = parse_and_dispatch(argc, argv, runner);
    require_printed();
    return status;
  } catch (const Interrupted&) {
    fmt::print(stderr, "gossamer: interrupted\n");
    return 128 + interrupt_signal();
  } catch (const std::exception& error) {
    runner.note_failure(one_line(error));
    return complain(error);
  }
}

}  // namespace gossamer
