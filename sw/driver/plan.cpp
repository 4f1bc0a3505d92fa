#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "bounds/bounds.hpp"
#include "bounds/claims.hpp"
#include "driver/case.hpp"
#include "driver/rank.hpp"
#include "driver/report.hpp"
#include "driver/suite.hpp"
#include "gossamer_constants.hpp"
#include "schedule/chunks.hpp"
#include "schedule/jsonl.hpp"
#include "schedule/remains.hpp"
#include "support/job.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"
#include "tables/compiler.hpp"
#include "tables/timing.hpp"
#include "topology/topology.hpp"

namespace gossamer {
namespace {

bool may_mean(const Case& c, const Serves& served) {
  return c.collective.value_or(served.collective) == served.collective &&
         c.ports.value_or(served.ports) == served.ports &&
         c.duplex.value_or(served.duplex) == served.duplex;
}

void set(Request& request, const Serves& served) {
  request.collective = served.collective;
  request.ports = served.ports;
  request.duplex = served.duplex;
}

/// Completes the request with the first model that the algorithm accepts; returns false if it
/// accepts none.
bool fill_in(const Case& c, const Algorithm& algorithm, Request& request) {
  for (const Serves& served : algorithm.serves) {
    if (!may_mean(c, served)) continue;
    set(request, served);
    if (!refusal_of(algorithm, request)) return true;
  }
  return false;
}

/// Why the algorithm serves no request that the case may mean. The most helpful reason is the one
/// for the model that the algorithm is made for.
std::string refusal(const Case& c, const Algorithm& algorithm, Request meant) {
  const auto served =
      std::ranges::find_if(algorithm.serves, [&](const Serves& s) { return may_mean(c, s); });
  const Serves& like = served != algorithm.serves.end() ? *served : algorithm.serves.front();
  set(meant, {c.collective.value_or(like.collective), c.ports.value_or(like.ports),
              c.duplex.value_or(like.duplex)});
  check_meaning(c, meant, &algorithm);
  return refused_by(algorithm, meant, ports_of(c));
}

Plan plan_new(const Case& c, PlannedTo what) {
  if (c.topology.empty()) {
    throw InputError("nothing to plan: give a topology (such as torus:4x4) or a schedule file");
  }
  Request request = default_request(c);
  const Algorithm* const named = c.algorithm.empty() ? nullptr : &algorithm(c.algorithm);
  if (named != nullptr && !fill_in(c, *named, request)) {
    throw InputError(refusal(c, *named, request));
  }
  check_meaning(c, request, named);
  if (what == PlannedTo::Run) {
    const Topology& topology = request.whole_topology();
    refuse_unrunnable(topology, request.collective, c.flits_given ? c.flits : 1);
  }
  return plan_with_best(c, request, named);
}

Plan read_plan(const Case& c) {
  std::vector<std::string_view> given;
  bool says_more = false;
  for (const CaseField& field : case_fields()) {
    if (!field.plans) continue;
    given.push_back(field.name);
    says_more = says_more || !field.text(c).empty();
  }
  if (says_more) {
    refuse("{}: the schedule file already gives these: leave out {}", c.file,
           fmt::join(given, ", "));
  }
  Plan plan{read_jsonl(c.file), std::nullopt, nullptr};
  if (plan.schedule.tolerance > 0) plan.tolerance = plan.schedule.tolerance;
  if (c.flits_given && !plan.schedule.sizes.equal()) {
    refuse("{}: the schedule says how many flits each message has: leave the flits out", c.file);
  }
  return plan;
}

/// The faults that the case names, for a schedule.
FaultSet faults_of(const Case& c, const Schedule& schedule) {
  std::optional<Node> spared;
  if (has_root(schedule.collective())) {
    spared = schedule.members.several() ? schedule.members.root(0) : schedule.root;
  }
  if (schedule.initiator) spared = schedule.initiator->node;
  return parse_faults(c.faults, schedule.topology(), c.seed, spared);
}

/// Sets the faults, if the case names any and the schedule was not planned around them.
void set_faults(const Case& c, Plan& plan) {
  Schedule& schedule = plan.schedule;
  if (c.faults.empty() || (c.file.empty() && !schedule.faults.empty())) return;
  FaultSet faults = faults_of(c, schedule);
  if (schedule.symmetry().order() > 1) schedule = without_orbits(schedule);
  schedule.faults = std::move(faults);
  if (const auto fault = root_fault(schedule)) throw InputError("faults: " + *fault);
  plan.timed.reset();
}

}  // namespace

Topology topology_of(const Case& c) {
  Topology topology = Topology::parse(c.topology);
  root_of(c, topology);
  return topology;
}

std::optional<Node> root_of(const Case& c, const Topology& topology) {
  if (c.root.empty()) return std::nullopt;
  if (const auto root = topology.node_named(c.root)) return root;
  refuse("root {} is no node of {}; expected 0 to {}{}", c.root, c.topology, topology.nodes() - 1,
         topology.named() ? " or a name" : "");
}

void set_operator(const Case& c, Schedule& schedule) {
  if (!c.op) return;
  if (!reduces(schedule.collective())) {
    refuse(
        "operator {} means nothing in a {}: leave it out, or name a reduction: reduce, "
        "reduce-scatter or all-reduce",
        to_string(*c.op), to_string(schedule.collective()));
  }
  schedule.op = *c.op;
}

std::vector<PortModel> ports_of(const Case& c) {
  if (c.ports) return {*c.ports};
  return {PortModel::Single, PortModel::All};
}

namespace {

/// Of a request for a whole topology: it becomes one for what the faults leave of it. Those that
/// begin later, or of which only the number is known, are for schedules that adapt themselves.
void set_faults(const Case& c, Request& request) {
  if (c.faults.empty()) return;
  Schedule whole = empty_schedule(request, {});
  whole.root = request.root;
  whole.faults = faults_of(c, whole);
  request.tolerant = request.tolerant || whole.faults.from_round > 1;
  const bool named = !c.algorithm.empty() && algorithm(c.algorithm).tolerates != nullptr;
  if (whole.faults.empty() || request.tolerant || named) return;
  if (!c.root.empty() && whole.faults.dead(whole.root)) {
    throw InputError(fmt::format("faults: node {} is the root; it must be healthy", c.root));
  }
  if (!c.root.empty() && !whole.members.has(whole.root)) return;  // which is refused
  if (c.root.empty() && whole.members.all()) {
    while (whole.faults.dead(whole.root)) ++whole.root;
  }
  take_out_dead(whole);
  std::vector<Node> nodes;
  const Schedule left = remains_of(whole, &nodes);
  request.topology = left.topology();
  request.members = left.members;
  request.sizes = left.sizes;
  request.root = left.root;
  for (Node& x : request.cycle) {
    x = static_cast<Node>(std::ranges::lower_bound(nodes, x) - nodes.begin());
  }
  request.whole = std::make_shared<const Whole>(Whole{std::move(whole), std::move(nodes)});
}

}  // namespace

Request default_request(const Case& c) {
  const Topology topology = topology_of(c);
  if (!c.sizes.empty() && c.flits_given) {
    throw InputError("the sizes say how many flits each message has: leave the flits out");
  }
  Members members = parse_members(c.members, topology);
  Request request{
      .topology = topology,
      .collective = c.collective.value_or(Collective::Gossip),
      .ports = c.ports.value_or(PortModel::Single),
      .duplex = c.duplex.value_or(Duplex::Full),
      .root = root_of(c, topology).value_or(members.first()),
      .cycle = c.cycle,
      .tolerant = c.tolerance.has_value(),
      .tolerance = c.tolerance,
      .seconds = c.seconds,
      .seed = c.seed,
      .flits = c.flits,
      .hop = rtl::TIME_DELTA + c.stages.most_on(topology) + (c.joins ? rtl::TIME_JOIN : 0),
      .pieces = c.pieces,
      .fewest_rounds = c.best == Best::Rounds,
      .members = std::move(members),
      .sizes = read_sizes(c.sizes, topology.nodes()),
      .joins = c.joins};
  set_faults(c, request);
  if (!request.sizes.equal()) request.flits = request.sizes.most();
  return request;
}

void refuse_meaningless_root(const Case& c, Collective collective, const std::string& by) {
  if (c.root.empty() || has_root(collective)) return;
  refuse(
      "root {} means nothing in a {}{}: leave it out, or name a collective that has one: "
      "broadcast, scatter, gather, reduce or all-reduce",
      c.root, to_string(collective), by);
}

void check_meaning(const Case& c, const Request& request, const Algorithm* named) {
  if (!c.root.empty() && request.members.several()) {
    throw InputError(
        "each of several groups has the node that it names first as its root: leave "
        "the root out");
  }
  if (has_root(request.collective) && !request.members.several() &&
      !request.members.has(request.root)) {
    refuse("the root {} is no member: name it among the members, or another root", request.root);
  }
  if (request.pieces.value_or(1) > request.flits) {
    refuse("pieces: messages of {} flit{}{} cannot be cut into {}; expected {} at most",
           request.flits, request.flits == 1 ? "" : "s", request.sizes.equal() ? "" : " at most",
           *request.pieces, request.flits);
  }
  if (const auto why = why_no_sizes(empty_schedule(request, {}), request.sizes)) {
    refuse("sizes: {}: {}", c.sizes, *why);
  }
  if (named != nullptr && named->has_initiator) return;
  refuse_meaningless_root(c, request.collective, named == nullptr ? "" : " by " + named->name);
}

unsigned flits_of(const Case& c, const Schedule& schedule) {
  if (!schedule.sizes.equal()) return schedule.sizes.most();
  const auto& planned = schedule.planned_for;
  if (!c.flits_given && planned && planned->flits > 0) return planned->flits;
  if (c.flits_given) return c.flits;
  if (schedule.model().switching != Switching::Pipelined) {
    return std::max(c.flits, schedule.pieces());
  }
  const PieceFlits cut{c.flits, schedule.pieces()};
  const std::uint32_t hop = rtl::TIME_DELTA + c.stages.most_on(schedule.topology());
  return cut.of(0) > most_flits(schedule.model(), hop) ? schedule.pieces() : c.flits;
}

namespace {

/// The same for the register stages of its links.
LinkStages stages_of(const Case& c, const Schedule& schedule) {
  const bool planned = c.stages.numbers().empty() && schedule.planned_for;
  return planned ? LinkStages(schedule.planned_for->stages) : c.stages;
}

}  // namespace

Plan make_plan(const Case& c, PlannedTo what) {
  Plan plan = c.file.empty() ? plan_new(c, what) : read_plan(c);
  const Schedule& schedule = plan.schedule;
  const unsigned flits = flits_of(c, schedule);
  if (c.file.empty()) {
    plan.schedule.planned_for = PlannedFor{schedule.sizes.equal() ? flits : 0, c.stages.numbers()};
  }
  refuse_flits(schedule, flits, stages_of(c, schedule).on(schedule));
  plan.schedule.nodes.join = c.joins;
  set_operator(c, plan.schedule);
  set_faults(c, plan);
  return plan;
}

std::vector<std::pair<Case, std::uint64_t>> each_case(const Case& c) {
  if (!names_each(c.faults)) return {{c, 1}};
  const Collective collective = c.collective.value_or(Collective::Gossip);
  const bool rooted = has_root(collective) && collective != Collective::AllReduce;
  const bool alike = !rooted && c.root.empty() && c.members.empty() && c.sizes.empty();
  std::vector<std::pair<Case, std::uint64_t>> all;
  for (const FaultClass& one : each_fault(c.faults, topology_of(c), alike)) {
    all.emplace_back(c, one.sets);
    Case& last = all.back().first;
    last.faults = to_string(one.faults);
    for (const char letter : "-" + last.faults) {
      last.name += std::string_view("=;,>").find(letter) == std::string_view::npos ? letter : '-';
    }
  }
  return all;
}

std::uint64_t whole_cycles(Case c) {
  c.faults.clear();
  const Plan plan = make_plan(c);
  if (plan.timed) return plan.timed->time.last_arrival;
  const Schedule& s = plan.schedule;
  return timed(s, flits_of(c, s), stages_of(c, s).on(s))->time.last_arrival;
}

namespace {

/// Broken rules that are reported of a schedule.
constexpr std::size_t kMostFaults = 20;

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
  // What is lost takes no cycles, and crosses no link.
  const bool whole = run.problems.empty() && !facts.schedule().works_out();
  if (whole) {
    compare(run.cycles_measured, "cycles measured", facts.cycles_predicted().value_or(0),
            "predicted");
  }
  const CheckReport& check = facts.check;
  // Broken rules: the counts mean nothing. An adaptive schedule that keeps them may miss messages.
  if (!check.ok() && check.missing.empty()) return;
  compare(run.expected, "pairs of a node and a message expected on the hardware", check.expected,
          "by the checker");
  if (run.problems.empty()) {
    compare(run.delivered, "pairs delivered on the hardware", check.delivered, "by the checker");
  }
  if (whole) {
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
  if (const auto tolerance = facts.plan->tolerance; tolerance && facts.adaptive()) {
    facts.bound = std::max(
        facts.bound, fault_tolerant_bound(schedule.topology(), *tolerance, schedule.model().ports),
        [](const Bound& a, const Bound& b) { return a.value < b.value; });
  }
  // Of what uses dead links nobody knows how many rounds are enough.
  if (facts.problems.empty() && (left || !facts.around_dead())) judge_rounds(facts);
  facts.why_not = why_not(schedule);
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
  static_cast<RunTerms&>(options) = facts.request;
  options.timed = facts.timed;
  return options;
}

void measure(Facts& facts, Runner& runner, const RunOptions& options) {
  if (facts.why_not) throw InputError(*facts.why_not);
  judge_run(facts, runner.run(facts.schedule(), run_options(facts, options)));
}

void judge_run(Facts& facts, RunResult run) {
  facts.run = std::move(run);
  for (const std::string& problem : facts.run->problems) facts.problems.push_back(problem);
  if (facts.run->interrupted) {
    facts.interrupted_in = "running";
  } else {
    judge_numbers(facts);
  }
}

}  // namespace gossamer
