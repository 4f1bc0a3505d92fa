#include "driver/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bounds/bounds.hpp"
#include "bounds/claims.hpp"
#include "driver/case.hpp"
#include "schedule/chunks.hpp"
#include "schedule/remains.hpp"
#include "schedule/schedule.hpp"
#include "support/error.hpp"
#include "tables/compiler.hpp"
#include "tables/timing.hpp"

namespace gossamer {
namespace {

/// Broken rules that are reported of a schedule.
constexpr std::size_t kMostFaults = 20;

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

void judge_rounds(Facts& facts) {
  const std::uint32_t rounds = facts.check.rounds;
  const auto& formula = facts.plan->formula;
  if (formula && rounds != formula->rounds) {
    facts.problems.push_back(fmt::format("{} rounds, but the formula {} gives {}", rounds,
                                         formula->text, formula->rounds));
  }
  if (rounds < facts.bound.value) {
    facts.problems.push_back(fmt::format("{} rounds are below the lower bound {} ({})", rounds,
                                         facts.bound.value, facts.bound.source));
  }
}

void judge_cycles(Facts& facts) {
  const auto& bound = facts.cycles_bound;
  if (!bound || *facts.cycles_predicted() >= bound->value) return;
  facts.problems.push_back(fmt::format("{} cycles predicted are below the lower bound {} ({})",
                                       *facts.cycles_predicted(), bound->value, bound->source));
}

/// Words that stores hold at least if so much was delivered: of unequal messages the shortest ones.
std::uint64_t least_words(const Facts& facts) {
  const std::uint64_t delivered = facts.run->delivered;
  return delivered * (facts.schedule().sizes.equal() ? facts.request.flits : 1);
}

/// Checks that a run has measured what makes it valid, and that the hardware's counts equal the
/// checker's, which come from the schedule without tables or a timing model.
void judge_numbers(Facts& facts) {
  const RunResult& run = *facts.run;
  const auto compare = [&](std::uint64_t measured, const char* what, std::uint64_t should,
                           const char* says) {
    if (measured == should) return;
    facts.problems.push_back(fmt::format("{} {}, {} {}", measured, what, should, says));
  };
  if (run.problems.empty()) {
    compare(run.cycles_measured, "cycles measured", facts.cycles_predicted().value_or(0),
            "predicted");
  }
  const CheckReport& check = facts.check;
  // Broken rules: the counts mean nothing. An adaptive schedule that keeps them may miss messages.
  if (!check.ok() && (!facts.adaptive() || check.missing.empty())) return;
  compare(run.expected, "pairs of a node and a message expected on the hardware", check.expected,
          "by the checker");
  if (run.problems.empty()) {
    compare(run.delivered, "pairs delivered on the hardware", check.delivered, "by the checker");
    compare(run.flits_moved, "flits stood on links", check.flits_sent,
            "by the checker's count of transmissions");
  }
  if (run.words_checked < least_words(facts)) {
    facts.problems.push_back(fmt::format("{} words compared, too few for {} delivered messages",
                                         run.words_checked, run.delivered));
  }
}

}  // namespace

Facts examine(Case c, Plan plan, bool ignore_faults) {
  Facts facts{std::move(c), std::move(plan)};
  const Schedule& schedule = facts.schedule();
  const PortModel ports = ports_asked(facts.request, *facts.plan);
  // Of messages that an algorithm has cut as it likes, the request allows others.
  const bool cut = facts.plan->algorithm == nullptr || facts.request.pieces;
  const unsigned flits = flits_of(facts.request, schedule);
  facts.request.stages = stages_of(facts.request, schedule);
  refuse_flits(schedule, flits, facts.request.stages.on(schedule));
  facts.request.flits = flits;
  facts.check = check(schedule, kMostFaults, OriginSets::Automatic, flits);
  facts.check_ignored = ignore_faults;
  for (const BrokenRule& fault : facts.check.faults) {
    if (!ignore_faults) facts.problems.push_back(to_string(fault));
  }
  std::optional<Schedule> left;
  if (facts.around_dead() && facts.check.ok()) left = remains_of(schedule);
  const Schedule& asked = left ? *left : schedule;
  facts.bound = bound_of_rounds(asked, cut ? schedule.pieces() : 1,
                                std::ranges::any_of(schedule.transfers(), &Transfer::tree));
  if (!left) facts.average_status = average_status_of(schedule.topology());
  if (const auto tolerance = facts.plan->tolerance) {
    facts.bound = std::max(
        facts.bound, fault_tolerant_bound(schedule.topology(), *tolerance, schedule.model().ports),
        [](const Bound& a, const Bound& b) { return a.value < b.value; });
  }
  if (facts.problems.empty()) judge_rounds(facts);
  facts.why_not = why_not_runnable(schedule);
  if (facts.why_not) return facts;
  const LinkStages& stages = facts.request.stages;
  if (schedule.faults.empty() || left) {
    facts.cycles_bound =
        bound_of_cycles(asked, ports, flits, stages.on(schedule.topology(), Switching::Packet));
  }
  const PortStages links = stages.on(schedule);
  facts.timed = facts.plan->timed;
  const bool known =
      facts.timed && facts.timed->flits == flits && facts.timed->time.stages == links;
  if (!known) facts.timed = timed(schedule, flits, links);
  if (facts.problems.empty()) judge_cycles(facts);
  return facts;
}

RunOptions run_options(const Facts& facts, RunOptions options) {
  const Case& c = facts.request;
  options.flits = c.flits;
  options.engine = c.engine;
  options.seed = c.seed;
  options.symmetric = c.symmetric;
  options.stages = c.stages;
  options.timed = facts.timed;
  return options;
}

void measure(Facts& facts, Runner& runner, const RunOptions& options) {
  if (facts.why_not) throw InputError(*facts.why_not);
  facts.run = runner.run(facts.schedule(), run_options(facts, options));
  for (const std::string& problem : facts.run->problems) facts.problems.push_back(problem);
  if (facts.run->interrupted) {
    facts.interrupted_in = "running";
  } else {
    judge_numbers(facts);
  }
}

std::optional<std::uint64_t> Facts::cycles_predicted() const {
  return timed ? std::optional(timed->time.last_arrival) : std::nullopt;
}

std::optional<double> Facts::ratio_to_bound() const {
  if (!cycles_bound || !timed) return std::nullopt;
  return static_cast<double>(timed->time.last_arrival) / static_cast<double>(cycles_bound->value);
}

bool Facts::adaptive() const { return gossamer::adaptive(schedule()); }
bool Facts::around_dead() const { return !schedule().faults.empty() && !adaptive(); }
std::uint64_t Facts::offered() const { return timed ? timed->offers->length_sum() : 0; }

std::optional<std::uint32_t> Facts::slots() const {
  const Schedule& s = schedule();
  if (s.model().switching != Switching::Pipelined || s.transfers().empty()) return std::nullopt;
  return check.rounds + 1 - s.transfers().front().round;
}

const char* Facts::verdict() const {
  if (interrupted()) return "interrupted";
  if (!error.empty()) return "error";
  return passed() ? "pass" : "fail";
}

bool Facts::beyond_tolerance() const {
  return problems.size() == 1 && !check.missing.empty() && !run && adaptive();
}

}  // namespace gossamer
