#include "driver/rank.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "bounds/bounds.hpp"
#include "driver/case.hpp"
#include "gossamer_constants.hpp"
#include "support/job.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"
#include "tables/timing.hpp"

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
           model_.duplex == Duplex::Full && least_ == most_ && !reduces(request_.collective);
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
namespace {

/// Between lengths this close every length is looked at, on as few nodes.
constexpr unsigned kMostOfAllLengths = 64;
constexpr Node kNodesOfAllLengths = 32;

class Ranker {
 public:
  Ranker(const Case& c, const std::vector<unsigned>& flits)
      : case_(c), request_(default_request(c, topology_of(c))), result_{request_, flits,
                                                                        {},       {},
                                                                        {},       flits.size()} {}

  Ranking run() {
    check_meaning(case_, request_, nullptr);
    find_rows();
    for (std::size_t i = 0; i < result_.flits.size(); ++i) play(i);
    find_changes();
    sort();
    return std::move(result_);
  }

 private:
  /// The number of a candidate's row, or of rows if it has none.
  std::size_t row_of(const Candidate& c) const {
    const auto row = std::ranges::find_if(result_.rows, [&](const Ranked& r) {
      return r.algorithm == c.algorithm && r.model.ports == c.ports;
    });
    return static_cast<std::size_t>(row - result_.rows.begin());
  }

  void find_rows() {
    const std::vector<PortModel> ports = ports_of(case_);
    for (const unsigned flits : result_.flits) {
      request_.flits = flits;
      for (const Candidate& c : candidates(request_, ports, case_.stages, nullptr)) {
        if (row_of(c) != result_.rows.size()) continue;
        const Algorithm& a = *c.algorithm;
        result_.rows.push_back({&a,
                                {c.ports, request_.duplex, a.switching, a.combining},
                                std::vector<std::optional<RankedPlan>>(result_.flits.size())});
      }
    }
    if (result_.rows.empty()) best_choice(request_, ports);  // says why there is none
    const auto slow = [&](const Ranked& row) {
      return is_slow({row.algorithm, row.model.ports}, request_);
    };
    const bool all_slow = std::ranges::all_of(result_.rows, slow);
    for (Ranked& row : result_.rows) row.tried = all_slow || !slow(row);
    known_.resize(result_.rows.size());
  }

  /// Of row `r` with messages of so many flits; nothing if it does not serve them, or finds nothing.
  std::optional<RankedPlan> plan(std::size_t r, unsigned flits) {
    const Ranked& row = result_.rows[r];
    Request request = request_;
    request.ports = row.model.ports;
    request.flits = flits;
    auto all = candidates(request, {{request.ports}}, case_.stages, row.algorithm);
    if (all.empty()) return std::nullopt;
    std::optional<Plan> plan;
    try {
      plan = plan_with_fewest_cycles(request, std::move(all), case_.stages, &known_[r]);
    } catch (const NotFound&) {
    }
    if (!plan || !plan->timed) return std::nullopt;
    const Schedule& s = plan->schedule;
    std::uint32_t rounds = 0;
    for (const Transfer& t : s.transfers()) rounds = std::max(rounds, s.last_round(t));
    return RankedPlan{plan->timed->time.last_arrival, rounds, s.pieces(), s.model().switching};
  }

  /// Messages of length number i.
  void play(std::size_t i) {
    const unsigned flits = result_.flits[i];
    std::uint64_t fewest = ~std::uint64_t{0};
    for (std::size_t r = 0; r < result_.rows.size(); ++r) {
      if (!result_.rows[r].tried) continue;
      auto& found = result_.rows[r].plans[i];
      found = plan(r, flits);
      if (found) fewest = std::min(fewest, found->cycles);
    }
    // Of nodes that join and of those that do not.
    const auto bound = [&](Switching switching) {
      return bound_of_cycles(empty_schedule(request_, {request_.ports, request_.duplex, switching}),
                             ports_of(case_).back(), flits,
                             case_.stages.on(request_.whole_topology(), Switching::Packet))
          .value;
    };
    result_.bounds.push_back(std::min(bound(Switching::Packet), bound(Switching::Pipelined)));
    for (Ranked& row : result_.rows) {
      if (row.plans[i]) row.plans[i]->best = row.plans[i]->cycles == fewest;
    }
  }

  /// The rows that are best for shorter and for longer messages.
  struct Ends {
    std::size_t low = 0, high = 0;
  };
  /// Is row a better than row b for messages of one length? Of equal ones the simpler; or else that
  /// of an end.
  bool better(std::size_t a, const std::optional<RankedPlan>& plan_a, std::size_t b,
              const std::optional<RankedPlan>& plan_b, const Ends& ends) const {
    const auto key = [&](std::size_t r, const std::optional<RankedPlan>& plan) {
      return std::tuple(plan ? plan->cycles : ~std::uint64_t{0},
                        complexity(*result_.rows[r].algorithm), r != ends.low, r != ends.high, r);
    };
    return key(a, plan_a) < key(b, plan_b);
  }

  void find_changes() {
    std::size_t before = 0;
    for (std::size_t i = 0; i < result_.flits.size(); ++i) {
      std::size_t best = 0;
      for (std::size_t r = 1; r < result_.rows.size(); ++r) {
        const auto& rows = result_.rows;
        if (better(r, rows[r].plans[i], best, rows[best].plans[i], {before, before})) best = r;
      }
      if (i == 0) {
        result_.best.push_back({result_.flits[i], best});
      } else {
        look_between(result_.flits[i - 1], result_.flits[i], {before, best});
      }
      before = best;
    }
  }

  /// Finds the changes between two lengths, of which these rows are the best, by halves.
  void look_between(unsigned low, unsigned high, const Ends& ends) {
    const bool at_all =
        request_.topology.nodes() <= kNodesOfAllLengths && high - low <= kMostOfAllLengths;
    if (high - low > 1 && (ends.low != ends.high || at_all)) {
      const unsigned middle = low + (high - low) / 2;
      const std::size_t best = best_with(middle, ends);
      look_between(low, middle, {ends.low, best});
      look_between(middle, high, {best, ends.high});
    } else if (ends.low != ends.high) {
      result_.best.push_back({high, ends.high});
    }
  }

  /// The best row for messages of so many flits. What cannot be it is not planned.
  std::size_t best_with(unsigned flits, const Ends& ends) {
    request_.flits = flits;
    ++result_.compared;
    std::vector<Candidate> all = candidates(request_, ports_of(case_), case_.stages, nullptr);
    std::ranges::stable_sort(all, {}, &Candidate::cycles);
    std::size_t best = 0;
    std::optional<RankedPlan> fewest;
    std::vector<bool> planned(result_.rows.size());
    for (const Candidate& c : all) {
      if (fewest && c.cycles > fewest->cycles) break;
      const std::size_t r = row_of(c);
      if (r == planned.size() || !result_.rows[r].tried || planned[r]) continue;
      planned[r] = true;
      const std::optional<RankedPlan> found = plan(r, flits);
      if (!better(r, found, best, fewest, ends)) continue;
      best = r;
      fewest = found;
    }
    return best;
  }

  /// And leaves out what serves none of the lengths.
  void sort() {
    std::vector<std::size_t> order;
    for (std::size_t r = 0; r < result_.rows.size(); ++r) {
      const Ranked& row = result_.rows[r];
      const bool serves = std::ranges::any_of(row.plans, [](const auto& p) { return bool{p}; });
      if (serves || !row.tried) order.push_back(r);
    }
    const auto key = [&](std::size_t r) {
      std::vector<std::uint64_t> cycles;
      for (const auto& plan : result_.rows[r].plans) {
        cycles.insert(cycles.begin(), plan ? plan->cycles : ~std::uint64_t{0});
      }
      return cycles;
    };
    std::ranges::stable_sort(order, {}, key);
    std::vector<Ranked> rows;
    for (const std::size_t r : order) rows.push_back(std::move(result_.rows[r]));
    result_.rows = std::move(rows);
    for (BestFrom& b : result_.best) {
      b.row = static_cast<std::size_t>(std::ranges::find(order, b.row) - order.begin());
    }
  }

  const Case& case_;
  Request request_;
  std::vector<KnownSchedules> known_;  ///< by row
  Ranking result_;
};

}  // namespace

std::string switching_of(const Ranked& row) {
  std::vector<std::string_view> all;
  for (const auto& plan : row.plans) {
    if (!plan) continue;
    const std::string_view word = to_string(plan->switching);
    if (std::ranges::find(all, word) == all.end()) all.push_back(word);
  }
  if (all.empty()) all.push_back(to_string(row.model.switching));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::vector<unsigned> lengths(const std::string& option, const std::string& text) {
  std::vector<unsigned> all;
  for (const std::string_view one : split(text, ',')) {
    all.push_back(static_cast<unsigned>(number(option, one, 1, kMaxFlits)));
    if (all.size() > 1 && all[all.size() - 2] >= all.back()) {
      refuse("{}: {} after {}; expected ascending numbers, such as 1,8,64", option, all.back(),
             all[all.size() - 2]);
    }
  }
  return all;
}

Ranking rank(const Case& c, const std::vector<unsigned>& flits) {
  if (c.topology.empty()) {
    throw InputError("nothing to rank: give a topology, such as torus:4x4");
  }
  return Ranker(c, flits).run();
}

}  // namespace gossamer
