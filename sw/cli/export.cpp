#include "export/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

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
  const Facts& facts;
  const std::vector<OtherSchedule>& also;
  const std::vector<OtherSchedule>& sets;  ///< planned around each fault
  const Schedule& schedule = facts.schedule();
  unsigned flits = facts.request.flits;
  std::uint32_t seed = facts.request.seed;

  PortStages stages() const { return facts.request.stages.on(schedule); }
};

void write_goal(const Export& e) { write_file(e.ask.output, goal_text(e.schedule, e.flits)); }

void write_msccl(const Export& e) { write_file(e.ask.output, msccl_xml(e.schedule)); }

void write_mem(const Export& e) {
  export_mem(e.schedule, e.flits, {e.seed, e.ask.one_cycle, e.ask.in_order, e.stages(), e.ask.part},
             e.ask.output, e.also);
  const std::string folder = std::filesystem::absolute(e.ask.output).string();
  if (std::ranges::any_of(folder, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
    print_error(
        fmt::format("{} is not ASCII: Icarus Verilog does not read images from there "
                    "(Verilator does)",
                    folder));
  }
}

void write_axi(const Export& e) {
  const std::filesystem::path file = e.ask.output;
  const std::string name = file.stem().string();
  write_file(file.string(), file.extension() == ".h"
                                ? axi_header(e.schedule, e.flits, name, e.stages(), e.also, e.sets)
                            : file.extension() == ".v"
                                ? axi_wrapper(e.schedule, e.flits, name, e.stages(), e.also)
                                : axi_text(e.schedule, e.flits, e.stages(), e.also));
}

void write_rtl(const Export& e) {
  export_rtl(e.schedule, e.flits, e.seed, e.facts.cycles_predicted().value_or(0), e.ask.output,
             e.stages());
}

void write_gtkw(const Export& e) {
  export_gtkw(e.schedule, e.flits, e.seed, e.ask.scope, e.ask.output, e.stages());
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
  const auto found =
      std::ranges::find(kWriters, o.format, [](const Writer& w) { return w.format.name; });
  if (found == kWriters.end()) {
    refuse("--format: unknown format '{}': {}", o.format, suggestion(o.format, names()));
  }
  refuse_unless(o, o.one_cycle, "--one-cycle", {"mem"});
  refuse_unless(o, o.in_order, "--in-order", {"mem"});
  refuse_unless(o, !o.part.empty(), "--part", {"mem"});
  refuse_unless(o, !o.scope.empty(), "--scope", {"gtkw"});
  refuse_unless(o, !o.also.empty(), "--also", {"mem", "axi"});
  if (o.format == "gtkw" && o.scope.empty()) {
    throw InputError(
        "--format gtkw needs --scope: the fabric's name in the waveform, such as "
        "my_testbench.i_fabric");
  }
  if (o.output.empty()) {
    refuse("export needs -o: the {} to write", found->output);
  }
  return *found;
}

}  // namespace

bool writes_folder(std::string_view format) {
  return std::ranges::any_of(kWriters, [&](const Writer& w) {
    return w.format.name == format && w.output == std::string_view("folder");
  });
}

std::vector<ExportFormat> export_formats() {
  std::vector<ExportFormat> all;
  for (const Writer& w : kWriters) all.push_back(w.format);
  return all;
}

namespace {

OtherSchedule as_other(const Case& c, const std::string& what) {
  Facts facts = examine(c, make_plan(c));
  if (!facts.passed()) refuse("{}: {}", what, facts.problems.front());
  PortStages stages = facts.request.stages.on(facts.schedule());
  return {std::move(facts.plan->schedule), facts.request.flits, std::move(stages)};
}

/// The other schedules that the nodes must hold, with the flits and link stages that are asked for,
/// or else their own. Throws InputError for one that is no schedule.
std::vector<OtherSchedule> also(const Ask& ask) {
  std::vector<OtherSchedule> all;
  for (const std::string& file : ask.also) {
    Case c;
    c.file = file;
    c.flits = ask.request.flits;
    c.flits_given = ask.request.flits_given;
    c.stages = ask.request.stages;
    all.push_back(as_other(c, file));
  }
  return all;
}

/// Those that are planned around each single fault, one of a class.
std::vector<OtherSchedule> sets_of(const Ask& ask) {
  std::vector<OtherSchedule> all;
  if (!names_each(ask.request.faults)) return all;
  if (ask.request.faults == "each:2links") {
    throw InputError("--faults each:2links: a host looks for single links and nodes: each:single");
  }
  if (!ask.output.ends_with(".h")) {
    refuse("--faults {} goes with a C header: -o must end in .h", ask.request.faults);
  }
  for (const auto& [c, sets] : each_case(ask.request)) all.push_back(as_other(c, c.faults));
  return all;
}

}  // namespace

int export_schedule(const Ask& asked, Runner&) {
  const Writer& writer = writer_of(asked);
  Ask ask = asked;
  if (names_each(ask.request.faults) && ask.format == "axi") ask.request.faults.clear();
  const auto write_tables = [&](const Facts& facts, Progress& job) {
    const std::vector<OtherSchedule> others = also(ask);
    if (!facts.passed()) return;
    const std::vector<OtherSchedule> sets = sets_of(asked);
    job.stage("writing " + ask.output);
    writer.write({ask, facts, others, sets});
  };
  Facts facts = carry_out(ask, {.then = write_tables});
  if (!ask.json) return print(ask, std::move(facts), ask.output);
  nlohmann::ordered_json json = to_json(facts, /*measured=*/false);
  json["format"] = ask.format;
  json["output"] = ask.output;
  print_json(json);
  return exit_status(facts);
}

}  // namespace gossamer::cli
