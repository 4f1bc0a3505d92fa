#include "cli/verbs.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <tuple>

#include "driver/case_fields.hpp"
#include "driver/values.hpp"
#include "support/error.hpp"

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
  add_fields(verb, o, {"topology", "collective", "ports", "duplex", "root", "members"});
  verb.add_option("--flits", o.lengths,
                  "flits of a message, one or more ascending numbers (default: 1,8,64,1024)");
  add_field(verb, o, "link_stages");
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
  add_file(verb, o, "schedule (JSON Lines), instead of the options that plan one");
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
  add_file(verb, o, "schedule (JSON Lines), instead of the options that plan one");
  add_schedule_options(verb, o);
  verb.add_option("--format", o.format,
                  "goal (LogGOPSim), msccl-xml (MSCCL), mem ($readmemh images), axi (writes of\n"
                  "an AXI host), rtl (a fabric of any topology, with a testbench) or gtkw (a view\n"
                  "for the waveform of your own testbench) (needed)");
  verb.add_option("-o,--output", o.output,
                  "file to write; for mem and rtl a folder; for axi a C header if it ends in .h,\n"
                  "a Verilog module around axi_fabric if in .v (needed)");
  add_fields(verb, o, {"flits", "link_stages"});
  add_field(verb, o, "seed", "seed of the messages' contents, for mem, rtl and gtkw (default: 1)");
  verb.add_option(
      "--scope", o.scope,
      "gtkw: the fabric's name in the waveform, such as my_testbench.i_fabric (needed)");
  verb.add_option("--also", o.also,
                  "mem, axi: another schedule (JSON Lines) that the nodes' memories must hold;\n"
                  "repeat for more (default: none)")
      ->expected(1)
      ->take_all();
  verb.add_option(
      "--part", o.part,
      "mem: a block of the torus, for rtl/fabric/torus_part.sv: nodes along each dimension\n"
      "and the first of them, such as 4x4@4,0 (default: the whole torus)");
  verb.add_flag("--one-cycle", o.one_cycle,
                "mem: tables for nodes with slots of one cycle (default: of any length)");
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
  verb.add_option("--jobs", o.jobs, "cases to run in parallel (default: one per processor)");
  verb.add_option("--junit", o.junit, "write a report for CI servers, JUnit XML (default: not)");
  add_report_option(verb, o, "all cases, or of one case that is chosen all that is known,");
  verb.add_option("--trace", o.trace, "write the waveform of the one case chosen (default: not)");
  verb.add_option("--trace-cycles", o.trace_cycles, "only these cycles: 100-140 (default: all)");
  add_json(verb, o);
}

constexpr Verb kVerbs[] = {
    {"list", "show the algorithms, collectives, topologies and formats",
     "  gossamer list\n",
     add_json, list},
    {"plan", "compute a schedule: rounds, bounds, cycles; no hardware",
     "  gossamer plan --topology torus:7x7x7\n"
     "  gossamer plan --topology torus:8x8 --collective total-exchange --ports single\n"
     "  gossamer plan --topology torus:4x4 --algorithm product -o schedule.jsonl\n",
     add_plan, plan},
    {"check", "check a schedule file against the rules of its model",
     "  gossamer check schedule.jsonl\n"
     "  gossamer check schedule.jsonl --loads loads.csv\n",
     add_check, check_file,
     "schedule file"},
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
     add_suite, suite,
     "suite file, such as tests/regression.toml"},
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
     add_import, import_schedule,
     "file: MSCCL's XML, or links, chunks and times"},
    {"compare", "show schedules of the same collective side by side",
     "  gossamer compare all-gather.jsonl imported.jsonl\n",
     add_compare, compare},
    {"report", "write a schedule as a page for a browser; no hardware",
     "  gossamer report --topology torus:4x4 -o report.html\n"
     "  gossamer report schedule.jsonl -o report.html\n"
     "  gossamer report --topology ring:8 --svg space-time=ring.svg --svg fabric=fabric.svg\n",
     add_report, report},
};

void set_trace_rounds(const Ask& ask, const Facts& facts, RunOptions& run) {
  if (ask.trace_rounds.empty()) return;
  const std::uint32_t rounds = facts.schedule().rounds();
  const auto [first, last] = range("--trace-rounds", ask.trace_rounds, 1, rounds);
  if (!facts.timed) throw InputError("--trace-rounds: the schedule cannot be timed");
  const Timeline& time = facts.timed->time;
  run.trace_first = time.start[first - 1];
  // A flit is on its first link one cycle after its slot begins, and on later links after that.
  run.trace_last = time.start[last - 1] + time.length[last - 1];
  if (last == rounds) run.trace_last = std::max(run.trace_last, time.last_arrival + 1);
}

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

void require_extension(const std::string& option, const std::string& name,
                       std::string_view extension) {
  const fs::path file = name;
  if (!file.has_extension() || file.extension() == extension) return;
  throw InputError(
      fmt::format("{}: '{}' must end in {}, which is what is written", option, name, extension));
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
      range("--trace-cycles", o.trace_cycles, 0, ~std::uint64_t{0});
}

void check_trace_file(const Ask& ask, const std::string& engine) {
  const std::string_view extension = wave_extension(engine);
  if (ask.trace.empty() || fs::path(ask.trace).extension() == extension) return;
  throw InputError(fmt::format("--trace: '{}' must end in {} with the {} engine", ask.trace,
                               extension, engine));
}

RunOptions run_options_of(const Ask& ask, const Facts& facts) {
  RunOptions run = ask.run;
  run.record = !ask.report.empty();
  set_trace_rounds(ask, facts, run);
  if (!ask.trace_nodes.empty()) {
    run.trace_nodes = node_list("--trace-nodes", ask.trace_nodes, facts.nodes());
  }
  return run;
}

}  // namespace gossamer::cli
