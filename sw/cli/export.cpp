#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/progress.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "export/axi.hpp"
#include "export/goal.hpp"
#include "export/mem.hpp"
#include "export/msccl.hpp"
#include "export/rtl.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/nearest_name.hpp"

namespace gossamer::cli {
namespace {

constexpr std::array<std::string_view, 5> kFormats = {"goal", "msccl-xml", "mem", "axi", "rtl"};
/// A flit is a word of 32 bits.
constexpr std::uint64_t kBytesPerFlit = 4;

void check_options(const Options& o) {
  if (o.format.empty()) throw InputError("export needs --format: goal, msccl-xml, mem, axi or rtl");
  if (std::find(kFormats.begin(), kFormats.end(), o.format) == kFormats.end()) {
    throw InputError(
        fmt::format("--format: unknown format '{}': {}", o.format, suggestion(o.format, kFormats)));
  }
  if (o.format != "mem" && (o.one_cycle || o.in_order)) {
    throw InputError(fmt::format("{} goes with --format mem, not {}",
                                 o.one_cycle ? "--one-cycle" : "--in-order", o.format));
  }
  if (o.output.empty()) {
    throw InputError(fmt::format("export needs -o: the {} to write",
                                 o.format == "mem" || o.format == "rtl" ? "folder" : "file"));
  }
}

void write(const Options& o, const Case& c, const Schedule& schedule, const Report& report) {
  if (o.format == "rtl") {
    return export_rtl(schedule, flits_of(c, schedule), c.seed, report.cycles_predicted.value_or(0),
                      o.output);
  }
  if (o.format == "mem") {
    return export_mem(schedule, flits_of(c, schedule), {c.seed, o.one_cycle, o.in_order}, o.output);
  }
  if (o.format == "axi") {
    const std::filesystem::path file = o.output;
    const unsigned flits = flits_of(c, schedule);
    return write_file(o.output, file.extension() == ".h"
                                    ? axi_header(schedule, flits, file.stem().string())
                                    : axi_text(schedule, flits));
  }
  if (o.format == "msccl-xml") return write_file(o.output, msccl_xml(schedule));
  write_file(o.output, goal_text(schedule, kBytesPerFlit * flits_of(c, schedule)));
}

}  // namespace

int export_schedule(const Options& options) {
  check_options(options);
  const Case c = case_of(options);
  std::optional<Progress> progress(std::in_place);
  progress->stage("planning");
  const Plan plan = make_plan(c);
  progress->stage("checking the schedule");
  const Report report = examine(c, plan);
  if (report.passed()) {
    progress->stage("writing " + options.output);
    write(options, c, plan.schedule, report);
  }
  progress.reset();
  if (options.json) {
    nlohmann::ordered_json json = to_json(report, /*measured=*/false);
    json["format"] = options.format;
    json["output"] = options.output;
    print_json(json);
  } else {
    print_report(report, Paint());
    fmt::print("{}\n", report.passed() ? "written to " + options.output : "not written");
  }
  return report.passed() ? 0 : 1;
}

}  // namespace gossamer::cli
