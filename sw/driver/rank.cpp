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

/// Between lengths this close every length is looked at, on as few nodes.
constexpr unsigned kMostOfAllLengths = 64;
constexpr Node kNodesOfAllLengths = 32;

class Ranker {
 public:
  Ranker(const Case& c, const std::vector<unsigned>& flits)
      : case_(c),
        request_(default_request(c)),
        result_{request_, flits, {}, {}, {}, flits.size()} {}

  Ranking run() {
    check_meaning(case_, request_, nullptr);
    find_rows();
    for (std::size_t i = 0; i < result_.flits.size(); ++i) play(i);
    find_changes();
    sort();
    return std::move(result_);
  }

 private:
  /// What the best has least of.
  std::uint64_t cost(const std::optional<RankedPlan>& plan) const {
    constexpr std::uint64_t kNone = ~std::uint64_t{0};
    return !plan ? kNone : by_tables_ ? plan->words.value_or(kNone) : plan->cycles;
  }

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
    if (result_.rows.empty()) choices_by_rounds(request_, ports);  // says why there is none
    const auto slow = [&](const Ranked& row) {
      return is_slow({row.algorithm, row.model.ports}, request_);
    };
    const bool all_slow = std::ranges::all_of(result_.rows, slow);
    for (Ranked& row : result_.rows) row.tried = all_slow || !slow(row);
    known_.resize(result_.rows.size());
  }

  /// Of row `r` with messages of so many flits; nothing if it does not serve them, or finds
  /// nothing. `words`: of its tables are counted.
  std::optional<RankedPlan> plan(std::size_t r, unsigned flits, bool words) {
    const Ranked& row = result_.rows[r];
    Request request = request_;
    request.ports = row.model.ports;
    request.flits = flits;
    auto all = candidates(request, {{request.ports}}, case_.stages, row.algorithm);
    if (all.empty()) return std::nullopt;
    std::optional<Plan> plan;
    try {
      plan = by_tables_
                 ? plan_with_fewest_words(request, all, case_.stages)
                 : plan_with_fewest_cycles(request, std::move(all), case_.stages, &known_[r]);
    } catch (const InputError&) {  // no trees, or no output that adds up
    }
    if (!plan || !plan->timed) return std::nullopt;
    const Schedule& s = plan->schedule;
    std::uint32_t rounds = 0;
    for (const Transfer& t : s.transfers()) rounds = std::max(rounds, s.last_round(t));
    RankedPlan found{plan->timed->time.last_arrival, {}, rounds, s.pieces(), s.model().switching};
    if (words) found.words = table_words(*plan, flits, case_.stages);
    return found;
  }

  /// Messages of length number i.
  void play(std::size_t i) {
    const unsigned flits = result_.flits[i];
    std::uint64_t fewest = ~std::uint64_t{0};
    for (std::size_t r = 0; r < result_.rows.size(); ++r) {
      if (!result_.rows[r].tried) continue;
      auto& found = result_.rows[r].plans[i];
      found = plan(r, flits, true);
      fewest = std::min(fewest, cost(found));
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
      if (row.plans[i]) row.plans[i]->best = cost(row.plans[i]) == fewest;
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
      return std::tuple(cost(plan), complexity(*result_.rows[r].algorithm), r != ends.low,
                        r != ends.high, r);
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
    const bool at_all = !by_tables_ && request_.topology.nodes() <= kNodesOfAllLengths &&
                        high - low <= kMostOfAllLengths;
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
      if (fewest && !by_tables_ && c.cycles > fewest->cycles) break;
      const std::size_t r = row_of(c);
      if (r == planned.size() || !result_.rows[r].tried || planned[r]) continue;
      planned[r] = true;
      const std::optional<RankedPlan> found = plan(r, flits, by_tables_);
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
      std::vector<std::uint64_t> costs;
      for (const auto& plan : result_.rows[r].plans) costs.insert(costs.begin(), cost(plan));
      return costs;
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
  const bool by_tables_ = case_.best == Best::Tables;
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
