#include "export/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/command.hpp"
#include "cli/screen.hpp"
#include "support/file.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"

namespace gossamer::cli {
namespace {

/// What is exported, and as it is asked for.
struct Export {
  const Ask& ask;
  const Facts* facts;  ///< null: a job
  const std::vector<Program>& programs;
  const std::vector<Program>& sets;  ///< planned around each fault
  std::optional<NodeCost>& cost;     ///< of a node, if the writer knows it
  const Schedule& schedule = *programs[0].schedule;
  unsigned flits = programs[0].flits;
  std::uint32_t seed = programs[0].seed;
  const PortStages& stages = programs[0].stages;
};

void write_goal(const Export& e) { write_file(e.ask.output, goal_text(e.schedule, e.flits)); }

void write_msccl(const Export& e) { write_file(e.ask.output, msccl_xml(e.schedule)); }

void say_who_reads_images(const std::string& output) {
  const std::string folder = std::filesystem::absolute(output).string();
  if (std::ranges::any_of(folder, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
    print_error(
        fmt::format("{} is not ASCII: Icarus Verilog does not read images from there "
                    "(Verilator does)",
                    folder));
  }
}

void write_mem(const Export& e) {
  e.cost = export_mem(e.programs, {e.ask.one_cycle, e.ask.in_order, e.ask.tight, e.ask.part},
                      e.ask.output);
  say_who_reads_images(e.ask.output);
}

void write_axi(const Export& e) {
  e.cost = export_axi(e.programs, e.sets, e.ask.output, e.ask.tight);
  if (writes_folder(e.ask)) say_who_reads_images(e.ask.output);
}

void write_rtl(const Export& e) {
  export_rtl(e.schedule, e.flits, e.seed, e.facts->cycles_predicted().value_or(0), e.ask.output,
             e.stages);
}

void write_gtkw(const Export& e) {
  export_gtkw(e.schedule, e.flits, e.seed, e.ask.scope, e.ask.output, e.stages);
}

struct Writer {
  ExportFormat format;
  const char* output;  ///< "file" or "folder"
  void (*write)(const Export&);
};

constexpr std::array<Writer, 6> kWriters = {{
    {{"goal", "GOAL text, for the network simulator LogGOPSim"}, "file", write_goal},
    {{"msccl-xml", "allgather, alltoall or reductions for MSCCL"}, "file", write_msccl},
    {{"mem", "node tables as images for $readmemh"}, "folder", write_mem},
    {{"axi",
      "node tables as addresses and data that an AXI host writes, as text, C header or Verilog"},
     "file",
     write_axi},
    {{"rtl", "a fabric of any topology: top level, node tables, testbench, Makefile"},
     "folder",
     write_rtl},
    {{"gtkw", "a view in GTKWave for the waveform of your own testbench"}, "file", write_gtkw},
}};

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const Writer& w : kWriters) all.push_back(w.format.name);
  return all;
}

void refuse_unless(const Ask& o, bool given, const char* option,
                   std::initializer_list<std::string_view> formats) {
  if (!given || std::ranges::find(formats, o.format) != formats.end()) return;
  refuse("{} goes with --format {}, not {}", option, fmt::join(formats, " or "), o.format);
}

const Writer& writer_of(const Ask& o) {
  if (o.format.empty()) {
    refuse("export needs --format: {}", fmt::join(names(), ", "));
  }
  const Writer& writer =
      named("format", o.format, kWriters, [](const Writer& one) { return one.format.name; });
  refuse_unless(o, o.one_cycle, "--one-cycle", {"mem"});
  refuse_unless(o, o.in_order, "--in-order", {"mem"});
  refuse_unless(o, o.tight, "--tight", {"mem", "axi"});
  refuse_unless(o, !o.part.empty(), "--part", {"mem"});
  refuse_unless(o, !o.scope.empty(), "--scope", {"gtkw"});
  refuse_unless(o, is_job(o), o.file.c_str(), {"mem", "axi"});
  if (o.format == "gtkw" && o.scope.empty()) {
    throw InputError(
        "--format gtkw needs --scope: the fabric's name in the waveform, such as "
        "my_testbench.i_fabric");
  }
  if (o.output.empty()) {
    refuse("export needs -o: the {} to write", writer.output);
  }
  return writer;
}

}  // namespace

bool writes_folder(const Ask& o) {
  return (o.format == "axi" && o.output.ends_with('/')) ||
         std::ranges::any_of(kWriters, [&](const Writer& w) {
           return w.format.name == o.format && w.output == std::string_view("folder");
         });
}

std::vector<ExportFormat> export_formats() {
  std::vector<ExportFormat> all;
  for (const Writer& w : kWriters) all.push_back(w.format);
  return all;
}

namespace {

int export_job(const Ask& ask, const Writer& writer) {
  const std::vector<JobProgram> job = job_of(ask);
  Progress progress;
  progress.stage("planning the programs");
  const std::vector<SuiteResult> plans = plan_job(job);
  for (std::size_t k = 0; k < job.size(); ++k) {
    const Facts& facts = plans[k].facts;
    if (!facts.passed()) refuse("{}: {}", job[k].place, facts.problems.front());
  }
  progress.stage("writing " + ask.output);
  std::optional<NodeCost> cost;
  writer.write({ask, nullptr, programs_of(job, plans), {}, cost});
  progress.hide();
  const Node nodes = plans[0].facts.schedule().topology().nodes();
  if (ask.json) {
    print_json({{"format", ask.format},
                {"output", ask.output},
                {"programs", job.size()},
                {"cost", json_of(*cost, nodes)}});
  } else if (ask.output != kStdout) {
    fmt::print("written to {}\n\n{}", ask.output, to_string(*cost, nodes));
  }
  return 0;
}

/// Those that are planned around each single fault, one of a class.
std::vector<Facts> sets_of(const Ask& ask) {
  std::vector<Facts> all;
  if (!names_each(ask.request.faults)) return all;
  if (ask.request.faults == "each:2links") {
    throw InputError("--faults each:2links: a host looks for single links and nodes: each:single");
  }
  if (!ask.output.ends_with(".h")) {
    refuse("--faults {} goes with a C header: -o must end in .h", ask.request.faults);
  }
  for (const auto& [c, sets] : each_case(ask.request)) {
    const Facts& facts = all.emplace_back(examine(c, make_plan(c)));
    if (!facts.passed()) refuse("{}: {}", c.faults, facts.problems.front());
  }
  return all;
}

}  // namespace

int export_schedule(const Ask& asked, Runner&) {
  const Writer& writer = writer_of(asked);
  if (is_job(asked)) return export_job(asked, writer);
  Ask ask = asked;
  if (names_each(ask.request.faults) && ask.format == "axi") ask.request.faults.clear();
  std::optional<NodeCost> cost;
  const auto write_tables = [&](const Facts& facts, Progress& job) {
    if (!facts.passed()) return;
    const std::vector<Facts> around_each = sets_of(asked);
    job.stage("writing " + ask.output);
    std::vector<Program> sets;
    for (const Facts& around : around_each) sets.push_back(program_of(around));
    writer.write({ask, &facts, {program_of(facts)}, sets, cost});
  };
  Facts facts = carry_out(ask, {.then = write_tables});
  const Node nodes = cost ? facts.schedule().topology().nodes() : 0;
  if (!ask.json) {
    const int status = print(ask, std::move(facts), ask.output);
    if (cost && ask.output != kStdout) fmt::print("\n{}", to_string(*cost, nodes));
    return status;
  }
  nlohmann::ordered_json json = to_json(facts, /*measured=*/false);
  json["format"] = ask.format;
  json["output"] = ask.output;
  if (cost) json["cost"] = json_of(*cost, nodes);
  print_json(json);
  return exit_status(facts);
}

}  // namespace gossamer::cli
