#include <fmt/format.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "import/import.hpp"
#include "page/page.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/job.hpp"

namespace gossamer::cli {

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

int plan(const Ask& ask, Runner&) {
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
  return print(
      ask,
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
      throw InputError(fmt::format("--svg: '{}' names no file: space-time=FILE.svg", text));
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

int run(const Ask& ask, Runner& runner) {
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
    std::atomic<int> nothing{0};
    std::optional<Hears> all_of_it;
    if (facts.interrupted()) all_of_it.emplace(&nothing);  // what is known is written
    drawn = outputs.write([&] {
      write_file(ask.report, case_page(facts, ask.program, ask.command));
    });
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

}  // namespace gossamer::cli
