#include "driver/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "algorithms/samples.hpp"
#include "bounds/bounds.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"
#include "support/nearest_name.hpp"
#include "support/steps.hpp"

namespace gossamer {
namespace {

constexpr std::array kCollectives = {Collective::Gossip, Collective::TotalExchange,
                                     Collective::Broadcast, Collective::Scatter,
                                     Collective::Gather};
constexpr std::array kPorts = {PortModel::Single, PortModel::All};
constexpr std::array kDuplexes = {Duplex::Full, Duplex::Half};

/// The value given, or all values if none is given.
template <typename T, std::size_t N>
std::vector<T> choices(const std::optional<T>& asked, const std::array<T, N>& all) {
  if (asked) return {*asked};
  return {all.begin(), all.end()};
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
          .seed = c.seed};
}

/// Completes the request with the first model that the algorithm accepts; returns false if it
/// accepts none.
bool fill_in(const Case& c, const Algorithm& algorithm, Request& request) {
  for (const Collective collective : choices(c.collective, kCollectives)) {
    for (const PortModel ports : choices(c.ports, kPorts)) {
      for (const Duplex duplex : choices(c.duplex, kDuplexes)) {
        request.collective = collective;
        request.ports = ports;
        request.duplex = duplex;
        if (!algorithm.refuses(request)) return true;
      }
    }
  }
  return false;
}

/// Why the algorithm serves no request that the case may mean. The most helpful reason is the one
/// for the model that the algorithm is made for.
std::string refusal(const Case& c, const Algorithm& algorithm, const Topology& topology) {
  Request meant = default_request(c, topology);
  for (const char* sample : kSampleTopologies) {
    Request request = default_request(c, Topology::parse(sample));
    request.root = 0;
    request.cycle.clear();
    if (!fill_in(c, algorithm, request)) continue;
    meant.collective = request.collective;
    meant.ports = request.ports;
    meant.duplex = request.duplex;
    break;
  }
  const std::string why = algorithm.refuses(meant).value_or("refused");
  const std::string other = what_serves(meant, choices(c.ports, kPorts));
  return fmt::format("{} (asked for {} on {}{})", with_name(algorithm, why),
                     to_string(meant.collective), topology.spec(),
                     other.empty() ? "" : fmt::format("; {}", other));
}

Plan plan_with(const Algorithm& algorithm, const Request& request, bool chosen) {
  if (request.tolerance && algorithm.tolerates == nullptr) {
    throw InputError(
        fmt::format("{} is not fault-tolerant: leave the tolerance out, or use "
                    "chau-fu or chau-fu-initiated",
                    algorithm.name));
  }
  if (request.seconds && !algorithm.searches) {
    throw InputError(
        fmt::format("{} does not search: leave the seconds out, or use any-graph or "
                    "tdm-search",
                    algorithm.name));
  }
  // No formula gives the result of a search.
  std::optional<Formula> formula;
  if (!request.seconds && algorithm.formula != nullptr) formula = algorithm.formula(request);
  begin_steps(formula ? formula->rounds : 0, "rounds");
  Plan plan{algorithm.plan(request), formula, &algorithm, chosen};
  if (algorithm.tolerates != nullptr) plan.tolerance = algorithm.tolerates(request);
  return plan;
}

/// A root without a meaning is reported, not ignored.
void check_root(const Case& c, const Request& request, const Algorithm& algorithm) {
  if (!c.root || has_root(request.collective) || algorithm.has_initiator) return;
  throw InputError(
      fmt::format("root {} means nothing in a {} by {}: leave it out, or name a "
                  "collective that has one: broadcast, scatter or gather",
                  *c.root, to_string(request.collective), algorithm.name));
}

Plan plan_by_name(const Case& c, const Topology& topology) {
  const Algorithm& named = algorithm(c.algorithm);
  Request request = default_request(c, topology);
  if (!fill_in(c, named, request)) throw InputError(refusal(c, named, topology));
  check_root(c, request, named);
  return plan_with(named, request, /*chosen=*/false);
}

/// Where a formula promises more rounds than the bound, a search may do with fewer; on graphs of so
/// many nodes it takes seconds at most.
std::optional<Plan> shorter_plan(const Request& request, const Choice& best) {
  constexpr Node kMostNodes = 256;
  if (best.algorithm->formula == nullptr || request.tolerant) return std::nullopt;
  if (request.topology.nodes() > kMostNodes || !request.cycle.empty()) return std::nullopt;
  const Model packets{request.ports, request.duplex, Switching::Packet, /*combining=*/false};
  const std::uint64_t bound =
      lower_bound_rounds(request.topology, request.collective, packets, request.root);
  if (best.formula.rounds <= bound) return std::nullopt;
  for (const Algorithm& other : algorithms()) {
    if (!other.any_graph || other.formula != nullptr || other.refuses(request)) continue;
    Plan plan = plan_with(other, request, /*chosen=*/true);
    if (plan.schedule.rounds() < best.formula.rounds) return plan;
  }
  return std::nullopt;
}

Plan plan_by_choice(const Case& c, const Topology& topology) {
  Request request = default_request(c, topology);
  const Choice best = best_choice(request, choices(c.ports, kPorts));
  request.ports = best.ports;
  check_root(c, request, *best.algorithm);
  if (auto shorter = shorter_plan(request, best)) return *std::move(shorter);
  return plan_with(*best.algorithm, request, /*chosen=*/true);
}

Plan read_plan(const Case& c) {
  const bool says_more = !c.topology.empty() || !c.algorithm.empty() || c.collective || c.ports ||
                         c.duplex || c.root || !c.cycle.empty() || c.tolerance || c.seconds;
  if (says_more) {
    throw InputError(fmt::format(
        "{}: the schedule file already gives these: leave out topology, collective, algorithm, "
        "ports, duplex, root, cycle, tolerance and seconds",
        c.file));
  }
  return {read_jsonl(c.file), std::nullopt, nullptr, false};
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

Plan plan_or_read(const Case& c) {
  if (!c.file.empty()) return read_plan(c);
  if (c.topology.empty()) {
    throw InputError("nothing to plan: give a topology (such as torus:4x4) or a schedule file");
  }
  const Topology topology = Topology::parse(c.topology);
  if (c.root && *c.root >= topology.nodes()) {
    throw InputError(fmt::format("root {} is no node of {}; expected 0 to {}", *c.root, c.topology,
                                 topology.nodes() - 1));
  }
  return c.algorithm.empty() ? plan_by_choice(c, topology) : plan_by_name(c, topology);
}

}  // namespace

unsigned flits_of(const Case& c, const Schedule& schedule) {
  const bool pipelined = schedule.model().switching == Switching::Pipelined;
  return pipelined && !c.flits_said ? 1 : c.flits;
}

Plan make_plan(const Case& c) {
  Plan plan = plan_or_read(c);
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
