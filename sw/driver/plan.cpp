#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
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
  bool refuses() const {
    return model_.switching == Switching::Pipelined && !cuts_ && request_.flits > hop();
  }

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
  const bool fits =
      s.model().switching != Switching::Pipelined ||
      PieceFlits{flits, s.pieces()}.of(0) * s.model().hop_rounds <= cycles_of_hop(s, links, 0);
  if (!fits || s.rounds() > kMaxRounds) return nullptr;
  return timed(s, flits, links);
}

}  // namespace

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

Plan plan_with_fewest_rounds(Request request, std::span<const PortModel> ports) {
  /// Larger graphs are not searched where a formula gives a schedule: it may take minutes.
  constexpr Node kMostNodesToSearch = 256;
  // A schedule for one flit serves every length, and none that is cut for longer ones has fewer.
  if (request.sizes.equal()) request.flits = 1;
  const Choice best = best_choice(request, ports);
  const auto plan_by = [&request](const Choice& choice) {
    request.ports = choice.ports;
    return plan_with(*choice.algorithm, request);
  };
  std::optional<Plan> plan;
  if (best.formula.text.empty()) plan = plan_by(best);
  std::string_view untried;
  for (const Choice& other : choices_without_formula(request, ports)) {
    if (other.algorithm == best.algorithm && other.ports == best.ports) continue;
    const std::uint64_t rounds = plan ? plan->schedule.rounds() : best.formula.rounds;
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
        Candidate cut{&algorithm, model, pieces};
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
    best->runner_up = {next->algorithm->name, next->ports, next->pieces.value_or(1), next->cycles,
                       next->known == Known::Exactly};
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
  std::vector<Candidate> choices = candidates(request, ports_of(c), c.stages, &named);
  if (c.best == Best::Tables) return plan_with_fewest_words(request, choices, c.stages);
  Plan plan = plan_with_fewest_cycles(request, std::move(choices), c.stages);
  plan.chosen = both_ports ? "fewest cycles" + through(plan.schedule.model().ports) : "";
  plan.runner_up.reset();
  return plan;
}

Plan plan_by_choice(const Case& c, const Topology& topology, PlannedTo what) {
  const Request request = default_request(c, topology);
  const std::vector<PortModel> ports = ports_of(c);
  check_meaning(c, request, nullptr);
  std::vector<Candidate> choices;
  if (c.best != Best::Rounds) choices = candidates(request, ports, c.stages, nullptr);
  if (choices.empty()) best_choice(request, ports);  // says why there is none
  if (what == PlannedTo::Run) refuse_unrunnable(topology, request.collective, flits_before(c));
  if (choices.empty()) return plan_with_fewest_rounds(request, ports);
  if (c.best == Best::Tables) return plan_with_fewest_words(request, choices, c.stages);
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

Request default_request(const Case& c, const Topology& topology) {
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
    plan.schedule.planned_for = PlannedFor{schedule.sizes.equal() ? flits : 0, c.stages.numbers()};
  }
  refuse_flits(schedule, flits, stages_of(c, schedule).on(schedule));
  if (what == PlannedTo::Run) refuse_unrunnable(schedule.topology(), schedule.collective(), flits);
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

}  // namespace gossamer
