#include "driver/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "driver/case_fields.hpp"
#include "driver/rank.hpp"
#include "gossamer_constants.hpp"
#include "schedule/chunks.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"
#include "support/words.hpp"
#include "tables/compiler.hpp"
#include "tables/timing.hpp"

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
std::string refusal(const Case& c, const Algorithm& algorithm, const Topology& topology) {
  Request meant = default_request(c, topology);
  const auto served =
      std::ranges::find_if(algorithm.serves, [&](const Serves& s) { return may_mean(c, s); });
  const Serves& like = served != algorithm.serves.end() ? *served : algorithm.serves.front();
  set(meant, {c.collective.value_or(like.collective), c.ports.value_or(like.ports),
              c.duplex.value_or(like.duplex)});
  check_meaning(c, meant, &algorithm);
  const std::string why = refusal_of(algorithm, meant).value_or("refused");
  const std::string other = what_serves(meant, ports_of(c));
  return fmt::format("{} (asked for {} on {}{})", with_name(algorithm, why),
                     to_string(meant.collective), topology.spec(),
                     other.empty() ? "" : fmt::format("; {}", other));
}

/// The flits of a message, if it is known before the planning, or 1.
unsigned flits_before(const Case& c) { return c.flits_given ? c.flits : 1; }

/// The ports that a case with a named algorithm leaves open are those with which it is fastest.
Plan plan_by_name(const Case& c, const Topology& topology, PlannedTo what) {
  const Algorithm& named = algorithm(c.algorithm);
  Request request = default_request(c, topology);
  if (!fill_in(c, named, request)) throw InputError(refusal(c, named, topology));
  check_meaning(c, request, &named);
  if (what == PlannedTo::Run) refuse_unrunnable(topology, request.collective, flits_before(c));
  Request other = request;
  other.ports = request.ports == PortModel::All ? PortModel::Single : PortModel::All;
  const bool both_ports = !c.ports && !refusal_of(named, other);
  if (c.best == Best::Rounds || !(both_ports || named.cuts)) return plan_with(named, request);
  Plan plan = plan_with_fewest_cycles(request, candidates(request, ports_of(c), c.stages, &named),
                                      c.stages);
  plan.chosen = both_ports ? "fewest cycles" + through(plan.schedule.model().ports) : "";
  plan.runner_up.reset();
  return plan;
}

Plan plan_by_choice(const Case& c, const Topology& topology, PlannedTo what) {
  const Request request = default_request(c, topology);
  const std::vector<PortModel> ports = ports_of(c);
  check_meaning(c, request, nullptr);
  std::vector<Candidate> choices;
  if (c.best == Best::Cycles) choices = candidates(request, ports, c.stages, nullptr);
  if (choices.empty()) best_choice(request, ports);  // says why there is none
  if (what == PlannedTo::Run) refuse_unrunnable(topology, request.collective, flits_before(c));
  if (choices.empty()) return plan_with_fewest_rounds(request, ports);
  return plan_with_fewest_cycles(request, std::move(choices), c.stages);
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
  Plan plan{read_jsonl(c.file), std::nullopt, nullptr};
  if (c.flits_given && !plan.schedule.sizes.equal()) {
    throw InputError(
        fmt::format("{}: the schedule says how many flits each message has: leave the "
                    "flits out",
                    c.file));
  }
  return plan;
}

/// Sets the faults, if the case names any.
void set_faults(const Case& c, Schedule& schedule) {
  if (c.faults.empty()) return;
  std::optional<Node> spared;
  if (has_root(schedule.collective())) {
    spared = schedule.members.several() ? schedule.members.root(0) : schedule.root;
  }
  if (schedule.initiator) spared = schedule.initiator->node;
  schedule.faults = parse_faults(c.faults, schedule.topology(), c.seed, spared);
  if (const auto fault = root_fault(schedule)) throw InputError("faults: " + *fault);
}

Plan plan_or_read(const Case& c, PlannedTo what) {
  if (!c.file.empty()) return read_plan(c);
  if (c.topology.empty()) {
    throw InputError("nothing to plan: give a topology (such as torus:4x4) or a schedule file");
  }
  const Topology topology = topology_of(c);
  return c.algorithm.empty() ? plan_by_choice(c, topology, what) : plan_by_name(c, topology, what);
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
  throw InputError(fmt::format("root {} is no node of {}; expected 0 to {}{}", c.root, c.topology,
                               topology.nodes() - 1, topology.named() ? " or a name" : ""));
}

void set_operator(const Case& c, Schedule& schedule) {
  if (!c.op) return;
  if (!reduces(schedule.collective())) {
    throw InputError(
        fmt::format("operator {} means nothing in a {}: leave it out, or name a "
                    "reduction: reduce, reduce-scatter or all-reduce",
                    to_string(*c.op), to_string(schedule.collective())));
  }
  schedule.op = *c.op;
}

std::vector<PortModel> ports_of(const Case& c) {
  if (c.ports) return {*c.ports};
  return {PortModel::Single, PortModel::All};
}

Request default_request(const Case& c, const Topology& topology) {
  if (!c.sizes.empty() && c.flits_given) {
    throw InputError("the sizes say how many flits each message has: leave the flits out");
  }
  Members members = parse_members(c.members, topology);
  Request request{.topology = topology,
                  .collective = c.collective.value_or(Collective::Gossip),
                  .ports = c.ports.value_or(PortModel::Single),
                  .duplex = c.duplex.value_or(Duplex::Full),
                  .root = root_of(c, topology).value_or(members.first()),
                  .cycle = c.cycle,
                  .tolerant = c.tolerance || !c.faults.empty(),
                  .tolerance = c.tolerance,
                  .seconds = c.seconds,
                  .seed = c.seed,
                  .flits = c.flits,
                  .hop = rtl::TIME_DELTA + c.stages.most_on(topology),
                  .pieces = c.pieces,
                  .fewest_rounds = c.best == Best::Rounds,
                  .members = std::move(members),
                  .sizes = read_sizes(c.sizes, topology.nodes())};
  if (!request.sizes.equal()) request.flits = request.sizes.most();
  return request;
}

void refuse_meaningless_root(const Case& c, Collective collective, const std::string& by) {
  if (c.root.empty() || has_root(collective)) return;
  throw InputError(
      fmt::format("root {} means nothing in a {}{}: leave it out, or name a "
                  "collective that has one: broadcast, scatter, gather, reduce or all-reduce",
                  c.root, to_string(collective), by));
}

void check_meaning(const Case& c, const Request& request, const Algorithm* named) {
  if (!c.root.empty() && request.members.several()) {
    throw InputError(
        "each of several groups has the node that it names first as its root: leave "
        "the root out");
  }
  if (has_root(request.collective) && !request.members.several() &&
      !request.members.has(request.root)) {
    throw InputError(
        fmt::format("the root {} is no member: name it among the members, or another "
                    "root",
                    request.root));
  }
  if (request.pieces.value_or(1) > request.flits) {
    throw InputError(
        fmt::format("pieces: messages of {} flit{}{} cannot be cut into {}; expected {} at most",
                    request.flits, request.flits == 1 ? "" : "s",
                    request.sizes.equal() ? "" : " at most", *request.pieces, request.flits));
  }
  if (const auto why = why_no_sizes(empty_schedule(request, {}), request.sizes)) {
    throw InputError(fmt::format("sizes: {}: {}", c.sizes, *why));
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
  return cut.of(0) * schedule.model().hop_rounds > hop ? schedule.pieces() : c.flits;
}

LinkStages stages_of(const Case& c, const Schedule& schedule) {
  const bool planned = c.stages.numbers().empty() && schedule.planned_for;
  return planned ? LinkStages(schedule.planned_for->stages) : c.stages;
}

Plan make_plan(const Case& c, PlannedTo what) {
  Plan plan = plan_or_read(c, what);
  const Schedule& schedule = plan.schedule;
  const unsigned flits = flits_of(c, schedule);
  if (c.file.empty()) {
    plan.schedule.planned_for =
        PlannedFor{schedule.sizes.equal() ? flits : 0, c.stages.numbers()};
  }
  if (schedule.model().switching == Switching::Pipelined) {
    refuse_flits(schedule, schedule.chunk_flits(flits).longest().of(0),
                 stages_of(c, schedule).on(schedule));
  }
  if (what == PlannedTo::Run) refuse_unrunnable(schedule.topology(), schedule.collective(), flits);
  set_operator(c, plan.schedule);
  set_faults(c, plan.schedule);
  if (!plan.schedule.faults.empty()) plan.timed.reset();
  return plan;
}

Best parse_best(const std::string& text) {
  static constexpr std::array<std::string_view, 2> kBest = {"cycles", "rounds"};
  if (text == "cycles") return Best::Cycles;
  if (text == "rounds") return Best::Rounds;
  throw InputError(fmt::format("'{}' is nothing to be best in: {}", text, suggestion(text, kBest)));
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
