#include <fmt/format.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/case_work.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "import/import.hpp"
#include "page/page.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/job.hpp"

namespace gossamer::cli {

int plan(const Options& options) {
  if (options.orbits && options.output.empty()) throw InputError("--orbits needs -o");
  Report report =
      carry_out(options, case_of(options), {.then = [&](auto& planned, auto& plan, Step& step) {
                  write_schedule(options, planned, plan, step);
                }});
  return print(options, std::move(report), options.output);
}

int check_file(const Options& options) {
  const Case c = case_of(options);
  return print(options, carry_out(options, c, {.making = "reading " + c.file}), /*output=*/"");
}

int import_schedule(const Options& options) {
  const Case c = case_of(options);
  if (c.topology.empty()) throw InputError("import needs --topology: the file does not say it");
  if (options.output.empty()) throw InputError("import needs -o: the schedule file to write");
  const Topology topology = topology_of(c);
  const Model model{c.ports.value_or(PortModel::All), c.duplex.value_or(Duplex::Full),
                    Switching::Packet, options.combining};
  Case asked = c;
  asked.file.clear();
  const auto read = [&] {
    Plan plan{import_schedule(read_file(options.file), options.file, topology,
                              {model, c.collective, root_of(c, topology)}),
              std::nullopt, nullptr};
    refuse_meaningless_root(c, plan.schedule.collective());
    set_operator(c, plan.schedule);
    if (c.flits_given) plan.schedule.planned_for = PlannedFor{c.flits, {}};
    return plan;
  };
  const auto write = [&](auto& report, auto& plan, Step& step) {
    write_schedule(options, report, plan, step);
  };
  Report report =
      carry_out(options, asked, {.make = read, .making = "reading " + options.file, .then = write});
  return print(options, std::move(report), options.output);
}

namespace {

struct PictureFile {
  Picture picture;
  std::string file;
};

std::vector<PictureFile> picture_files(const Options& options) {
  std::vector<PictureFile> files;
  for (const std::string& text : options.pictures) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) {
      throw InputError(fmt::format("--svg: '{}' names no file: space-time=FILE.svg", text));
    }
    files.push_back({parse_picture(text.substr(0, equals)), text.substr(equals + 1)});
    require_extension("--svg", files.back().file, ".svg");
  }
  return files;
}

}  // namespace

int report(const Options& options) {
  const Case c = case_of(options);
  const std::vector<PictureFile> pictures = picture_files(options);
  if (options.report.empty() && pictures.empty()) {
    throw InputError("report needs a file to write: -o FILE.html, or --svg");
  }
  require_extension("-o", options.report, ".html");
  const auto draw = [&](const Report& report, const Plan& plan, Step& step) {
    step.begin("drawing");
    if (!options.report.empty()) {
      write_file(options.report, case_page(report, plan, options.program, options.command));
    }
    for (const auto& [picture, file] : pictures) {
      write_file(file, picture_svg(picture, report, plan));
    }
  };
  const Report report = carry_out(options, c, {.then = draw});
  print_report(report, Paint());
  if (report.interrupted()) return exit_status(report);
  if (!options.report.empty()) fmt::print("report: {}\n", options.report);
  for (const auto& [picture, file] : pictures) fmt::print("picture: {}\n", file);
  return exit_status(report);
}

namespace {

/// Shows the cycles simulated, once the fabric is loaded.
class CycleProgress {
 public:
  CycleProgress(Progress& progress, Node nodes) : progress_(progress), nodes_(nodes) {}
  void operator()(std::uint64_t done, std::uint64_t predicted) {
    if (!begun_) progress_.stage("cycles");
    begun_ = true;
    progress_.at(done, predicted, nodes_);
  }

 private:
  Progress& progress_;
  Node nodes_;
  bool begun_ = false;
};

}  // namespace

int run(const Options& options, Runner& runner) {
  const Case c = case_of(options);
  check_trace_file(options, c.engine);
  require_extension("--report", options.report, ".html");
  suite_options_of(options);  // report bad options before any work
  Outputs outputs;
  bool drawn = false;
  const auto run_and_draw = [&](Report& report, const Plan& plan, Step& step) {
    if (report.passed() || report.beyond_tolerance() || options.no_check) {
      RunOptions run = run_options_of(options, c, plan.schedule, report.timed.get());
      run.stage = [&](const std::string& text) { step.begin(text); };
      run.progress = CycleProgress(step.progress(), report.nodes);
      measure(report, plan, runner, run);
    }
    if (options.report.empty()) return;
    step.begin("writing " + options.report);
    std::atomic<int> nothing{0};
    std::optional<Hears> all_of_it;
    if (report.interrupted()) all_of_it.emplace(&nothing);  // what is known is written
    drawn = outputs.write([&] {
      write_file(options.report, case_page(report, plan, options.program, options.command));
    });
  };
  Report report = carry_out(options, c,
                                  {.make = [&] { return make_plan(c, PlannedTo::Run); },
                                   .ignore_faults = options.no_check,
                                   .then = run_and_draw});
  if (options.json) {
    const int status = print_object(std::move(report), /*measured=*/true);
    outputs.end();
    return status;
  }
  print_report(report, Paint());
  if (drawn) fmt::print("report: {}\n", options.report);
  if (report.run && !options.trace.empty()) {
    print_waveform(options.trace);
  } else if (report.run && !report.passed() && !report.interrupted()) {
    fmt::print("rerun: {}\n", rerun_command(report, options.program));
  }
  outputs.end();
  return exit_status(report);
}

}  // namespace gossamer::cli
