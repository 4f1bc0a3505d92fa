#include "driver/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bounds/bounds.hpp"
#include "driver/case_fields.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"
#include "support/nearest_name.hpp"
#include "support/steps.hpp"
#include "tables/compiler.hpp"

namespace gossamer {
namespace {

/// The ports that the case asks for; if it leaves them open, both.
std::vector<PortModel> ports_of(const Case& c) {
  if (c.ports) return {*c.ports};
  return {PortModel::Single, PortModel::All};
}

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

Request default_request(const Case& c, const Topology& topology) {
  return {.topology = topology,
          .collective = c.collective.value_or(Collective::Gossip),
          .ports = c.ports.value_or(PortModel::Single),
          .duplex = c.duplex.value_or(Duplex::Full),
          .root = c.root.value_or(0),
          .cycle = c.cycle,
          .tolerant = c.tolerance || !c.faults.empty(),
          .tolerance = c.tolerance,
          .seconds = c.seconds,
          .seed = c.seed,
          .flits = c.flits,
          .pieces = c.pieces,
          .members = parse_members(c.members, topology)};
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
std::string refusal(const Case& c, const Algorithm& algorithm, const Topology& topology) {
  Request meant = default_request(c, topology);
  const auto served =
      std::ranges::find_if(algorithm.serves, [&](const Serves& s) { return may_mean(c, s); });
  const Serves& like = served != algorithm.serves.end() ? *served : algorithm.serves.front();
  set(meant, {c.collective.value_or(like.collective), c.ports.value_or(like.ports),
              c.duplex.value_or(like.duplex)});
  const std::string why = refusal_of(algorithm, meant).value_or("refused");
  const std::string other = what_serves(meant, ports_of(c));
  return fmt::format("{} (asked for {} on {}{})", with_name(algorithm, why),
                     to_string(meant.collective), topology.spec(),
                     other.empty() ? "" : fmt::format("; {}", other));
}

/// "one or two": the algorithms that can do something.
std::string names_of(bool (*can)(const Algorithm&)) {
  std::vector<std::string_view> names;
  for (const Algorithm& a : algorithms()) {
    if (can(a)) names.push_back(a.name);
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

/// The flits of a message, if it is known before the planning, or 1.
unsigned flits_before(const Case& c) { return c.flits_said ? c.flits : 1; }

Plan plan_with(const Algorithm& algorithm, const Request& request) {
  if (request.tolerance && algorithm.tolerates == nullptr) {
    throw InputError(
        fmt::format("{} is not fault-tolerant: leave the tolerance out, or use {}", algorithm.name,
                    names_of([](const Algorithm& a) { return a.tolerates != nullptr; })));
  }
  if (request.pieces.value_or(1) > 1 && !algorithm.cuts) {
    throw InputError(fmt::format("{} does not cut messages: leave the pieces out, or use {}",
                                 algorithm.name,
                                 names_of([](const Algorithm& a) { return a.cuts; })));
  }
  if (request.seconds && !algorithm.searches) {
    throw InputError(fmt::format("{} does not search: leave the seconds out, or use {}",
                                 algorithm.name,
                                 names_of([](const Algorithm& a) { return a.searches; })));
  }
  // No formula gives the result of a search.
  std::optional<Formula> formula;
  if (!request.seconds && algorithm.formula != nullptr) formula = algorithm.formula(request);
  begin_steps(formula ? formula->rounds : 0, "rounds");
  Plan plan{algorithm.plan(request), formula, &algorithm};
  if (algorithm.tolerates != nullptr) plan.tolerance = algorithm.tolerates(request);
  return plan;
}

/// A root without a meaning is reported, not ignored.
void check_root(const Case& c, const Request& request, const Algorithm& algorithm) {
  if (has_root(request.collective) && !request.members.has(request.root)) {
    throw InputError(
        fmt::format("the root {} is no member: name it among the members, or another "
                    "root",
                    request.root));
  }
  if (!c.root || has_root(request.collective) || algorithm.has_initiator) return;
  throw InputError(
      fmt::format("root {} means nothing in a {} by {}: leave it out, or name a "
                  "collective that has one: broadcast, scatter or gather",
                  *c.root, to_string(request.collective), algorithm.name));
}

Plan plan_by_name(const Case& c, const Topology& topology, PlannedTo what) {
  const Algorithm& named = algorithm(c.algorithm);
  Request request = default_request(c, topology);
  if (!fill_in(c, named, request)) throw InputError(refusal(c, named, topology));
  check_root(c, request, named);
  if (what == PlannedTo::Run) refuse_unrunnable(topology, request.collective, flits_before(c));
  return plan_with(named, request);
}

/// Larger graphs are not searched where a formula gives a schedule: it may take minutes.
constexpr Node kMostNodesToSearch = 256;

/// The best of the formulas, or what a search finds with fewer rounds, if searching is quick.
Plan plan_by_choice(const Case& c, const Topology& topology, PlannedTo what) {
  Request request = default_request(c, topology);
  const std::vector<PortModel> ports = ports_of(c);
  const Choice best = best_choice(request, ports);
  check_root(c, request, *best.algorithm);
  if (what == PlannedTo::Run) refuse_unrunnable(topology, request.collective, flits_before(c));
  const auto plan_by = [&request](const Choice& choice) {
    request.ports = choice.ports;
    return plan_with(*choice.algorithm, request);
  };
  std::optional<Plan> plan;
  if (best.algorithm->formula == nullptr) plan = plan_by(best);
  std::string_view untried;
  for (const Choice& other : choices_without_formula(request, ports)) {
    if (other.algorithm == best.algorithm && other.ports == best.ports) continue;
    const std::uint64_t rounds = plan ? plan->schedule.rounds() : best.formula.rounds;
    const bool all = request.members.all();
    const Model packets{other.ports, request.duplex, Switching::Packet, /*combining=*/false};
    if (all && lower_bound_rounds(topology, request.collective, packets, request.root) >= rounds)
      continue;
    if (topology.nodes() > kMostNodesToSearch) {
      untried = other.algorithm->name;
    } else if (Plan found = plan_by(other); found.schedule.rounds() < rounds) {
      plan = std::move(found);
    }
  }
  if (!plan) plan = plan_by(best);
  plan->chosen = untried.empty() ? "fewest rounds of all choices"
                                 : fmt::format("{} may take fewer rounds", untried);
  return *std::move(plan);
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
    throw InputError(fmt::format("{}: the schedule file already gives these: leave out {}", c.file,
                                 fmt::join(given, ", ")));
  }
  return {read_jsonl(c.file), std::nullopt, nullptr};
}

/// Sets the faults, if the case names any.
void set_faults(const Case& c, Schedule& schedule) {
  if (c.faults.empty()) return;
  if (schedule.symmetry().order() > 1) schedule = without_orbits(schedule);
  std::optional<Node> spared;
  if (has_root(schedule.collective())) spared = schedule.root;
  if (schedule.initiator) spared = schedule.initiator->node;
  schedule.faults = parse_faults(c.faults, schedule.topology(), c.seed, spared);
  if (const auto fault = root_fault(schedule)) throw InputError("faults: " + *fault);
}

Plan plan_or_read(const Case& c, PlannedTo what) {
  if (!c.file.empty()) return read_plan(c);
  if (c.topology.empty()) {
    throw InputError("nothing to plan: give a topology (such as torus:4x4) or a schedule file");
  }
  const Topology topology = Topology::parse(c.topology);
  if (c.root && *c.root >= topology.nodes()) {
    throw InputError(fmt::format("root {} is no node of {}; expected 0 to {}", *c.root, c.topology,
                                 topology.nodes() - 1));
  }
  return c.algorithm.empty() ? plan_by_choice(c, topology, what) : plan_by_name(c, topology, what);
}

}  // namespace

unsigned flits_of(const Case& c, const Schedule& schedule) {
  const bool pipelined = schedule.model().switching == Switching::Pipelined;
  return pipelined && !c.flits_said ? 1 : c.flits;
}

Plan make_plan(const Case& c, PlannedTo what) {
  Plan plan = plan_or_read(c, what);
  if (what == PlannedTo::Run) {
    const Schedule& schedule = plan.schedule;
    refuse_unrunnable(schedule.topology(), schedule.collective(), flits_of(c, schedule));
  }
  set_faults(c, plan.schedule);
  return plan;
}

std::string_view wave_extension(std::string_view engine) {
  return engine == "systemc" ? ".vcd" : ".fst";
}

std::string parse_engine(const std::string& text) {
  static constexpr std::array<std::string_view, 3> kEngines = {"tile", "flat", "systemc"};
  if (std::ranges::find(kEngines, text) != kEngines.end()) return text;
  throw InputError(fmt::format("unknown engine '{}': {}", text, suggestion(text, kEngines)));
}

}  // namespace gossamer
