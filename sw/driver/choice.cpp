#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "bounds/bounds.hpp"
#include "driver/case.hpp"
#include "driver/rank.hpp"
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

// Chooses by rounds, and explains a refusal if no algorithm serves.

constexpr std::array kBothPorts = {PortModel::Single, PortModel::All};

bool has_fewer_rounds(const Candidate& a, const Candidate& b) {
  if (a.formula->rounds != b.formula->rounds) return a.formula->rounds < b.formula->rounds;
  if (a.formula->delta_sum && b.formula->delta_sum) {
    return *a.formula->delta_sum < *b.formula->delta_sum;
  }
  return b.algorithm->any_graph && !a.algorithm->any_graph;
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

/// choices_by_rounds(); none if no algorithm serves.
std::vector<Candidate> by_rounds(Request request, std::span<const PortModel> ports) {
  std::vector<Candidate> formulas, all;
  for (const PortModel model : ports) {
    request.ports = model;
    std::vector<Candidate> others;
    for (const Algorithm& algorithm : algorithms()) {
      if (!is_eligible(algorithm, request) || refusal_of(algorithm, request)) continue;
      Candidate one{&algorithm, model, formula_of(algorithm, request)};
      (one.formula ? formulas : others).push_back(std::move(one));
    }
    all.insert(all.begin(), others.begin(), others.end());
  }
  const auto best = std::ranges::min_element(formulas, has_fewer_rounds);
  if (best != formulas.end()) all.insert(all.begin(), *best);
  return all;
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

/// What would work for a request that is refused, or for the nearest one: "a2 serves it through all
/// ports". Empty if nothing works on this topology.
std::string what_serves(const Request& request, std::span<const PortModel> ports) {
  const auto serves = [](const Candidate& c) { return c.algorithm->name + " serves it"; };
  if (const auto all = by_rounds(request, ports); !all.empty()) return serves(all.front());
  for (const Request& other : easier(request)) {
    const std::vector<Candidate> all = by_rounds(other, kBothPorts);
    if (all.empty()) continue;
    std::string text = serves(all.front());
    if (ports.size() == 1 && all.front().ports != ports[0]) text += through(all.front().ports);
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

/// "one or two": the algorithms that can do something.
std::string names_of(bool (*can)(const Algorithm&)) {
  std::vector<std::string_view> names;
  for (const Algorithm& a : algorithms()) {
    if (can(a)) names.push_back(a.name);
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

/// Does the algorithm do what a request without a name demands, as far as its abilities go?
bool is_able(const Algorithm& a, const Request& request) {
  return (a.tolerates != nullptr) == request.tolerant && (!request.seconds || a.searches);
}

/// The request through the ports and in the pieces of a candidate.
Request asked_of(const Candidate& candidate, Request request) {
  request.ports = candidate.ports;
  if (candidate.pieces) request.pieces = candidate.pieces;
  return request;
}

/// May messages be cut, though nobody says so? A search with its seconds is for what is asked.
bool may_try_pieces(const Algorithm& algorithm, const Request& request) {
  return algorithm.cuts && !cuts_by_itself(algorithm, request.collective) && !request.pieces &&
         !request.seconds && request.flits > 1;
}

/// Cycles that no schedule of a candidate undercuts.
class Floor {
 public:
  Floor(const Request& request, const LinkStages& stages, const Algorithm& algorithm)
      : request_(request),
        model_{request.ports, request.duplex, algorithm.switching, algorithm.combining},
        can_cut_(algorithm.cuts),
        cuts_(request.pieces ? *request.pieces > 1
                             : cuts_by_itself(algorithm, request.collective)) {
    at_ports_ = stages.on(request.whole_topology(), model_.switching);
    if (at_ports_.empty()) return;
    least_ = std::ranges::min(at_ports_);
    most_ = std::ranges::max(at_ports_);
  }

  /// Cannot the hardware run it? A pipelined slot has as many cycles as a hop.
  bool refuses() const { return !cuts_ && request_.flits > most_flits(model_, hop()); }

  std::uint64_t of_any_schedule() const {
    constexpr Node kMostToSearch = Node{1} << 20, kMostToCount = 1024;
    const Topology& topology = request_.topology;
    if (!request_.regular()) {
      if (topology.nodes() > kMostToCount) return 0;
      return chunk_bound_cycles(chunks(), request_.ports, request_.flits, at_ports_).value;
    }
    if (!topology.translatable() && topology.nodes() > kMostToSearch) return 0;
    return lower_bound_cycles(topology, request_.collective, model_, request_.root, request_.flits,
                              at_ports_)
        .value;
  }

  /// So many rounds, in which the busiest links carry so many messages, one round after the other.
  std::uint64_t of_rounds(std::uint64_t rounds, std::uint64_t messages) const {
    const std::uint64_t flits = request_.flits;
    const std::uint64_t others = rounds - 1, all = std::max(rounds, messages) * flits;
    switch (model_.switching) {
      case Switching::Packet:
        return rtl::TIME_START + hop() + std::max(all, others * (rtl::TIME_LAT + least_) + flits);
      case Switching::Circuit:
        return rtl::TIME_START + others * rtl::TIME_ALPHA + rounds * hop() + all;
      case Switching::Pipelined:  // a hop may take several rounds of what cuts
        return rtl::TIME_START + (can_cut_ ? others + hop() : rounds * hop()) + flits;
    }
    return 0;
  }

  /// Of packets in as many pieces as were asked for, a round for the shortest at least.
  std::uint64_t of_pieces() const {
    const std::uint64_t rounds = chunk_bound(chunks(), *request_.pieces).value;
    const std::uint64_t flits = request_.sizes.equal() ? request_.flits / *request_.pieces : 1;
    const std::uint64_t others = std::max<std::uint64_t>(rounds, 1) - 1;
    const std::uint64_t slot = std::max<std::uint64_t>(rtl::TIME_LAT + least_, flits);
    return rtl::TIME_START + hop() + others * slot + flits;
  }

  /// By the bounds of rounds, which take longer to find than those of cycles.
  std::uint64_t of_model(const std::optional<Formula>& formula) const {
    // Pieces make rounds shorter, and a group of members needs fewer, and so do short messages.
    if (cuts_ || !request_.regular()) return 0;
    const std::uint64_t messages =
        lower_bound_tau(request_.topology, request_.collective, model_, request_.root);
    const std::uint64_t rounds =
        formula ? formula->rounds
                : lower_bound_rounds(request_.topology, request_.collective, model_, request_.root);
    return of_rounds(std::max<std::uint64_t>(rounds, 1), messages);
  }

  /// Packets one by one, with nothing to wait for or to add: the slots of all rounds are alike.
  bool is_exact() const {
    return model_.switching == Switching::Packet && !model_.combining &&
           model_.duplex == Duplex::Full && least_ == most_ && !reduces(request_.collective) &&
           !request_.joins;
  }

 private:
  std::uint64_t hop() const { return rtl::TIME_DELTA + least_; }
  Schedule chunks() const {
    Schedule empty = empty_schedule(request_, model_);
    empty.cut(request_.pieces.value_or(1));
    return empty;
  }

  const Request& request_;
  Model model_;
  bool can_cut_;
  bool cuts_;  ///< and does
  PortStages at_ports_;
  std::uint32_t least_ = 0, most_ = 0;  ///< of these
};

/// Null: it has too many rounds or flits to run.
std::shared_ptr<const ScheduleTiming> timing_of(const Schedule& s, unsigned flits,
                                                const LinkStages& stages) {
  const PortStages links = stages.on(s);
  const std::uint64_t most = most_flits(s.model(), cycles_of_hop(s, links, 0));
  if (s.rounds() > kMaxRounds || PieceFlits{flits, s.pieces()}.of(0) > most) return nullptr;
  return timed(s, flits, links);
}

}  // namespace

std::vector<Candidate> choices_by_rounds(const Request& request, std::span<const PortModel> ports) {
  std::vector<Candidate> all = by_rounds(request, ports);
  if (!all.empty()) return all;
  std::string why = what_serves(request, ports);
  if (why.empty()) why = reason(request);
  if (why.empty()) why = "`gossamer list` says what each algorithm is for";
  throw NotServed(fmt::format("no algorithm for {} on {}{}: {}", to_string(request.collective),
                              request.topology.spec(), model_text(request, ports), why));
}

std::string refused_by(const Algorithm& algorithm, const Request& request,
                       std::span<const PortModel> ports) {
  const std::string other = what_serves(request, ports);
  return fmt::format("{} (asked for {} on {}{})",
                     with_name(algorithm, refusal_of(algorithm, request).value_or("refused")),
                     to_string(request.collective), request.whole_topology().spec(),
                     other.empty() ? "" : fmt::format("; {}", other));
}

Plan plan_with(const Algorithm& algorithm, const Request& request) {
  if (request.tolerance && algorithm.tolerates == nullptr) {
    refuse("{} is not fault-tolerant: leave the tolerance out, or use {}", algorithm.name,
           names_of([](const Algorithm& a) { return a.tolerates != nullptr; }));
  }
  if (request.seconds && !algorithm.searches) {
    refuse("{} does not search: leave the seconds out, or use {}", algorithm.name,
           names_of([](const Algorithm& a) { return a.searches; }));
  }
  // No formula gives the result of a search.
  std::optional<Formula> formula;
  if (!request.seconds) formula = formula_of(algorithm, request);
  begin_steps(formula ? formula->rounds : 0, "rounds");
  Plan plan{schedule_by(algorithm, request), formula, &algorithm};
  if (request.whole) plan.schedule = in_whole(plan.schedule, *request.whole);
  if (algorithm.tolerates != nullptr) plan.tolerance = algorithm.tolerates(request);
  return plan;
}

std::vector<Candidate> candidates(Request request, std::span<const PortModel> ports,
                                  const LinkStages& stages, const Algorithm* named) {
  std::vector<Candidate> all;
  for (const PortModel model : ports) {
    request.ports = model;
    for (const Algorithm& algorithm : algorithms()) {
      if (named != nullptr ? named != &algorithm : !is_able(algorithm, request)) continue;
      if (refusal_of(algorithm, request)) continue;
      const Floor floor(request, stages, algorithm);
      if (named == nullptr && floor.refuses()) continue;
      Candidate one{&algorithm, model};
      one.cycles = floor.of_any_schedule();
      if (!request.seconds) one.formula = formula_of(algorithm, request);
      if (one.formula) {
        const std::uint64_t by_formula = floor.of_rounds(one.formula->rounds, 0);
        const bool exact = floor.is_exact();
        one.known = exact ? Known::Exactly : Known::Roughly;
        one.cycles = exact ? by_formula : std::max(one.cycles, by_formula);
      }
      all.push_back(std::move(one));
      constexpr Node kSmall = 64;
      constexpr std::uint32_t kMost = 64;
      if (!may_try_pieces(algorithm, request) || request.topology.nodes() > kSmall) continue;
      for (std::uint32_t pieces = 2; pieces <= std::min(request.flits, kMost); pieces *= 2) {
        Candidate cut{&algorithm, model, {}, pieces};
        const Request as_asked = asked_of(cut, request);
        if (refusal_of(algorithm, as_asked)) break;
        cut.cycles = Floor(as_asked, stages, algorithm).of_any_schedule();
        all.push_back(std::move(cut));
      }
    }
  }
  return all;
}

bool is_slow(const Candidate& candidate, Request request) {
  request.ports = candidate.ports;
  return candidate.algorithm->slow != nullptr && candidate.algorithm->slow(request);
}

std::tuple<bool, bool, bool> complexity(const Algorithm& algorithm) {
  return {algorithm.switching == Switching::Pipelined, algorithm.combining, algorithm.any_graph};
}

Plan plan_with_fewest_cycles(const Request& request, std::vector<Candidate> candidates,
                             const LinkStages& stages, KnownSchedules* known) {
  const auto cost = [](const Candidate& c) {
    return std::tuple(c.cycles, complexity(*c.algorithm));
  };
  // Slow ones come last. On large graphs single ports come after all ports, and messages cut for
  // slots of a hop after whole ones: they seldom win, and what wins spares the searches of the
  // others.
  const Node most = has_root(request.collective) ? 128 : 64;  // nodes of a graph that is not large
  const bool large = request.topology.nodes() > most;
  const bool irregular = large && !request.topology.translatable();
  const auto is_late = [&](const Candidate& c) {
    return large &&
           (c.ports == PortModel::Single || (irregular && request.flits >= rtl::TIME_LAT &&
                                             c.algorithm->switching == Switching::Pipelined));
  };
  const auto order = [&](const Candidate& c) {
    return std::tuple(is_slow(c, request), is_late(c), c.pieces.has_value(), cost(c),
                      c.formula ? c.formula->delta_sum.value_or(0) : 0);
  };
  std::optional<Plan> best;
  Candidate winner;
  // No search for less, in hundredths.
  const unsigned gain_of_pieces = request.topology.nodes() <= 32 ? 2 : 10;
  const auto least_gain = [&](const Candidate& c) -> unsigned {
    if (c.pieces) return gain_of_pieces;
    if (irregular) return request.duplex == Duplex::Half ? 20 : 10;
    if (is_late(c) && winner.ports == PortModel::All) return 10;
    constexpr unsigned kManyFlits = 300;  // each a piece, or every third
    return c.algorithm->switching == Switching::Pipelined && request.flits >= kManyFlits ? 1 : 0;
  };
  std::string_view untried;
  // The most pieces that were compared, if all were, and the fewest cycles of what may be cut.
  std::uint32_t most_pieces = 1;
  bool all_pieces = true;
  std::uint64_t in_pieces = ~std::uint64_t{0};
  for (const Candidate& c : candidates) {
    if (may_try_pieces(*c.algorithm, request)) in_pieces = std::min(in_pieces, c.cycles);
    most_pieces = std::max(most_pieces, c.pieces.value_or(1));
  }
  std::vector<Candidate> losers;
  while (!candidates.empty()) {
    const auto next = std::ranges::min_element(candidates, {}, order);
    const Request through = asked_of(*next, request);
    const bool can_win = !best || cost(*next) < cost(winner);
    if (can_win && next->known == Known::Roughly) {
      const Floor floor(through, stages, *next->algorithm);
      next->cycles =
          std::max(next->cycles, next->pieces ? floor.of_pieces() : floor.of_model(next->formula));
      next->known = Known::AtLeast;
      continue;
    }
    Candidate one = std::move(*next);
    candidates.erase(next);
    const bool vain = best && one.algorithm->any_graph && least_gain(one) > 0 &&
                      100 * winner.cycles <= (100 + least_gain(one)) * one.cycles;
    const bool tried = can_win && !vain && !(best && is_slow(one, request));
    if (can_win && !tried && one.cycles < winner.cycles) {
      if (one.pieces) {
        all_pieces = false;
        continue;
      }
      untried = one.algorithm->name;
    }
    if (tried) {
      std::optional<Plan> plan;
      try {
        if (known != nullptr && known->contains(one.pieces)) {
          plan = {known->at(one.pieces), one.formula, one.algorithm};
        } else {
          plan = plan_with(*one.algorithm, through);
          const bool cuts = cuts_by_itself(*one.algorithm, request.collective);
          if (known != nullptr && !cuts) known->emplace(one.pieces, plan->schedule);
        }
        plan->timed = timing_of(plan->schedule, request.flits, stages);
      } catch (const InputError&) {  // no trees, or no output that adds up
        if (!best && candidates.empty()) throw;
        continue;
      }
      if (plan->timed) one.cycles = plan->timed->time.last_arrival;
      one.known = Known::Exactly;
      if (!best || cost(one) < cost(winner)) {
        if (best) losers.push_back(std::move(winner));
        best = std::move(plan);
        winner = std::move(one);
        continue;
      }
    }
    losers.push_back(std::move(one));
  }
  best->chosen = untried.empty() ? "fewest cycles of all choices"
                                 : fmt::format("{} may take fewer cycles", untried);
  if (untried.empty() && in_pieces < winner.cycles) {
    const std::uint64_t gain = 100 - 100 * in_pieces / winner.cycles;
    best->chosen += most_pieces == 1 ? "; pieces were not tried"
                    : all_pieces     ? fmt::format(", pieces by powers of 2 up to {}", most_pieces)
                                     : fmt::format("; pieces may save {} % at most", gain);
  }
  // The winner in other pieces is no other choice.
  std::erase_if(losers, [&](const Candidate& c) {
    return c.algorithm == winner.algorithm && c.ports == winner.ports;
  });
  if (const auto next = std::ranges::min_element(losers, {}, &Candidate::cycles);
      next != losers.end()) {
    best->runner_up = *next;
  }
  return *std::move(best);
}

std::optional<std::uint64_t> table_words(const Plan& plan, unsigned flits,
                                         const LinkStages& stages) {
  constexpr Node kMost = 256;
  const Schedule& s = plan.schedule;
  if (s.topology().nodes() > kMost || adaptive(s)) return std::nullopt;
  try {
    const Program one{.schedule = &s, .flits = flits, .stages = stages.on(s), .timed = plan.timed};
    return tables_of({one}).words;
  } catch (const InputError&) {  // larger than a node can be
    return std::nullopt;
  }
}

Plan plan_with_fewest_words(const Request& request, const std::vector<Candidate>& candidates,
                            const LinkStages& stages) {
  std::optional<Plan> best;
  std::pair<std::uint64_t, std::uint64_t> fewest;
  std::string why = "no tables hold it";
  for (const Candidate& c : candidates) {
    if (candidates.size() > 1 && is_slow(c, request)) continue;
    try {
      Plan plan = plan_with(*c.algorithm, asked_of(c, request));
      plan.timed = timing_of(plan.schedule, request.flits, stages);
      const auto words = plan.timed ? table_words(plan, request.flits, stages) : std::nullopt;
      if (!words) continue;
      const std::pair cost(*words, plan.timed->time.last_arrival);
      if (best && fewest <= cost) continue;
      fewest = cost;
      best = std::move(plan);
    } catch (const InputError& error) {  // no trees, or no output that adds up
      why = error.what();
    }
  }
  if (!best) throw NotFound(why);
  best->chosen = fmt::format("fewest words of tables: {}", fewest.first);
  return *std::move(best);
}

namespace {

/// The best of the formulas, or what a search finds with fewer rounds, if searching is quick.
Plan plan_with_fewest_rounds(Request request, std::span<const PortModel> ports) {
  /// Larger graphs are not searched where a formula gives a schedule: it may take minutes.
  constexpr Node kMostNodesToSearch = 256;
  // A schedule for one flit serves every length, and none that is cut for longer ones has fewer.
  if (request.sizes.equal()) request.flits = 1;
  const std::vector<Candidate> choices = choices_by_rounds(request, ports);
  const Candidate& best = choices.front();
  const auto plan_by = [&request](const Candidate& choice) {
    request.ports = choice.ports;
    return plan_with(*choice.algorithm, request);
  };
  std::optional<Plan> plan;
  if (!best.formula) plan = plan_by(best);
  std::string_view untried;
  for (const Candidate& other : std::span(choices).subspan(1)) {
    const std::uint64_t rounds = plan ? plan->schedule.rounds() : best.formula->rounds;
    const Model packets{other.ports, request.duplex, Switching::Packet, /*combining=*/false};
    if (request.regular() && !reduces(request.collective) &&
        lower_bound_rounds(request.topology, request.collective, packets, request.root) >= rounds) {
      continue;
    }
    if (request.topology.nodes() > kMostNodesToSearch) {
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

}  // namespace

Plan plan_with_best(const Case& c, const Request& request, const Algorithm* named) {
  const std::vector<PortModel> ports = ports_of(c);
  const bool both_ports =
      ports.size() > 1 && named != nullptr && std::ranges::all_of(ports, [&](PortModel model) {
        Request through = request;
        through.ports = model;
        return !refusal_of(*named, through);
      });
  std::vector<Candidate> choices;
  if (c.best != Best::Rounds && (named == nullptr || both_ports || named->cuts)) {
    choices = candidates(request, ports, c.stages, named);
  }
  if (choices.empty()) {
    return named != nullptr ? plan_with(*named, request) : plan_with_fewest_rounds(request, ports);
  }
  if (c.best == Best::Tables) return plan_with_fewest_words(request, choices, c.stages);
  Plan plan = plan_with_fewest_cycles(request, std::move(choices), c.stages);
  if (named == nullptr) return plan;
  plan.chosen = both_ports ? "fewest cycles" + through(plan.schedule.model().ports) : "";
  plan.runner_up.reset();
  return plan;
}

}  // namespace gossamer
