#include "algorithms/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/common/algorithm.hpp"
#include "algorithms/common/all.hpp"
#include "support/error.hpp"
#include "support/words.hpp"

namespace gossamer {

std::span<const Algorithm> algorithms() {
  // Filled at the first call, when all of these are initialised.
  static const std::vector<Algorithm> all = [] {
    std::vector<Algorithm> copies;
    for (const Algorithm* one : kAll) copies.push_back(*one);
    return copies;
  }();
  return all;
}

const Algorithm& algorithm(const std::string& name) {
  return named("algorithm", name, algorithms(), &Algorithm::name);
}

// Chooses an algorithm if none is named, and explains a refusal if none serves.

namespace {

constexpr std::array kBothPorts = {PortModel::Single, PortModel::All};

bool needs_excerpt(const Algorithm& algorithm, const Request& request) {
  return !algorithm.any_chunks && !(request.members.all() && request.sizes.equal());
}

bool better(const Algorithm& a, const Formula& of_a, const Algorithm& b, const Formula& of_b) {
  if (of_a.rounds != of_b.rounds) return of_a.rounds < of_b.rounds;
  if (of_a.delta_sum && of_b.delta_sum) return *of_a.delta_sum < *of_b.delta_sum;
  return b.any_graph && !a.any_graph;
}

/// Can its rounds be compared with those of others? Not if they are slots of one cycle, or as long
/// as the longest of transfers of many messages whose number no formula tells.
bool has_comparable_rounds(const Algorithm& algorithm) {
  if (algorithm.formula != nullptr) return algorithm.switching != Switching::Pipelined;
  return algorithm.switching == Switching::Packet && !algorithm.combining;
}

/// May the algorithm be chosen for its rounds?
bool is_eligible(const Algorithm& algorithm, const Request& request) {
  return (algorithm.tolerates != nullptr) == request.tolerant && has_comparable_rounds(algorithm);
}

/// All that may be chosen for their rounds.
std::vector<Candidate> choices(Request request, const std::vector<PortModel>& ports) {
  std::vector<Candidate> all;
  for (const PortModel model : ports) {
    request.ports = model;
    for (const Algorithm& candidate : algorithms()) {
      if (!is_eligible(candidate, request) || refusal_of(candidate, request)) continue;
      all.push_back({&candidate, model, formula_of(candidate, request)});
    }
  }
  return all;
}

std::optional<Candidate> choose(const Request& request, std::span<const PortModel> ports) {
  std::optional<Candidate> best;
  for (Candidate& c : choices(request, {ports.begin(), ports.end()})) {
    if (!c.formula) continue;
    if (!best || better(*c.algorithm, *c.formula, *best->algorithm, *best->formula))
      best = std::move(c);
  }
  if (best) return best;
  const std::vector<Candidate> others = choices_without_formula(request, ports);
  return others.empty() ? std::nullopt : std::optional(others.front());
}

/// The model that was requested, as text.
std::string model_text(const Request& request, std::span<const PortModel> ports) {
  std::string text;
  if (ports.size() == 1) text += through(ports[0]);
  if (request.duplex == Duplex::Half) text += " over half-duplex links";
  if (request.tolerance) {
    text += fmt::format(" that tolerates {} fault{}", *request.tolerance,
                        request.tolerance == 1u ? "" : "s");
  } else if (request.tolerant) {
    text += " that tolerates faults";
  }
  return text;
}

/// The request with fewer demands: without pieces, without faults, over full-duplex links.
std::vector<Request> easier(const Request& request) {
  std::vector<Request> all;
  for (const bool cut : {true, false}) {
    for (const bool tolerant : {true, false}) {
      for (const Duplex duplex : {request.duplex, Duplex::Full}) {
        Request other = request;
        if (!cut) other.pieces.reset();
        other.tolerant = tolerant && request.tolerant;
        if (!other.tolerant) other.tolerance.reset();
        other.duplex = duplex;
        all.push_back(std::move(other));
      }
    }
  }
  return all;
}

/// If the topology or the pieces are the obstacle: the reason of the algorithm that serves the most
/// other topologies.
std::string reason(const Request& request) {
  std::string why;
  std::size_t most = 0;
  for (const Algorithm& candidate : algorithms()) {
    if (!is_eligible(candidate, request)) continue;
    for (const PortModel model : kBothPorts) {
      Request sample = request;
      sample.ports = model;
      sample.root = 0;
      sample.cycle.clear();
      sample.pieces.reset();
      std::size_t served = 0;
      for (const char* topology : kSampleTopologies) {
        sample.topology = Topology::parse(topology);
        if (!refusal_of(candidate, sample)) ++served;
      }
      if (served <= most) continue;
      sample = request;
      sample.ports = model;
      if (const auto refusal = refusal_of(candidate, sample)) {
        why = with_name(candidate, *refusal);
        most = served;
      }
    }
  }
  return why;
}

[[noreturn]] void refuse(const Request& request, std::span<const PortModel> ports) {
  std::string why = what_serves(request, ports);
  if (why.empty()) why = reason(request);
  if (why.empty()) why = "`gossamer list` says what each algorithm is for";
  throw NotServed(fmt::format("no algorithm for {} on {}{}: {}", to_string(request.collective),
                              request.topology.spec(), model_text(request, ports), why));
}

}  // namespace

std::optional<std::string> refusal_of(const Algorithm& algorithm, const Request& request) {
  if (needs_excerpt(algorithm, request)) {
    if (auto why = why_no_excerpt(algorithm, request)) return why;
    return refusal_of(algorithm, for_all_nodes(request));
  }
  if (request.topology.one_way() && !algorithm.any_chunks && !algorithm.one_way) {
    return algorithm.name + " needs links of both directions";
  }
  if (request.pieces.value_or(1) > 1 && !algorithm.cuts) {
    return algorithm.name + " does not cut messages: leave the pieces out";
  }
  return algorithm.refuses(request);
}

std::optional<Formula> formula_of(const Algorithm& algorithm, const Request& request) {
  if (algorithm.formula == nullptr || needs_excerpt(algorithm, request)) return std::nullopt;
  return algorithm.formula(request);
}

Schedule schedule_by(const Algorithm& algorithm, const Request& request) {
  Schedule schedule = needs_excerpt(algorithm, request)
                          ? excerpt(algorithm.plan(for_all_nodes(request)), request)
                          : algorithm.plan(request);
  schedule.nodes.join = request.joins;
  return schedule;
}

std::string through(PortModel ports) {
  return ports == PortModel::Single ? " through a single port" : " through all ports";
}

std::string what_serves(const Request& request, std::span<const PortModel> ports) {
  if (const auto choice = choose(request, ports)) return choice->algorithm->name + " serves it";
  for (const Request& other : easier(request)) {
    const auto choice = choose(other, kBothPorts);
    if (!choice) continue;
    std::string text = choice->algorithm->name + " serves it";
    if (ports.size() == 1 && choice->ports != ports[0]) text += through(choice->ports);
    if (other.duplex != request.duplex) text += " over full-duplex links";
    if (other.tolerant != request.tolerant) text += " without faults";
    if (other.pieces != request.pieces) text += " without pieces";
    return text;
  }
  return "";
}

std::string with_name(const Algorithm& algorithm, const std::string& refusal) {
  return refusal.starts_with(algorithm.name) ? refusal : algorithm.name + ": " + refusal;
}

std::vector<Candidate> choices_without_formula(const Request& request,
                                               std::span<const PortModel> ports) {
  std::vector<Candidate> all = choices(request, {ports.rbegin(), ports.rend()});
  std::erase_if(all, [](const Candidate& c) { return c.formula.has_value(); });
  return all;
}

Candidate best_choice(const Request& request, std::span<const PortModel> ports) {
  if (auto choice = choose(request, ports)) return *std::move(choice);
  refuse(request, ports);
}

}  // namespace gossamer
