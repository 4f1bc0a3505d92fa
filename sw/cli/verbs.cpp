#include <fmt/format.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/registry.hpp"
#include "cli/command.hpp"
#include "cli/screen.hpp"
#include "driver/case.hpp"
#include "import/import.hpp"
#include "page/page.hpp"
#include "schedule/jsonl.hpp"
#include "schedule/model.hpp"
#include "support/file.hpp"
#include "support/job.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"
#include "topology/families.hpp"
#include "topology/topology.hpp"

namespace gossamer::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<ExportFormat, 5> kPapers = {{
    {"Dimakopoulos 1999", "Dimakopoulos: Single-Port Multinode Broadcasting (1999)"},
    {"Delmas-Perennes 1996",
     "Delmas, Perennes: Circuit-Switched Gossiping in the 3-Dimensional Torus Networks (1996)"},
    {"Chau-Fu",
     "Chau, Fu: An Optimal (d-1)-Fault-Tolerant All-to-All Broadcasting Scheme for d-Dimensional "
     "Hypercubes"},
    {"Bertsekas et al. 1991",
     "Bertsekas, Ozveren, Stamoulis, Tseng, Tsitsiklis: Optimal Communication Algorithms for "
     "Hypercubes (1991)"},
    {"Dimakopoulos-Dimopoulos 1998",
     "Dimakopoulos, Dimopoulos: A Theory for Total Exchange in Multidimensional Interconnection "
     "Networks (1998)"},
}};

int print_list_json() {
  nlohmann::ordered_json json;
  for (const CollectiveTerms& e : kCollectiveTerms) json["collectives"].push_back(e.name);
  json["collectives"].push_back(kBarrier);
  for (const TopologyKind& e : topology_kinds()) json["topologies"].push_back(e.example);
  for (const Algorithm& a : algorithms()) {
    json["algorithms"].push_back({{"name", a.name}, {"source", a.source}, {"summary", a.summary}});
  }
  for (const ExportFormat& e : export_formats()) json["formats"].push_back(e.name);
  for (const auto& e : kPapers) json["papers"].push_back({{"name", e.name}, {"title", e.meaning}});
  print_json(json);
  return 0;
}

}  // namespace

int list(const Ask& ask, Runner&) {
  if (ask.json) return print_list_json();
  const Paint paint;
  fmt::print("{}\n", paint.strong("Algorithms (--algorithm)"));
  for (const Algorithm& a : algorithms()) {
    fmt::print("  {:<22} {}  {}\n", a.name, a.summary, paint.faint("(" + a.source + ")"));
  }
  fmt::print("\n{}\n", paint.strong("Collectives (--collective)"));
  for (const CollectiveTerms& e : kCollectiveTerms) fmt::print("  {:<22} {}\n", e.name, e.meaning);
  fmt::print("  {:<22} {}\n", kBarrier,
             "an all-reduce of one flit, after which all know that all are there");
  fmt::print("\n{}\n", paint.strong("Topologies (--topology)"));
  for (const TopologyKind& e : topology_kinds()) {
    fmt::print("  {:<22} {}\n", e.example, e.meaning);
  }
  fmt::print("\n{}\n", paint.strong("Formats of export (--format)"));
  for (const ExportFormat& e : export_formats()) fmt::print("  {:<22} {}\n", e.name, e.meaning);
  fmt::print("\n{}\n", paint.strong("Papers"));
  for (const auto& e : kPapers) fmt::print("  {:<22} {}\n", e.name, e.meaning);
  return 0;
}

void require_extension(const std::string& option, const std::string& name,
                       std::string_view extension) {
  const fs::path file = name;
  if (!file.has_extension() || file.extension() == extension) return;
  refuse("{}: '{}' must end in {}, which is what is written", option, name, extension);
}

void check_trace_file(const Ask& ask, const std::string& engine) {
  const std::string_view extension = wave_extension(engine);
  if (ask.trace.empty() || fs::path(ask.trace).extension() == extension) return;
  refuse("--trace: '{}' must end in {} with the {} engine", ask.trace, extension, engine);
}

bool Outputs::write(const std::function<void()>& writer) {
  try {
    writer();
    return true;
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception&) {
    if (!first_) first_ = std::current_exception();
    return false;
  }
}

void Outputs::end() const {
  if (first_) std::rethrow_exception(first_);
}

Facts carry_out(const Ask& ask, const CaseWork& work) {
  Progress job;
  try {
    job.stage(work.making);
    Plan plan = work.make ? work.make() : make_plan(ask.request, work.planned_to);
    job.stage("checking the schedule");
    Facts facts = examine(ask.request, std::move(plan), ask.no_check);
    if (ask.file.empty() && facts.around_dead()) facts.whole_cycles = whole_cycles(ask.request);
    if (!ask.loads.empty()) {
      job.stage("writing " + ask.loads);
      facts.loads = link_loads(facts.schedule(), facts.check, facts.request.flits);
      write_file(ask.loads, loads_csv(*facts.loads));
    }
    if (work.then) work.then(facts, job);
    return facts;
  } catch (const Interrupted&) {
    return {.request = ask.request, .interrupted_in = job.text()};
  }
}

namespace {

/// What another choice of algorithm would take, if there was a choice.
void print_runner_up(const Facts& r) {
  const auto& next = r.plan->runner_up;
  if (!next) return;
  fmt::print("runner-up: {}{}{}, {} {} cycles\n", next->algorithm->name, through(next->ports),
             next->pieces ? fmt::format(" in {} pieces", *next->pieces) : "",
             next->known == Known::Exactly ? "takes" : "takes at least", grouped(next->cycles));
}

std::string verdict_text(const Facts& r, const Paint& paint) {
  if (r.interrupted()) return paint.bad("INTERRUPTED") + " while " + r.interrupted_in;
  return r.passed() ? paint.good("PASS") : paint.bad("FAIL");
}

}  // namespace

int exit_status(const Facts& r) {
  if (r.interrupted()) return 128 + interrupt_signal();
  return r.passed() ? 0 : 1;
}

void print_report(const Facts& r, const Paint& paint) {
  if (!r.plan) {  // interrupted before anything was known
    fmt::print("{}\n", verdict_text(r, paint));
    return;
  }
  fmt::print("{}\n", paint.strong(title_of(r)));
  fmt::print("{}\n\n", paint.faint(model_of(r)));
  for (const Number& n : numbers_of(r)) {
    fmt::print("  {:<17} {:>15}   {}\n", n.name, n.value, paint.faint(n.meaning));
  }
  if (r.check_ignored && !r.check.ok()) {
    fmt::print("\nThe checker refuses this schedule (it ran because of --no-check):\n");
    for (const BrokenRule& fault : r.check.faults) fmt::print("  {}\n", to_string(fault));
  }
  fmt::print("\n{}\n", verdict_text(r, paint));
  for (const std::string& problem : r.problems) fmt::print("  {}\n", problem);
  print_runner_up(r);
}

namespace {

/// Prints the object; if that is interrupted, without the loads. Returns the exit status.
int print_object(Facts facts, bool measured) {
  nlohmann::ordered_json json;
  try {
    json = to_json(facts, measured);
  } catch (const Interrupted&) {
    facts.interrupted_in = "printing the loads";
    facts.loads.reset();
    json = to_json(facts, measured);
  }
  print_json(json);
  return exit_status(facts);
}

/// Writes the schedule to -o, if there is one and it is valid.
void write_schedule(const Ask& ask, const Facts& facts, Progress& job) {
  if (!facts.passed() || ask.output.empty()) return;
  job.stage("writing " + ask.output);
  write_jsonl(facts.schedule(), ask.output, ask.orbits ? Orbits::Kept : Orbits::Expanded);
}

}  // namespace

int print(const Ask& ask, Facts facts, const std::string& output) {
  if (output == kStdout && facts.passed()) return exit_status(facts);
  if (ask.json) return print_object(std::move(facts), /*measured=*/false);
  print_report(facts, Paint());
  if (!output.empty()) fmt::print("{}\n", facts.passed() ? "written to " + output : "not written");
  return exit_status(facts);
}

int plan(const Ask& ask, Runner& runner) {
  if (is_job(ask)) return job(ask, runner, /*runs=*/false);
  if (!ask.file.empty())
    refuse("plan reads jobs (FILE.toml), not {}: check reads schedules", ask.file);
  if (ask.orbits && ask.output.empty()) throw InputError("--orbits needs -o");
  const auto write = [&](Facts& facts, Progress& job) { write_schedule(ask, facts, job); };
  return print(ask, carry_out(ask, {.then = write}), ask.output);
}

int check_file(const Ask& ask, Runner&) {
  return print(ask, carry_out(ask, {.making = "reading " + ask.file}), /*output=*/"");
}

int import_schedule(const Ask& ask, Runner&) {
  const Case& c = ask.request;
  if (c.topology.empty()) throw InputError("import needs --topology: the file does not say it");
  if (ask.output.empty()) throw InputError("import needs -o: the schedule file to write");
  Ask asked = ask;
  asked.request.file.clear();
  const Topology topology = topology_of(c);
  const Model model{c.ports.value_or(PortModel::All), c.duplex.value_or(Duplex::Full),
                    Switching::Packet, ask.combining};
  const auto read = [&] {
    Plan plan{import_schedule(read_file(ask.file), ask.file, topology,
                              {model, c.collective, root_of(c, topology)}),
              std::nullopt, nullptr};
    refuse_meaningless_root(c, plan.schedule.collective());
    set_operator(c, plan.schedule);
    if (c.flits_given) plan.schedule.planned_for = PlannedFor{c.flits, {}};
    return plan;
  };
  const auto write = [&](Facts& facts, Progress& job) { write_schedule(ask, facts, job); };
  return print(ask,
               carry_out(asked, {.make = read, .making = "reading " + ask.file, .then = write}),
               ask.output);
}

namespace {

struct PictureFile {
  Picture picture;
  std::string file;
};

std::vector<PictureFile> picture_files(const Ask& ask) {
  std::vector<PictureFile> files;
  for (const std::string& text : ask.pictures) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) {
      refuse("--svg: '{}' names no file: space-time=FILE.svg", text);
    }
    files.push_back({parse_picture(text.substr(0, equals)), text.substr(equals + 1)});
    require_extension("--svg", files.back().file, ".svg");
  }
  return files;
}

}  // namespace

int report(const Ask& ask, Runner&) {
  const std::vector<PictureFile> pictures = picture_files(ask);
  if (ask.report.empty() && pictures.empty()) {
    throw InputError("report needs a file to write: -o FILE.html, or --svg");
  }
  require_extension("-o", ask.report, ".html");
  const auto draw = [&](const Facts& facts, Progress& job) {
    job.stage("drawing");
    if (!ask.report.empty()) {
      write_file(ask.report, case_page(facts, ask.program, ask.command));
    }
    for (const auto& [picture, file] : pictures) write_file(file, picture_svg(picture, facts));
  };
  const Facts facts = carry_out(ask, {.then = draw});
  print_report(facts, Paint());
  if (facts.interrupted()) return exit_status(facts);
  if (!ask.report.empty()) fmt::print("report: {}\n", ask.report);
  for (const auto& [picture, file] : pictures) fmt::print("picture: {}\n", file);
  return exit_status(facts);
}

namespace {

void set_trace_rounds(const Ask& ask, const Facts& facts, RunOptions& run) {
  if (ask.trace_rounds.empty()) return;
  const std::uint32_t rounds = facts.schedule().rounds();
  const auto [first, last] = range_of("--trace-rounds", ask.trace_rounds, 1, rounds);
  if (!facts.timed) throw InputError("--trace-rounds: the schedule cannot be timed");
  const Timeline& time = facts.timed->time;
  run.trace_first = time.start[first - 1];
  // A flit is on its first link one cycle after its slot begins, and on later links after that.
  run.trace_last = time.start[last - 1] + time.length[last - 1];
  if (last == rounds) run.trace_last = std::max(run.trace_last, time.last_arrival + 1);
}

/// How the case runs; checks the waveform's nodes and rounds against the schedule.
RunOptions run_options_of(const Ask& ask, const Facts& facts) {
  RunOptions run = ask.run;
  run.record = !ask.report.empty();
  set_trace_rounds(ask, facts, run);
  if (!ask.trace_nodes.empty()) {
    run.trace_nodes = node_list("--trace-nodes", ask.trace_nodes, facts.nodes());
  }
  return run;
}

}  // namespace

int run(const Ask& ask, Runner& runner) {
  if (is_job(ask)) return job(ask, runner, /*runs=*/true);
  check_trace_file(ask, ask.request.engine);
  require_extension("--report", ask.report, ".html");
  Outputs outputs;
  bool drawn = false;
  const auto run_and_draw = [&](Facts& facts, Progress& job) {
    if (facts.passed() || facts.beyond_tolerance() || ask.no_check) {
      RunOptions run = run_options_of(ask, facts);
      run.job = &job;
      measure(facts, runner, run);
    }
    if (ask.report.empty()) return;
    job.stage("writing " + ask.report);
    std::optional<HearsNothing> all_of_it;
    if (facts.interrupted()) all_of_it.emplace();
    drawn =
        outputs.write([&] { write_file(ask.report, case_page(facts, ask.program, ask.command)); });
  };
  const Facts facts = carry_out(ask, {.planned_to = PlannedTo::Run, .then = run_and_draw});
  if (ask.json) {
    const int status = print_object(facts, /*measured=*/true);
    outputs.end();
    return status;
  }
  print_report(facts, Paint());
  if (drawn) fmt::print("report: {}\n", ask.report);
  if (facts.run && !ask.trace.empty()) {
    print_waveform(ask.trace);
  } else if (facts.run && !facts.passed() && !facts.interrupted()) {
    fmt::print("rerun: {}\n", rerun_command(facts, ask.program));
  }
  outputs.end();
  return exit_status(facts);
}

namespace {

/// The most messages that one direction of a link carries.
std::uint64_t busiest_link(const Facts& facts) {
  std::uint64_t most = 0;
  for (const LinkLoad& load : facts.loads->in_sum) most = std::max(most, load.messages);
  return most;
}

Facts examined(const Ask& ask, const std::string& file) {
  Ask one = ask;
  one.request.file = file;
  const auto add_loads = [](Facts& facts, Progress&) {
    facts.loads = link_loads(facts.schedule(), facts.check, facts.request.flits);
  };
  return carry_out(one, {.making = "reading " + file, .then = add_loads});
}

/// Throws InputError if two schedules do not do the same.
void require_comparable(const std::string& file, const Facts& facts, const std::string& other,
                        const Facts& of_other) {
  const auto require = [&](const char* what, const std::string& here, const std::string& there) {
    if (here == there) return;
    refuse("compare: {} {} {}, {} {} {}: these cannot be compared", file, what, here, other, what,
           there);
  };
  const auto named = [](const Members& members) {
    return members.all() ? "all nodes" : members.text();
  };
  const auto graph = [](const Facts& r) {
    return edge_lists_from(r.schedule().topology().spec(), fs::current_path().string());
  };
  require("is for", graph(facts), graph(of_other));
  const Schedule &here = facts.schedule(), &there = of_other.schedule();
  require("is a", std::string(to_string(here.collective())),
          std::string(to_string(there.collective())));
  if (has_root(here.collective())) {
    require("has root", std::to_string(here.root), std::to_string(there.root));
  }
  require("has members", named(here.members), named(there.members));
  const std::string flits = "of " + flits_text(facts);
  std::string flits_of_other = "of " + flits_text(of_other);
  if (flits == flits_of_other && here.sizes != there.sizes) flits_of_other += " (other sizes)";
  require("has messages", flits, flits_of_other);
  const auto links = [](const Facts& r) {
    return r.request.stages.none() ? "without stages" : "of stages " + r.request.stages.text();
  };
  require("has links", links(facts), links(of_other));
}

nlohmann::ordered_json json_of(const Facts& r, const std::string& file) {
  auto json = to_json(r, /*measured=*/false);
  json["file"] = file;
  if (r.loads) json["busiest_link"] = busiest_link(r);
  return json;
}

}  // namespace

namespace {

constexpr Column kCompared[] = {{"ports", "/model/ports", -6},
                                {"switching", "/model/switching", -9},
                                {"flits", "/flits", 8},
                                {"rounds", "/rounds", 8},
                                {"bound", "/rounds_bound", 8},
                                {"cycles", "/cycles_predicted", 10},
                                {"transmissions", "/transmissions", 14},
                                {"busiest link", "/busiest_link", 13}};

/// How a tool reads a list of files: what comes before, a line of each, and what comes behind.
struct FilesFormat {
  std::string_view name, before, line, behind;
};

constexpr FilesFormat kFilesFormats[] = {
    {"plain", "", "{}\n", ""},
    {"icarus", "# iverilog -g2012 -c THIS_FILE ...\n", "{}\n", ""},
    {"verilator", "// verilator -f THIS_FILE ...\n--timescale 1ns/1ps\n", "{}\n", ""},
    {"fusesoc",
     "CAPI=2:\nname: gossamer:fabric:torus_fabric:{}\nfilesets:\n  rtl:\n"
     "    file_type: systemVerilogSource\n    files:\n",
     "      - {}\n", "targets:\n  default:\n    filesets: [rtl]\n"},
    {"bender", "package:\n  name: gossamer\nsources:\n", "  - {}\n", ""},
};

}  // namespace

std::string_view rtl_formats() { return "plain, icarus, verilator, fusesoc or bender"; }

int rtl_files(const Ask& ask, Runner& runner) {
  if (!ask.list) refuse("rtl needs --files");
  const FilesFormat& format =
      named("format", ask.format.empty() ? "plain" : ask.format, kFilesFormats, &FilesFormat::name);
  const fs::path folder = runner.sources();
  const std::string version = versions(runner);
  fmt::print(fmt::runtime(format.before), version.substr(version.rfind(' ') + 1));
  const std::string files = read_file((folder / "rtl/files.f").string());
  for (const std::string_view file : split(trimmed(files, "\n"), '\n')) {
    if (file.starts_with("rtl/")) fmt::print(fmt::runtime(format.line), (folder / file).string());
  }
  fmt::print("{}", format.behind);
  return 0;
}

int bug(const Ask& ask, Runner& runner) {
  if (ask.files.empty())
    refuse("bug needs a verb and its options, such as: bug run --topology ring:4");
  std::string call = ask.command;
  call.erase(shell_word(ask.program).size(), std::string_view(" bug").size());
  std::string said;
  FILE* out = popen((call + " 2>&1").c_str(), "r");
  for (int c = 0; out != nullptr && (c = std::fgetc(out)) != EOF;) said += static_cast<char>(c);
  const int status = out == nullptr ? -1 : pclose(out);
  utsname system{};
  uname(&system);
  std::string text = fmt::format("{}, {} {} {}\n\n$ {}\n{}exit status {}\n", versions(runner),
                                 system.sysname, system.release, system.machine, call, said,
                                 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  std::error_code ignored;
  for (const std::string& word : ask.files) {
    const std::string name = word.substr(word.rfind(':') + 1);  // of edges:FILE
    if (!fs::is_regular_file(name, ignored) || fs::file_size(name, ignored) > 100'000) continue;
    text += fmt::format("\n==> {} <==\n{}", name, read_file(name));
  }
  // Nobody needs to know whose folder it is.
  const std::string folder = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  for (std::size_t at = 0; !folder.empty() && (at = text.find(folder, at)) != std::string::npos;) {
    text.replace(at, folder.size(), "~");
  }
  fmt::print("{}", text);
  return 0;
}

int compare(const Ask& ask, Runner&) {
  if (ask.files.empty()) throw InputError("compare needs schedule files");
  std::vector<Facts> reports;
  for (const std::string& file : ask.files) {
    reports.push_back(examined(ask, file));
    if (reports.back().interrupted()) break;
    require_comparable(ask.files.front(), reports.front(), file, reports.back());
  }
  int status = 0;
  for (const Facts& r : reports) status = std::max(status, exit_status(r));
  if (ask.json) {
    nlohmann::ordered_json json;
    for (std::size_t i = 0; i < reports.size(); ++i) {
      json["schedules"].push_back(json_of(reports[i], ask.files[i]));
    }
    print_json(json);
    return status;
  }
  std::size_t width = 8;
  for (const std::string& file : ask.files) width = std::max(width, file.size());
  fmt::print("{:<{}}  {} verdict\n", "schedule", width, heads(kCompared));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Facts& r = reports[i];
    if (r.interrupted()) {
      print_report(r, Paint());
      continue;
    }
    fmt::print("{:<{}}  {} {}\n", ask.files[i], width, cells(kCompared, json_of(r, ask.files[i])),
               r.passed() ? "pass" : "FAIL");
  }
  return status;
}

}  // namespace gossamer::cli
