#include "driver/rank.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "bounds/bounds.hpp"
#include "driver/choose.hpp"
#include "driver/values.hpp"
#include "support/error.hpp"
#include "tables/timing.hpp"

namespace gossamer {
namespace {

/// Between lengths this close every length is looked at, on as few nodes.
constexpr unsigned kMostOfAllLengths = 64;
constexpr Node kNodesOfAllLengths = 32;

/// A row of the ranking, and how it comes about.
class Row {
 public:
  Row(const Algorithm& algorithm, PortModel ports, const LinkStages& stages)
      : algorithm_(algorithm), ports_(ports), stages_(stages) {}

  bool is(const Candidate& c) const { return c.algorithm == &algorithm_ && c.ports == ports_; }

  /// With messages of so many flits; nothing if it does not serve them.
  std::optional<RankedPlan> plan(Request request, unsigned flits) {
    request.ports = ports_;
    request.flits = flits;
    auto all = candidates(request, {{ports_}}, stages_, &algorithm_);
    if (all.empty()) return std::nullopt;
    schedule_ = plan_with_fewest_cycles(request, std::move(all), stages_, &known_).schedule;
    const Schedule& s = *schedule_;
    const PortStages links = stages_.on(s);
    const bool fits = s.model().switching != Switching::Pipelined ||
                      PieceFlits{flits, s.pieces()}.of(0) * s.model().hop_rounds <=
                          Timeline::hop_cycles(links, 0);
    if (!fits || s.rounds() > kMaxRounds) return std::nullopt;
    std::uint32_t rounds = 0;
    for (const Transfer& t : s.transfers()) rounds = std::max(rounds, s.last_round(t));
    return RankedPlan{timed(s, flits, links)->time.last_arrival, rounds, s.pieces(),
                      s.model().switching};
  }

  Ranked empty(const Request& request, std::size_t lengths) const {
    return {&algorithm_,
            {ports_, request.duplex, algorithm_.switching, algorithm_.combining},
            std::vector<std::optional<RankedPlan>>(lengths)};
  }

 private:
  const Algorithm& algorithm_;
  PortModel ports_;
  const LinkStages& stages_;
  KnownSchedules known_;
  std::optional<Schedule> schedule_;
};

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
  void find_rows() {
    const std::vector<PortModel> ports = ports_of(case_);
    std::vector<Candidate> all;
    for (const unsigned flits : result_.flits) {
      request_.flits = flits;
      for (Candidate& c : candidates(request_, ports, case_.stages, nullptr)) {
        const bool known = std::ranges::any_of(rows_, [&](const Row& row) { return row.is(c); });
        if (known) continue;
        rows_.emplace_back(*c.algorithm, c.ports, case_.stages);
        all.push_back(std::move(c));
      }
    }
    if (all.empty()) best_choice(request_, ports);  // says why there is none
    const bool all_slow =
        std::ranges::all_of(all, [&](const Candidate& c) { return is_slow(c, request_); });
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      result_.rows.push_back(rows_[r].empty(request_, result_.flits.size()));
      result_.rows[r].tried = all_slow || !is_slow(all[r], request_);
    }
  }

  /// Messages of length number i.
  void play(std::size_t i) {
    const unsigned flits = result_.flits[i];
    std::uint64_t fewest = ~std::uint64_t{0};
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (!result_.rows[r].tried) continue;
      auto& plan = result_.rows[r].plans[i];
      plan = rows_[r].plan(request_, flits);
      if (!plan) continue;
      fewest = std::min(fewest, plan->cycles);
    }
    result_.bounds.push_back(
        bound_of_cycles(empty_schedule(request_, {request_.ports, request_.duplex}),
                        ports_of(case_).back(), flits,
                        case_.stages.on(request_.topology, Switching::Packet))
            .value);
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
      for (std::size_t r = 1; r < rows_.size(); ++r) {
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
    std::vector<bool> planned(rows_.size());
    for (const Candidate& c : all) {
      if (fewest && c.cycles > fewest->cycles) break;
      const auto r = static_cast<std::size_t>(
          std::ranges::find_if(rows_, [&](const Row& row) { return row.is(c); }) - rows_.begin());
      if (r == rows_.size() || !result_.rows[r].tried || planned[r]) continue;
      planned[r] = true;
      const std::optional<RankedPlan> plan = rows_[r].plan(request_, flits);
      if (!better(r, plan, best, fewest, ends)) continue;
      best = r;
      fewest = plan;
    }
    return best;
  }

  /// And leaves out what serves none of the lengths.
  void sort() {
    std::vector<std::size_t> order;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
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
  std::vector<Row> rows_;
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
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto one = std::string_view(text).substr(begin, end - begin);
    all.push_back(static_cast<unsigned>(number(option, one, 1, kMaxFlits)));
    if (all.size() > 1 && all[all.size() - 2] >= all.back()) {
      throw InputError(fmt::format("{}: {} after {}; expected ascending numbers, such as 1,8,64",
                                   option, all.back(), all[all.size() - 2]));
    }
    begin = end + 1;
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
