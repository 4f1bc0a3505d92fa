#include "driver/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bounds/bounds.hpp"
#include "bounds/claims.hpp"
#include "driver/case_fields.hpp"
#include "schedule/chunks.hpp"
#include "support/error.hpp"
#include "support/words.hpp"
#include "tables/compiler.hpp"
#include "tables/timing.hpp"

namespace gossamer {
namespace {

/// Broken rules that are reported of a schedule.
constexpr std::size_t kMostFaults = 20;
/// Cycles shown before and after the first difference.
constexpr std::uint64_t kWindow = 20;

/// Why a transfer cannot be written into tables: its round or its link does not exist, an adaptive
/// one has several links, or there are too many rounds. Nothing if all can.
std::optional<std::string> why_not_runnable(const Schedule& schedule) {
  if (schedule.transfers().empty()) return "the schedule has no transfers: nothing is to be sent";
  if (schedule.rounds() > kMaxRounds) {
    return fmt::format("{} rounds are too many to run; expected {} at most", schedule.rounds(),
                       kMaxRounds);
  }
  const Node nodes = schedule.topology().nodes();
  for (const Transfer& t : schedule.transfers()) {
    const TransferHops hops = schedule.hops(t);
    if (hops.empty()) return to_string(BrokenRule{t.line, t.round, kNoNode, kNoNode, "no path"});
    for (const auto [from, to, before, depth, stored, lane] : hops) {
      if (from < nodes && to < nodes && schedule.topology().port_to(from, to) != kNoPort) continue;
      return to_string(BrokenRule{t.line, t.round, from, to, "there is no such link to run over"});
    }
    if (t.carry == Carry::New && hops.size() > 1) {
      return to_string(BrokenRule{t.line, t.round, hops[0].from, hops[0].to,
                                  "an adaptive node cannot send over several links at once"});
    }
    for (const Message& m : schedule.messages(t)) {
      if (reduces(schedule.collective())
              ? !why_no_chunk(schedule, m)
              : m.origin < nodes && (m.destination < nodes || m.destination == kNoNode))
        continue;
      return to_string(
          BrokenRule{t.line, t.round, hops[0].from, hops[0].to, "there is no such message to run"});
    }
  }
  return std::nullopt;
}

/// Nothing of a graph whose nodes are too many to search from each, or with one-way links.
std::optional<double> average_status_of(const Topology& topology) {
  constexpr Node kMostSearched = 1024;
  const bool small = std::ranges::all_of(
      topology.factors(), [](const Graph& graph) { return graph.nodes <= kMostSearched; });
  if (!small || topology.one_way()) return std::nullopt;
  return bounds::average_status(topology);
}

/// The ports that schedules of the same request may use: all, if the choice was left open.
PortModel ports_asked(const Case& c, const Plan& plan) {
  const bool open = !c.ports && !plan.chosen.empty();
  return open ? PortModel::All : plan.schedule.model().ports;
}

void judge_rounds(Report& report) {
  const std::uint32_t rounds = report.check.rounds;
  if (report.formula && rounds != report.formula->rounds) {
    report.problems.push_back(fmt::format("{} rounds, but the formula {} gives {}", rounds,
                                          report.formula->text, report.formula->rounds));
  }
  if (rounds < report.bound.value) {
    report.problems.push_back(fmt::format("{} rounds are below the lower bound {} ({})", rounds,
                                          report.bound.value, report.bound.source));
  }
}

void judge_cycles(Report& report) {
  if (!report.cycles_bound || *report.cycles_predicted >= report.cycles_bound->value) return;
  report.problems.push_back(fmt::format("{} cycles predicted are below the lower bound {} ({})",
                                        *report.cycles_predicted, report.cycles_bound->value,
                                        report.cycles_bound->source));
}

/// Words that stores hold at least if so much was delivered: of unequal messages the shortest ones.
std::uint64_t least_words(const Report& report) {
  const std::uint64_t delivered = report.run->delivered;
  return delivered * (report.sizes.equal() ? report.request.flits : 1);
}

/// Checks that a run has measured what makes it valid, and that the hardware's counts equal the
/// checker's, which come from the schedule without tables or a timing model.
void judge_numbers(Report& report) {
  const RunResult& run = *report.run;
  const auto compare = [&](std::uint64_t measured, const char* what, std::uint64_t should,
                           const char* says) {
    if (measured == should) return;
    report.problems.push_back(fmt::format("{} {}, {} {}", measured, what, should, says));
  };
  if (run.problems.empty()) {
    compare(run.cycles_measured, "cycles measured", report.cycles_predicted.value_or(0),
            "predicted");
  }
  const CheckReport& check = report.check;
  // Broken rules: the counts mean nothing. An adaptive schedule that keeps them may miss messages.
  if (!check.ok() && (!report.adaptive || check.missing.empty())) return;
  compare(run.expected, "pairs of a node and a message expected on the hardware", check.expected,
          "by the checker");
  if (run.problems.empty()) {
    compare(run.delivered, "pairs delivered on the hardware", check.delivered, "by the checker");
    compare(run.flits_moved, "flits stood on links", check.flits_sent,
            "by the checker's count of transmissions");
  }
  if (run.words_checked < least_words(report)) {
    report.problems.push_back(fmt::format("{} words compared, too few for {} delivered messages",
                                          run.words_checked, run.delivered));
  }
}

}  // namespace

Report examine(const Case& c, const Plan& plan, bool ignore_faults) {
  const Schedule& schedule = plan.schedule;
  Report report;
  report.request = c;
  report.request.flits = flits_of(c, schedule);
  refuse_empty_pieces(schedule.chunk_flits(report.request.flits));
  report.request.stages = stages_of(c, schedule);
  report.topology = schedule.topology().spec();
  report.nodes = schedule.topology().nodes();
  if (schedule.topology().named()) report.names = schedule.topology().factors()[0].names;
  report.collective = schedule.collective();
  report.model = schedule.model();
  report.root = schedule.root;
  report.pieces = schedule.pieces();
  report.members = schedule.members;
  report.sizes = schedule.sizes;
  if (plan.algorithm != nullptr) {
    report.algorithm = plan.algorithm->name;
    report.source = plan.algorithm->source;
  }
  report.chosen = plan.chosen;
  report.runner_up = plan.runner_up;
  report.tolerance = plan.tolerance;
  report.faults = schedule.faults;
  report.initiator = schedule.initiator;
  report.formula = plan.formula;
  report.check = check(schedule, kMostFaults, OriginSets::Automatic, report.request.flits);
  report.adaptive = adaptive(schedule);
  const bool runnable = !why_not_runnable(schedule);
  if (report.model.switching == Switching::Pipelined && !schedule.transfers().empty()) {
    report.slots = report.check.rounds + 1 - schedule.transfers().front().round;
  }
  report.check_ignored = ignore_faults;
  for (const BrokenRule& fault : report.check.faults) {
    if (!ignore_faults) report.problems.push_back(to_string(fault));
  }
  // Of messages that an algorithm has cut as it likes, the request allows others.
  const bool cut = plan.algorithm == nullptr || c.pieces;
  report.bound = bound_of_rounds(schedule, cut ? report.pieces : 1);
  report.average_status = average_status_of(schedule.topology());
  if (report.tolerance) {
    report.bound = std::max(
        report.bound,
        fault_tolerant_bound(schedule.topology(), *report.tolerance, schedule.model().ports),
        [](const Bound& a, const Bound& b) { return a.value < b.value; });
  }
  if (report.problems.empty()) judge_rounds(report);
  if (runnable) {
    const PortStages stages = report.request.stages.on(schedule);
    report.timed = timed(schedule, report.request.flits, stages);
    if (report.adaptive) report.offered = report.timed->offers->length_sum();
    report.cycles_predicted = report.timed->time.last_arrival;
    if (report.faults.empty()) {
      report.cycles_bound =
          bound_of_cycles(schedule, ports_asked(c, plan), report.request.flits,
                          report.request.stages.on(schedule.topology(), Switching::Packet));
      if (report.problems.empty()) judge_cycles(report);
    }
  }
  return report;
}

RunOptions run_options(const Case& c, const Schedule& schedule, RunOptions options) {
  options.flits = flits_of(c, schedule);
  options.engine = c.engine;
  options.seed = c.seed;
  options.symmetric = c.symmetric;
  options.stages = stages_of(c, schedule);
  return options;
}

std::optional<double> ratio_to_bound(const Report& report) {
  if (!report.cycles_bound || !report.cycles_predicted) return std::nullopt;
  return static_cast<double>(*report.cycles_predicted) /
         static_cast<double>(report.cycles_bound->value);
}

void measure(Report& report, const Plan& plan, Runner& runner, const RunOptions& options) {
  if (const auto why = why_not_runnable(plan.schedule)) throw InputError(*why);
  if (!report.faults.empty() && !report.adaptive) {
    throw InputError("faults: only adaptive schedules run with them");
  }
  RunOptions with_times = options;
  with_times.timed = report.timed;
  report.run = runner.run(plan.schedule, with_times);
  for (const std::string& problem : report.run->problems) report.problems.push_back(problem);
  if (report.run->interrupted) {
    report.interrupted_in = "running";
  } else {
    judge_numbers(report);
  }
}

const char* Report::verdict() const {
  if (interrupted()) return "interrupted";
  if (!error.empty()) return "error";
  return passed() ? "pass" : "fail";
}

Report unexamined_report(const Case& c) {
  Report report;
  report.request = c;
  report.topology = c.topology;
  report.algorithm = c.algorithm;
  return report;
}

Report interrupted_report(const Case& c, std::string in) {
  Report report = unexamined_report(c);
  report.interrupted_in = std::move(in);
  return report;
}

std::string flits_text(const Report& r) {
  if (r.sizes.equal()) return fmt::format("{} flits", r.request.flits);
  const auto all = r.sizes.all();
  return fmt::format("{} to {} flits", std::ranges::min(all), std::ranges::max(all));
}

std::string title_of(const Report& r) {
  if (r.nodes == 0) return r.request.file.empty() ? r.topology : r.request.file;
  std::string text = fmt::format("{} on {}", both_names(r.collective), r.topology);
  if (!r.members.all()) text += fmt::format(", members {}", r.members.text());
  if (has_root(r.collective) && !r.members.several()) text += fmt::format(", root {}", r.root);
  if (!r.sizes.equal()) text += fmt::format(", messages of {}", flits_text(r));
  if (r.initiator) text += fmt::format(", initiator {}", r.initiator->node);
  if (!r.algorithm.empty()) {
    text += fmt::format(" by {} ({}{})", r.algorithm, r.source,
                        r.chosen.empty() ? "" : "; " + r.chosen);
  }
  if (!r.request.file.empty()) text += fmt::format(", read from {}", r.request.file);
  return text;
}

std::string run_command_line(const Report& report, const std::string& program) {
  Case c = report.request;
  std::string command = shell_word(program) + " run";
  if (!c.file.empty()) {
    command += " " + shell_file(c.file);
  } else {
    c.topology = report.topology;
    c.collective = report.collective;
    c.algorithm = report.algorithm;
    c.best = Best::Cycles;  // nothing is left to choose
    c.ports = report.model.ports;
    c.duplex = report.model.duplex;
    c.tolerance = report.tolerance;
  }
  c.flits_given = report.sizes.equal();
  command += options_text(c);
  // A schedule that was refused before its run runs only with this.
  const bool refused = !report.run && !report.problems.empty() && !report.beyond_tolerance();
  if (report.check_ignored || refused) command += " --no-check";
  return command;
}

std::string rerun_command(const Report& report, const std::string& program) {
  const Case& c = report.request;
  std::string command = run_command_line(report, program);
  const auto add = [&command](std::string_view option, const std::string& value) {
    command += fmt::format(" {} {}", option, shell_file(value));
  };
  add("--trace", (c.name.empty() ? "fail" : c.name) + std::string(wave_extension(c.engine)));
  if (report.run && report.run->has_difference) {
    const std::uint64_t at = report.run->difference_cycle;
    const std::uint64_t since = std::min(at, report.run->cause_since);
    add("--trace-cycles", fmt::format("{}-{}", since - std::min(since, kWindow), at + kWindow));
  }
  return command;
}

}  // namespace gossamer
