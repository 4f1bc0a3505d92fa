#include "cli/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/screen.hpp"
#include "driver/case.hpp"
#include "support/file.hpp"
#include "support/job.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"
#include "topology/topology.hpp"

namespace gossamer::cli {
namespace {

namespace fs = std::filesystem;

/// The option of a field of the case; without a help of the verb's own, with the field's.
void add_field(CLI::App& verb, Ask& o, std::string_view name, const std::string& help = {}) {
  const CaseField& field = case_field(name);
  verb.add_option(option_of(field), o.fields[field.name], help.empty() ? field.help : help);
}

void add_schedule_options(CLI::App& verb, Ask& o) {
  for (const CaseField& field : case_fields()) {
    if (field.plans) add_field(verb, o, field.name);
  }
}

void add_engine_options(CLI::App& verb, Ask& o) {
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

void add_trace_options(CLI::App& verb, Ask& o) {
  verb.add_option("--trace", o.trace,
                  "write a waveform and its view for GTKWave: FILE.fst, with systemc FILE.vcd\n"
                  "(default: none)");
  verb.add_option("--trace-nodes", o.trace_nodes, "only these nodes: 0,3,5-7 (default: all)");
  verb.add_option("--trace-rounds", o.trace_rounds, "only these rounds: 2-4 (default: all)");
  verb.add_option("--trace-cycles", o.trace_cycles, "only these cycles: 100-140 (default: all)");
}

void add_fields(CLI::App& verb, Ask& o, std::initializer_list<const char*> names) {
  for (const char* name : names) add_field(verb, o, name);
}

void add_json(CLI::App& verb, Ask& o) {
  verb.add_flag("--json", o.json, "print one JSON object (default: text)");
}

void add_seed_of_searches(CLI::App& verb, Ask& o) {
  add_field(verb, o, "seed", "of random faults and searches (default: 1)");
}

void add_loads(CLI::App& verb, Ask& o) {
  verb.add_option("--loads", o.loads,
                  "write the load of every link, by round and in total, as CSV; --json then\n"
                  "prints it, too (default: not)");
}

void add_report_option(CLI::App& verb, Ask& o, const char* what) {
  verb.add_option("--report", o.report,
                  fmt::format("write {} as a page for a browser, FILE.html (default: not)", what));
}

void add_file(CLI::App& verb, Ask& o, const char* text) {
  verb.add_option("FILE", o.file, text)->type_name("");
}

void add_plan(CLI::App& verb, Ask& o) {
  add_file(verb, o, "job (TOML), instead of the options that plan one schedule");
  add_schedule_options(verb, o);
  add_fields(verb, o, {"faults", "flits", "link_stages"});
  add_seed_of_searches(verb, o);
  add_json(verb, o);
  verb.add_option("-o,--output", o.output, "write the schedule (JSON Lines) (default: not)");
  verb.add_flag("--orbits", o.orbits,
                "with -o: one line for all translations of a transfer (default: a line for each)");
  add_loads(verb, o);
}

void add_rank(CLI::App& verb, Ask& o) {
  add_fields(verb, o, {"topology", "collective", "ports", "duplex", "root", "members", "faults"});
  verb.add_option("--flits", o.lengths,
                  "flits of a message, one or more ascending numbers (default: 1,8,64,1024)");
  add_fields(verb, o, {"best", "link_stages"});
  add_field(verb, o, "seed", "of searches (default: 1)");
  add_json(verb, o);
  add_report_option(verb, o, "a plot of cycles against flits, and the table");
  verb.add_option("--svg", o.output, "write the plot by itself, as a picture (default: not)");
}

void add_check(CLI::App& verb, Ask& o) {
  add_file(verb, o, "schedule (JSON Lines; needed)");
  add_fields(verb, o, {"flits", "link_stages", "faults"});
  add_field(verb, o, "seed", "seed of random faults (default: 1)");
  add_json(verb, o);
  add_loads(verb, o);
}

void add_run(CLI::App& verb, Ask& o) {
  add_file(verb, o, "schedule (JSON Lines) or job (TOML), instead of the options that plan one");
  add_schedule_options(verb, o);
  add_field(verb, o, "faults");
  add_engine_options(verb, o);
  add_field(verb, o, "link_stages");
  add_trace_options(verb, o);
  add_json(verb, o);
  verb.add_flag("--no-check", o.no_check,
                "run what the checker refuses, too (default: only what it accepts)");
  add_loads(verb, o);
  add_report_option(verb, o, "the schedule and what the monitors saw");
}

void add_report(CLI::App& verb, Ask& o) {
  add_file(verb, o, "schedule (JSON Lines), instead of the options that plan one");
  add_schedule_options(verb, o);
  add_fields(verb, o, {"faults", "flits", "link_stages"});
  add_seed_of_searches(verb, o);
  verb.add_option("-o,--output", o.report, "page to write, FILE.html (needed without --svg)");
  verb.add_option("--svg", o.pictures,
                  "write one picture: fabric=FILE.svg, space-time=FILE.svg or knowledge=FILE.svg;\n"
                  "repeat for more (default: none)")
      ->expected(1)
      ->take_all();
}

void add_export(CLI::App& verb, Ask& o) {
  add_file(verb, o,
           "schedule (JSON Lines), instead of the options that plan one; for mem and axi also a\n"
           "job (TOML)");
  add_schedule_options(verb, o);
  verb.add_option("--format", o.format,
                  "goal (LogGOPSim), msccl-xml (MSCCL), mem ($readmemh images), axi (writes of\n"
                  "an AXI host), rtl (a fabric of any topology, with a testbench) or gtkw (a view\n"
                  "for the waveform of your own testbench) (needed)");
  verb.add_option(
      "-o,--output", o.output,
      "file to write; for mem and rtl a folder; for axi a C header if it ends in .h,\n"
      "a Verilog module around axi_fabric if in .v, its parameters if in .vh, a folder of\n"
      "images if in / (needed)");
  add_fields(verb, o, {"faults", "flits", "link_stages"});
  add_field(verb, o, "seed", "seed of the messages' contents, for mem, rtl and gtkw (default: 1)");
  verb.add_option(
      "--scope", o.scope,
      "gtkw: the fabric's name in the waveform, such as my_testbench.i_fabric (needed)");
  verb.add_option(
      "--part", o.part,
      "mem: a block of the torus, for rtl/fabric/torus_part.sv: nodes along each dimension\n"
      "and the first of them, such as 4x4@4,0 (default: the whole torus)");
  verb.add_flag("--one-cycle", o.one_cycle,
                "mem: tables for nodes with slots of one cycle (default: of any length)");
  verb.add_flag("--tight", o.tight,
                "mem, axi: nodes for these tables alone: read channels share copies of logs, and\n"
                "numbers have few bits (default: nodes for other tables, too)");
  verb.add_flag("--in-order", o.in_order,
                "mem: own words in the order of nodes without lists (default: with lists)");
  add_json(verb, o);
}

void add_import(CLI::App& verb, Ask& o) {
  add_file(verb, o,
           "MSCCL's XML, or CSV of from,to,chunk,time, or of links as TACOS writes it (needed)");
  add_field(verb, o, "topology", "the links: `gossamer list` shows the kinds (needed)");
  add_field(verb, o, "ports", "single or all (default: all)");
  add_field(verb, o, "duplex", "full or half (default: full)");
  verb.add_flag("--combining", o.combining,
                "XML: all that can cross a link in a round does (default: one message)");
  add_field(verb, o, "collective", "XML: what coll=\"custom\" is (default: what the file says)");
  add_field(verb, o, "root",
            "XML: the root (default: the only node that receives nothing; of a gather or\n"
            "reduce, that sends nothing)");
  add_field(verb, o, "op", "XML: how a reduction combines words, such as max (default: sum)");
  verb.add_option("-o,--output", o.output, "schedule to write (JSON Lines) (needed)");
  add_field(verb, o, "flits");
  add_json(verb, o);
}

void add_compare(CLI::App& verb, Ask& o) {
  verb.add_option("FILE", o.files, "schedules (JSON Lines; needed)")->type_name("");
  add_field(verb, o, "flits");
  add_json(verb, o);
}

void add_suite(CLI::App& verb, Ask& o) {
  add_file(verb, o, "suite (TOML; needed)");
  verb.add_flag("--list", o.list, "show the cases and run none (default: run them)");
  verb.add_option("--case", o.cases,
                  "only this case; repeat for more; * matches anything (default: all)")
      ->expected(1)
      ->take_all();
  add_field(verb, o, "engine",
            "run all cases on this engine: tile, flat or systemc (default: what the suite\n"
            "says)");
  add_field(verb, o, "faults");
  verb.add_option("--jobs", o.jobs, "cases to run in parallel (default: one per processor)");
  verb.add_option("--junit", o.junit, "write a report for CI servers, JUnit XML (default: not)");
  add_report_option(verb, o, "all cases, or of one case that is chosen all that is known,");
  verb.add_option("--trace", o.trace, "write the waveform of the one case chosen (default: not)");
  verb.add_option("--trace-cycles", o.trace_cycles, "only these cycles: 100-140 (default: all)");
  add_json(verb, o);
}

void add_rtl(CLI::App& verb, Ask& o) {
  verb.add_flag("--files", o.list, "print the files, in the order of compilation (needed)");
  verb.add_option("--format", o.format,
                  fmt::format("for which tool: {} (default: plain)", rtl_formats()));
}

void add_bug(CLI::App& verb, Ask& o) {
  verb.prefix_command();
  verb.parse_complete_callback([&verb, &o] { o.files = verb.remaining(); });
}

constexpr Verb kVerbs[] = {
    {"list", "show the algorithms, collectives, topologies and formats", "  gossamer list\n",
     add_json, list},
    {"plan", "compute a schedule: rounds, bounds, cycles; no hardware",
     "  gossamer plan --topology torus:7x7x7\n"
     "  gossamer plan --topology torus:8x8 --collective total-exchange --ports single\n"
     "  gossamer plan --topology torus:4x4 --algorithm product -o schedule.jsonl\n",
     add_plan, plan},
    {"check", "check a schedule file against the rules of its model",
     "  gossamer check schedule.jsonl\n"
     "  gossamer check schedule.jsonl --loads loads.csv\n",
     add_check, check_file, "schedule file"},
    {"run", "plan or read a schedule and run it on the RTL",
     "  gossamer run --topology torus:4x4 --flits 4\n"
     "  gossamer run schedule.jsonl --trace wave.fst\n"
     "  gossamer run --topology hypercube:5 --algorithm chau-fu --faults \"nodes=3;links=0-1\"\n",
     add_run, run},
    {"rank", "compare all algorithms for messages of several lengths; no hardware",
     "  gossamer rank --topology torus:4x4\n"
     "  gossamer rank --topology mesh:5x5 --collective scatter --flits 1,2,4,8,16\n",
     add_rank, rank},
    {"suite", "run the cases of a suite file (what `make sim` does)",
     "  gossamer suite tests/regression.toml --list\n"
     "  gossamer suite tests/regression.toml --case 'ring-8-*' --jobs 2\n",
     add_suite, suite, "suite file, such as tests/regression.toml"},
    {"export", "write a schedule for other tools",
     "  gossamer export --topology ring:4 --flits 1 --format mem -o images\n"
     "  gossamer export --topology torus:4x4 --flits 1 --format axi -o tables.h\n"
     "  gossamer export schedule.jsonl --format goal -o schedule.goal\n"
     "  gossamer export --topology ring:4 --flits 1 --format gtkw --scope "
     "my_testbench.i_fabric -o my.gtkw\n",
     add_export, export_schedule},
    {"import", "make a schedule file of what another program planned",
     "  gossamer import tests/data/ring-4-all-gather.xml --topology ring:4 "
     "-o all-gather.jsonl\n"
     "  gossamer import tests/data/ring-4-link-chunk-time.csv --topology ring:4 "
     "-o imported.jsonl\n",
     add_import, import_schedule, "file: MSCCL's XML, or links, chunks and times"},
    {"compare", "show schedules of the same collective side by side",
     "  gossamer compare all-gather.jsonl imported.jsonl\n", add_compare, compare},
    {"report", "write a schedule as a page for a browser; no hardware",
     "  gossamer report --topology torus:4x4 -o report.html\n"
     "  gossamer report schedule.jsonl -o report.html\n"
     "  gossamer report --topology ring:8 --svg space-time=ring.svg --svg fabric=fabric.svg\n",
     add_report, report},
    {"rtl", "show where the RTL is, for your own flow",
     "  gossamer rtl --files\n"
     "  gossamer rtl --files --format verilator > gossamer.vc\n",
     add_rtl, rtl_files},
    {"bug", "run a command, and print what a report of a bug needs: versions, call, files, output",
     "  gossamer bug run broken.jsonl --flits 8 > report.txt\n", add_bug, bug},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

std::vector<std::string_view> verb_names() {
  std::vector<std::string_view> names;
  for (const Verb& verb : kVerbs) names.push_back(verb.name);
  return names;
}

void add_verbs(CLI::App& app, Ask& o) {
  for (const Verb& v : kVerbs) {
    CLI::App& verb = *app.add_subcommand(std::string(v.name), v.help);
    verb.footer(std::string("Examples:\n") + v.examples);
    verb.allow_extras();  // we report leftover arguments ourselves, with the nearest name
    v.options(verb, o);
  }
}

void set_fields(const Ask& o, Case& c) {
  for (const CaseField& field : case_fields()) {
    const auto given = o.fields.find(field.name);
    if (given == o.fields.end() || given->second.empty()) continue;
    field.read(c, {option_of(field), given->second});
  }
}

void read_values(Ask& o) {
  const auto count = [](const char* option, const std::string& text, unsigned otherwise) {
    return text.empty() ? otherwise : static_cast<unsigned>(number(option, text, 1, 1024));
  };
  o.run.threads = count("--threads", o.threads, 0);
  o.request.file = o.file;
  o.request.flits_given = false;
  set_fields(o, o.request);
  o.jobs_at_a_time = count("--jobs", o.jobs, std::max(1u, std::thread::hardware_concurrency()));
  o.run.trace = o.trace;
  const bool window = !o.trace_nodes.empty() || !o.trace_rounds.empty() || !o.trace_cycles.empty();
  if (o.trace.empty() && window) {
    throw InputError("--trace-nodes, --trace-rounds, --trace-cycles need --trace FILE");
  }
  if (o.trace_cycles.empty()) return;
  if (!o.trace_rounds.empty()) {
    throw InputError("--trace-cycles and --trace-rounds exclude each other");
  }
  std::tie(o.run.trace_first, o.run.trace_last) =
      range_of("--trace-cycles", o.trace_cycles, 0, ~std::uint64_t{0});
}

namespace {

constexpr int kBadInput = 2;

/// Rewrites what CLI11 says about an option with a wrong number of values.
std::string plain_text(const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string_view flag = "Could not convert: ";
  if (text.starts_with(flag)) {
    return text.substr(flag.size(), text.find(' ', flag.size()) - flag.size()) + " takes no value";
  }
  const std::string option = text.substr(0, text.find(':'));
  if (text.find("required TEXT missing") != std::string::npos) return option + " needs a value";
  if (text.find("At Most 1") != std::string::npos) return option + " is given more than once";
  return text;
}

/// What gossamer.core says of the RTL. Empty if there is none.
std::string rtl_version(const Runner& runner) {
  const fs::path core = fs::path(runner.sources()) / "gossamer.core";
  if (!fs::exists(core)) return {};
  const std::string text = read_file(core.string());
  const std::size_t begin = text.find("torus_fabric:") + 13;
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// A verb must come first; otherwise a mistyped verb would be taken for a stray argument.
void check_verb(const std::vector<std::string>& words) {
  const std::vector<std::string_view> names = verb_names();
  if (words.empty()) {
    refuse("no verb given: {} (gossamer --help)", fmt::join(names, ", "));
  }
  const std::string_view first = words[0];
  if (first == "-h" || first == "--version" || first.starts_with("--help")) return;
  if (first.starts_with("-")) {
    refuse("the verb comes first, not '{}': {} (gossamer --help)", first, fmt::join(names, ", "));
  }
  named("verb", first, names);
}

/// Replaces `help` and `help VERB` by --help and VERB --help.
std::vector<std::string> without_help_verb(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty() || words[0] != "help") return words;
  if (words.size() > 2) {
    refuse("help takes one verb, not also '{}'", words[2]);
  }
  if (words.size() == 1) return {"--help"};
  named("verb", words[1], verb_names());
  return {words[1], "--help"};
}

/// The options that name a file to write.
constexpr std::string_view kOutputs[] = {"-o",       "--loads", "--junit",
                                         "--report", "--trace", "--svg"};

/// A word "-" is the open stream: after an output stdout, else stdin.
void name_streams(std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] != "-") continue;
    const bool written = words[i - 1] == "--output" ||
                         std::ranges::find(kOutputs, words[i - 1]) != std::end(kOutputs);
    words[i] = written ? kStdout : "/dev/stdin";
  }
}

/// "did you mean --topology torus:4x4?" for a word that is one, where the verb has that option.
std::string topology_hint(const CLI::App& verb, const std::string& word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos || verb.get_option_no_throw("--topology") == nullptr) return "";
  std::vector<std::string_view> kinds;
  for (const TopologyKind& kind : topology_kinds()) kinds.push_back(kind.name);
  const std::string_view near = nearest_name(word.substr(0, colon), kinds);
  if (near.empty()) return "";
  return fmt::format(": did you mean --topology {}{}?", near, word.substr(colon));
}

/// Throws InputError for arguments that the verb does not know.
void check_leftovers(const CLI::App& app, const CLI::App& verb) {
  if (verb.get_prefix_command()) return;
  std::vector<std::string> extras = verb.remaining();
  std::erase(extras, "--");
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string& extra : extras) {
    if (!extra.starts_with("-")) continue;
    const std::string word = extra.substr(0, extra.find('='));
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const std::string_view near = nearest_name(word, candidates);
    refuse("{} has no option {}{}", verb.get_name(), word,
           near.empty() ? fmt::format(" (gossamer {} --help)", verb.get_name())
                        : fmt::format(": did you mean {}?", near));
  }
  for (const std::string& word : app.remaining()) extras.push_back(word);  // those behind "--"
  if (extras.empty()) return;
  refuse("{} does not take the argument '{}'{}", verb.get_name(), extras.front(),
         topology_hint(verb, extras.front()));
}

/// A topology in the place of a file is no file that cannot be opened.
void check_file_name(const CLI::App& verb, const Ask& o) {
  std::error_code ignored;
  const std::string hint = topology_hint(verb, o.file);
  if (hint.empty() || fs::exists(o.file, ignored)) return;
  refuse("there is no file '{}'{}", o.file, hint);
}

/// Throws InputError for an option with an empty value, which would count as not given.
void check_values(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    if (std::ranges::find(option->results(), "") == option->results().end()) continue;
    throw InputError(option->get_name() + " needs a value");
  }
}

/// What is given for an option, of a verb that has it.
std::vector<std::string> given(const CLI::App& verb, const std::string& name) {
  const CLI::Option* option = verb.get_option_no_throw(name);
  return option == nullptr ? std::vector<std::string>{} : option->results();
}

/// Throws InputError for an output that cannot be written, or is another output, too. Whoever reads
/// one later, whatever names it, is refused.
void check_outputs(const CLI::App& verb, const Ask& o) {
  if (writes_folder(o)) return;
  std::set<std::string> taken;
  const auto check = [&taken](const std::string& option, const fs::path& file) {
    if (written_in_place(file)) return;
    const std::string why = fmt::format(
        "{}: '{}' is an input or another output, too: name another file", option, file.string());
    if (!taken.insert(target_of(file)).second) throw InputError(why);
    refuse_to_read(file, why);
    std::error_code ignored;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored)) {
      refuse("{}: there is no folder {}", option, folder.string());
    }
    const NewFile can_be_made(file);
  };
  for (const std::string_view name : kOutputs) {
    const std::string option(name);
    for (const std::string& word : given(verb, option)) {
      const bool picture = option == "--svg" && !o.pictures.empty();  // fabric=FILE.svg
      const std::string file = picture ? word.substr(word.find('=') + 1) : word;
      check(option, file);
      if (option != "--trace") continue;
      for (const char* beside : {".gtkw", ".flits", ".operators"}) {
        check(option, fs::path(file).replace_extension(beside));
      }
    }
  }
}

int dispatch(const CLI::App& verb, const Ask& o, Runner& runner) {
  const auto all = verbs();
  const Verb& v = *std::ranges::find(all, verb.get_name(), &Verb::name);
  if (v.needs != nullptr && o.file.empty()) {
    refuse("{} needs a {}", v.name, v.needs);
  }
  return v.run(o, runner);
}

[[noreturn]] void refuse_output(const std::string& why) {
  throw InputError("cannot write to standard output: " + why);
}

/// Throws InputError if the output could not be written completely: a disk may be full.
void require_printed() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.flush()) return;
  if (errno == 0) {  // an earlier part failed, and its reason is lost: this will fail for it again
    std::clearerr(stdout);
    if (std::fputc('\n', stdout) != EOF) std::fflush(stdout);
  }
  refuse_output(errno != 0 ? std::strerror(errno) : "the stream failed");
}

int parse_and_dispatch(int argc, char** argv, Runner& runner) {
  Ask ask;
  ask.program = argc > 0 ? argv[0] : "gossamer";
  for (int i = 0; i < argc; ++i) ask.command += (i > 0 ? " " : "") + shell_word(argv[i]);
  CLI::App app("Computes collective-communication schedules and runs them on the RTL of a fabric.",
               "gossamer");
  app.get_formatter()->column_width(26);
  app.allow_extras();            // behind "--"
  app.require_subcommand(0, 1);  // the name of a second verb is a word like any other
  app.set_version_flag(
      "--version", [&] { return versions(runner); }, "show the version");
  app.footer(
      "`gossamer help VERB` explains a verb.\n"
      "Examples:\n"
      "  gossamer help run\n"
      "  gossamer run --topology torus:4x4\n\n"
      "Exit status: 0 all as predicted, 1 a check failed, 2 bad input,\n"
      "130 interrupted by Ctrl-C (128 + the signal's number).");
  add_verbs(app, ask);
  app.set_help_all_flag("--help-all", "show the help of every verb");
  std::vector<std::string> words = without_help_verb(argc, argv);
  check_verb(words);
  name_streams(words);
  std::ranges::reverse(words);  // CLI11 wants them reversed
  try {
    app.parse(std::move(words));
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    throw InputError(plain_text(error));
  }
  const CLI::App& verb = *app.get_subcommands().front();
  check_leftovers(app, verb);
  check_values(verb);
  check_file_name(verb, ask);
  check_outputs(verb, ask);
  read_values(ask);
  return dispatch(verb, ask, runner);
}

}  // namespace
}  // namespace gossamer::cli

namespace gossamer {

std::string cli::versions(const Runner& runner) {
  return fmt::format("gossamer {} with RTL {}", GOSSAMER_VERSION, rtl_version(runner));
}

int run_command(int argc, char** argv, Runner& runner) {
  catch_interrupts();
  try {
    int status = cli::kBadInput;
    try {
      status = cli::parse_and_dispatch(argc, argv, runner);
    } catch (const std::system_error& error) {  // fmt::print does not say what cannot be written
      if (std::ferror(stdout) != 0) cli::refuse_output(error.code().message());
      throw;
    }
    cli::require_printed();
    return status;
  } catch (const Interrupted&) {
    cli::print_error("interrupted");
    return 128 + interrupt_signal();
  } catch (const std::exception& error) {
    const std::string why = one_line(error);
    runner.note_failure(why);
    cli::print_error(why);
    return cli::kBadInput;
  }
}

}  // namespace gossamer
