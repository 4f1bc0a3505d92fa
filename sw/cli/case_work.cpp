#include "cli/case_work.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/text.hpp"
#include "driver/values.hpp"
#include "schedule/jsonl.hpp"
#include "support/file.hpp"
#include "support/interrupt.hpp"

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

Report carry_out(const Options& options, const Case& c, const CaseWork& work) {
  Step step;
  try {
    step.begin(work.making);
    const Plan plan = work.make ? work.make() : make_plan(c);
    step.begin("checking the schedule");
    Report report = examine(c, plan, work.ignore_faults);
    if (!options.loads.empty()) {
      step.begin("writing " + options.loads);
      report.loads = link_loads(plan.schedule, report.check, report.request.flits);
      write_file(options.loads, loads_csv(*report.loads));
    }
    if (work.then) work.then(report, plan, step);
    return report;
  } catch (const Interrupted&) {
    return interrupted_report(c, step.text());
  }
}

void write_schedule(const Options& options, const Report& report, const Plan& plan, Step& step) {
  if (!report.passed() || options.output.empty()) return;
  step.begin("writing " + options.output);
  write_jsonl(plan.schedule, options.output, options.orbits ? Orbits::Kept : Orbits::Expanded);
}

namespace {

/// The papers' cost of a schedule, on a machine that is not this one.
struct Weighed {
  double alpha = 1, delta = 1, tau = 1;
  double time = 0;
};

/// Nothing if the machine is this one, or nothing is known of the schedule.
std::optional<Weighed> weighed(const Options& o, const Report& r) {
  if (r.interrupted() || (o.alpha.empty() && o.delta.empty() && o.tau.empty())) return std::nullopt;
  const auto given = [](const char* option, const std::string& text) {
    return text.empty() ? 1 : cost(option, text);
  };
  Weighed w{given("--alpha", o.alpha), given("--delta", o.delta), given("--tau", o.tau)};
  const auto real = [](std::uint64_t n) { return static_cast<double>(n); };
  const std::uint64_t flits = PieceFlits{r.request.flits, r.pieces}.of(0);
  w.time = real(r.check.rounds) * w.alpha + real(r.check.delta_sum) * w.delta +
           real(r.check.tau_sum) * real(flits) * w.tau;
  return w;
}

}  // namespace

int print(const Options& options, const Report& report, const std::string& output) {
  const auto machine = weighed(options, report);
  if (options.json) {
    auto json = to_json(report, /*measured=*/false);
    if (machine) {
      json["weighed"] = {{"alpha", machine->alpha},
                         {"delta", machine->delta},
                         {"tau", machine->tau},
                         {"time", machine->time}};
    }
    print_json(json);
  } else {
    print_report(report, Paint());
    if (machine) {
      fmt::print(
          "time with alpha {}, delta {}, tau {}: {} (rounds*alpha + delta_sum*delta + "
          "tau_sum*{}*tau)\n",
          machine->alpha, machine->delta, machine->tau, machine->time,
          PieceFlits{report.request.flits, report.pieces}.of(0));
    }
    if (!output.empty()) {
      fmt::print("{}\n", report.passed() ? "written to " + output : "not written");
    }
  }
  return exit_status(report);
}

}  // namespace gossamer::cli
