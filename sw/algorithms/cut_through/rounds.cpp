#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <tuple>
#include <utility>

#include "algorithms/any_graph/any_graph.hpp"
#include "algorithms/cut_through/cut_through.hpp"
#include "schedule/schedule.hpp"
#include "support/job.hpp"

namespace gossamer::cut_through {
namespace {

using any_graph::Random;

class Steps {
 public:
  Steps(const std::vector<Step>& steps, std::uint32_t hop)
      : all(steps), hop_rounds(hop), begin_(steps.size() + 1, 0) {
    for (const Step& step : all) {
      arc_of.push_back(step.arc);
      arcs = std::max(arcs, step.arc + 1);
      if (step.before != Step::kNone) ++begin_[step.before + 1];
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    next_.resize(begin_.back());
    std::vector<std::uint32_t> at = begin_;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (all[i].before != Step::kNone) next_[at[all[i].before]++] = i;
    }
    measure();
  }

  std::span<const std::uint32_t> after(std::uint32_t step) const {
    return {next_.data() + begin_[step], begin_[step + 1] - begin_[step]};
  }

  const std::vector<Step>& all;
  std::vector<std::uint32_t> arc_of;  ///< by step
  std::uint32_t hop_rounds;
  std::uint32_t arcs = 0;
  std::vector<std::uint32_t> behind;  ///< by step: those on the longest way after it
  std::uint32_t fewest_rounds = 0;    ///< that all steps can take

 private:
  /// An arc needs a round for each of its steps, and so does the longest way.
  void measure() {
    behind.assign(all.size(), 0);
    std::vector<std::uint32_t> ahead(all.size(), 0), load(arcs, 0);
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      ++load[all[i].arc];
      if (all[i].before != Step::kNone) ahead[i] = ahead[all[i].before] + 1;
    }
    for (std::size_t i = all.size(); i-- > 0;) {
      fewest_rounds =
          std::max({fewest_rounds, load[all[i].arc], (ahead[i] + behind[i]) * hop_rounds + 1});
      if (all[i].before == Step::kNone) continue;
      std::uint32_t& of_before = behind[all[i].before];
      of_before = std::max(of_before, behind[i] + 1);
    }
  }

  std::vector<std::uint32_t> begin_, next_;
};

class Attempt {
 public:
  Attempt(const Steps& steps, const std::vector<std::uint32_t>& reverse, std::uint32_t number)
      : steps_(steps),
        reverse_(reverse),
        random_(number),
        rounds_(steps.all.size(), 0),
        at_(steps.arcs),
        order_(steps.arcs),
        last_use_(reverse.size(), 0),
        came_(steps.hop_rounds + 1),
        missed_(kPipelinedStoreRounds + 1) {
    std::iota(order_.begin(), order_.end(), 0u);
    rank(number);
  }

  /// Nothing if it takes `most` rounds or more.
  std::vector<std::uint32_t> run(std::uint32_t most) {
    for (std::uint32_t i = 0; i < steps_.all.size(); ++i) {
      if (steps_.all[i].before == Step::kNone) at_[steps_.arc_of[i]].stored.push({ranks_[i], i});
    }
    std::size_t left = steps_.all.size();
    while (left > 0) {
      stop_if_interrupted();
      if (++round_ >= most) return {};
      left -= play_round();
    }
    return std::move(rounds_);
  }

  std::uint32_t rounds() const { return round_; }

 private:
  using Entry = std::pair<std::uint64_t, std::uint32_t>;  // rank, step

  /// What may go over an arc, the highest rank first.
  struct Waiting {
    std::priority_queue<Entry> stored;
    std::vector<Entry> passing;  ///< what came a hop before
  };

  void rank(std::uint32_t number) {
    std::uint32_t last = 0;
    for (const Step& step : steps_.all) last = std::max(last, step.round);
    const std::uint32_t noise = number / 2 % 4;
    for (std::uint32_t i = 0; i < steps_.all.size(); ++i) {
      std::uint64_t rank = number % 2 == 0 ? steps_.behind[i] : last - steps_.all[i].round;
      if (noise != 0) rank = 4 * rank + random_.below(4 * noise);
      ranks_.push_back(rank << 32 | (random_.next() >> 32));
    }
  }

  /// Has the half-duplex link of the arc just been used the other way?
  bool turns(std::uint32_t arc) const {
    if (reverse_.empty()) return false;
    const std::uint32_t back = last_use_[reverse_[arc]];
    return back != 0 && back + steps_.hop_rounds >= round_;
  }

  /// Returns the number of steps made.
  std::size_t play_round() {
    std::vector<std::uint32_t>& now = came_[round_ % came_.size()];
    for (const std::uint32_t i : now) at_[steps_.arc_of[i]].passing.emplace_back(ranks_[i], i);
    now.clear();
    // What could not pass through two rounds ago is in the store by now.
    std::vector<std::uint32_t>& old = missed_[round_ % missed_.size()];
    for (const std::uint32_t i : old) at_[steps_.arc_of[i]].stored.push({ranks_[i], i});
    old.clear();
    made_.clear();
    if (!reverse_.empty()) random_.shuffle(order_);
    for (const std::uint32_t arc : order_) {
      Waiting& here = at_[arc];
      const std::size_t before = made_.size();
      const auto pass = std::ranges::max_element(here.passing);
      const bool passes =
          pass != here.passing.end() && (here.stored.empty() || *pass > here.stored.top());
      if (turns(arc)) {
        // Nothing goes this way now.
      } else if (passes) {
        made_.push_back(pass->second);
        here.passing.erase(pass);
      } else if (!here.stored.empty()) {
        made_.push_back(here.stored.top().second);
        here.stored.pop();
      }
      if (!reverse_.empty() && made_.size() > before) last_use_[arc] = round_;
      for (const Entry& entry : here.passing) {
        missed_[(round_ + kPipelinedStoreRounds) % missed_.size()].push_back(entry.second);
      }
      here.passing.clear();
    }
    std::vector<std::uint32_t>& later = came_[(round_ + steps_.hop_rounds) % came_.size()];
    for (const std::uint32_t i : made_) {
      rounds_[i] = round_;
      const auto after = steps_.after(i);
      later.insert(later.end(), after.begin(), after.end());
    }
    return made_.size();
  }

  const Steps& steps_;
  const std::vector<std::uint32_t>& reverse_;
  Random random_;
  std::vector<std::uint64_t> ranks_;
  std::vector<std::uint32_t> rounds_;
  std::vector<Waiting> at_;                         ///< by arc
  std::vector<std::uint32_t> order_, last_use_;     ///< of arcs; by arc: a round
  std::vector<std::vector<std::uint32_t>> came_;    ///< by round in which they can pass through
  std::vector<std::vector<std::uint32_t>> missed_;  ///< by round in which they are in the store
  std::vector<std::uint32_t> made_;                 ///< in this round
  std::uint32_t round_ = 0;
};

}  // namespace

std::vector<std::uint32_t> retimed(const std::vector<Step>& steps,
                                   const std::vector<std::uint32_t>& reverse, std::uint32_t hop) {
  constexpr std::uint64_t kEnough = 3'000'000;  // steps of all attempts
  constexpr std::uint32_t kAttempts = 200;
  const Steps prepared(steps, hop);
  std::vector<std::uint32_t> best;
  std::uint32_t rounds = ~std::uint32_t{0};
  std::uint64_t work = 0;
  for (std::uint32_t number = 0; number < kAttempts; ++number) {
    Attempt attempt(prepared, reverse, number);
    if (auto found = attempt.run(rounds); !found.empty()) {
      best = std::move(found);
      rounds = attempt.rounds();
    }
    work += steps.size();
    if (rounds <= prepared.fewest_rounds || work >= kEnough) break;
  }
  return best;
}

namespace {

using any_graph::Random;

/// The ways of all messages, in an order in which each is later than the one that it continues.
class Ways {
 public:
  struct Way {
    std::uint32_t before = Step::kNone;
    std::uint32_t from = 0, to = 0;
    std::vector<std::uint32_t> steps;
    std::vector<std::uint32_t> then;  ///< ways that go on where this one ends
    std::uint32_t behind = 0;         ///< steps of this way and of the longest one after it
  };

  Ways(const std::vector<Step>& all_steps, std::size_t arcs_at_least)
      : steps(all_steps), arcs(static_cast<std::uint32_t>(arcs_at_least)) {
    std::vector<std::uint32_t> followers(steps.size(), 0), way_of(steps.size());
    for (const Step& step : steps) {
      arcs = std::max(arcs, step.arc + 1);
      ports = std::max({ports, step.from + 1, step.to + 1});
      if (step.before != Step::kNone) ++followers[step.before];
    }
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
      const std::uint32_t before = steps[i].before;
      // What goes on in two directions is sent from the store.
      const bool starts = before == Step::kNone || steps[before].stored || followers[before] > 1;
      way_of[i] = starts ? static_cast<std::uint32_t>(all.size()) : way_of[before];
      if (starts) {
        all.push_back(
            {before == Step::kNone ? Step::kNone : way_of[before], steps[i].from, 0, {}, {}});
        if (before != Step::kNone) all[way_of[before]].then.push_back(way_of[i]);
      }
      all[way_of[i]].steps.push_back(i);
      all[way_of[i]].to = steps[i].to;
    }
    std::vector<std::uint32_t> on_arc(arcs, 0), ends_at(ports, 0), starts_at(ports, 0);
    for (const Step& step : steps) fewest = std::max(fewest, ++on_arc[step.arc]);
    for (const Way& way : all) {
      fewest = std::max(fewest, ++ends_at[way.to]);
      if (way.before == Step::kNone) fewest = std::max(fewest, ++starts_at[way.from]);
    }
    for (std::size_t w = all.size(); w-- > 0;) {
      all[w].behind += static_cast<std::uint32_t>(all[w].steps.size());
      if (all[w].before == Step::kNone) continue;
      all[all[w].before].behind = std::max(all[all[w].before].behind, all[w].behind);
    }
  }

  const std::vector<Step>& steps;
  std::vector<Way> all;
  std::uint32_t arcs, ports = 0;
  std::uint32_t fewest = 1;  ///< rounds that the busiest of them needs
};

class Booking {
 public:
  Booking(const Ways& ways, const std::vector<std::uint32_t>& reverse, Random random)
      : ways_(ways),
        reverse_(reverse),
        random_(random),
        count_(ways.arcs + 2 * std::size_t{ways.ports}),
        waiting_(ways.arcs),
        first_arcs_(ways.ports),
        rounds_(ways.steps.size(), 0) {
    const std::uint32_t noise = 1 + random_.below(4) * random_.below(4);
    for (const Ways::Way& way : ways_.all) {
      rank_.push_back((std::uint64_t{4} * way.behind + random_.below(4 * noise)) << 32 |
                      (random_.next() >> 32));
      auto& arcs = first_arcs_[way.from];
      if (std::ranges::find(arcs, first_arc(way)) == arcs.end()) arcs.push_back(first_arc(way));
    }
  }

  /// Nothing if it takes `most` rounds or more.
  bool run(std::uint32_t most) {
    std::vector<std::uint32_t> ports(ways_.ports), first;
    std::iota(ports.begin(), ports.end(), 0u);
    for (std::uint32_t w = 0; w < ways_.all.size(); ++w) {
      if (ways_.all[w].before == Step::kNone) first.push_back(w);
    }
    stored_.push_back(std::move(first));
    std::size_t left = ways_.all.size();
    while (left > 0) {
      stop_if_interrupted();
      if (++round_ >= most) return false;
      left -= pass();
      take_out_of_store();
      random_.shuffle(ports);
      for (const std::uint32_t port : ports) left -= start_one(port) ? 1 : 0;
    }
    return last_ < most;
  }

  std::uint32_t rounds() const { return last_; }
  std::uint64_t work() const { return work_; }

  /// The fewest rounds after which nothing is used twice if all is done again and again.
  std::uint32_t period() {
    std::uint32_t period = ways_.fewest;
    while (collides(period)) ++period;
    return period;
  }
  std::vector<std::uint32_t> take_rounds() { return std::move(rounds_); }

 private:
  // What is used: arcs, then ports that receive, then ports that send.
  std::size_t receives(std::uint32_t port) const { return ways_.arcs + std::size_t{port}; }
  std::size_t sends(std::uint32_t port) const {
    return receives(port) + (reverse_.empty() ? ways_.ports : 0);
  }
  bool is_free(std::size_t one, std::uint32_t round) const {
    return round >= uses_.size() || !uses_[round][one];
  }
  /// Is the arc free, and does its half-duplex link not turn at once?
  bool is_free_arc(std::uint32_t arc, std::uint32_t round) const {
    if (!is_free(arc, round)) return false;
    if (reverse_.empty()) return true;
    const std::uint32_t back = reverse_[arc];
    return is_free(back, round - 1) && is_free(back, round) && is_free(back, round + 1);
  }
  void use(std::size_t one, std::uint32_t round) {
    while (round >= uses_.size()) uses_.emplace_back(count_, false);
    uses_[round][one] = true;
  }

  bool collides(std::uint32_t period) {
    work_ += 8 * count_;  // they are written anew
    std::vector<std::vector<bool>> seen(period, std::vector<bool>(count_, false));
    for (std::uint32_t r = 0; r < uses_.size(); ++r) {
      for (std::size_t one = 0; one < count_; ++one) {
        if (!uses_[r][one]) continue;
        if (seen[r % period][one]) return true;
        seen[r % period][one] = true;
      }
    }
    for (std::uint32_t r = 0; r < period; ++r) {
      for (std::uint32_t arc = 0; arc < reverse_.size(); ++arc) {
        const std::uint32_t back = reverse_[arc];
        if (seen[r][arc] && (seen[r][back] || seen[(r + 1) % period][back])) return true;
      }
    }
    return false;
  }

  /// Begins a way in this round, if all is free that it needs.
  bool start(std::uint32_t w) {
    const Ways::Way& way = ways_.all[w];
    const auto last = round_ + static_cast<std::uint32_t>(way.steps.size()) - 1;
    ++work_;
    if (!is_free(receives(way.to), last)) return false;
    for (std::uint32_t h = 0; h < way.steps.size(); ++h, ++work_) {
      if (!is_free_arc(ways_.steps[way.steps[h]].arc, round_ + h)) return false;
    }
    for (std::uint32_t h = 0; h < way.steps.size(); ++h) {
      use(ways_.steps[way.steps[h]].arc, round_ + h);
      rounds_[way.steps[h]] = round_ + h;
    }
    use(receives(way.to), last);
    last_ = std::max(last_, last);
    if (arrived_.size() <= last) arrived_.resize(last + std::size_t{1});
    arrived_[last].push_back(w);
    return true;
  }

  /// What arrived in the last round goes on, one way of each; the rest waits for the store.
  std::size_t pass() {
    if (round_ > arrived_.size()) return 0;
    std::size_t passed = 0;
    const std::vector<std::uint32_t> arrived = arrived_[round_ - 1];
    for (const std::uint32_t before : arrived) {
      std::vector<std::uint32_t> then = ways_.all[before].then;
      std::ranges::sort(then, std::greater{}, [&](std::uint32_t w) { return rank_[w]; });
      const auto first = std::ranges::find_if(then, [&](std::uint32_t w) { return start(w); });
      if (first != then.end()) {
        then.erase(first);
        ++passed;
      }
      const std::uint32_t later = round_ + kPipelinedStoreRounds;
      if (stored_.size() <= later) stored_.resize(later + std::size_t{1});
      stored_[later].insert(stored_[later].end(), then.begin(), then.end());
    }
    return passed;
  }

  void take_out_of_store() {
    const std::uint32_t now = round_ == 1 ? 0 : round_;  // what is there from the start is number 0
    if (now >= stored_.size()) return;
    for (const std::uint32_t w : stored_[now]) {
      auto& waiting = waiting_[first_arc(ways_.all[w])];
      const auto rank = [&](std::uint32_t v) { return rank_[v]; };
      waiting.insert(std::ranges::lower_bound(waiting, rank(w), std::greater{}, rank), w);
    }
  }

  std::uint32_t first_arc(const Ways::Way& way) const { return ways_.steps[way.steps[0]].arc; }

  /// The first way that can start at the port, of those whose first arcs are free.
  bool start_one(std::uint32_t port) {
    if (!is_free(sends(port), round_)) return false;
    use(sends(port), round_);  // so that nothing comes to it, either, with half duplex
    struct List {
      std::uint32_t arc;
      std::size_t next;
    };
    std::vector<List> lists;
    for (const std::uint32_t arc : first_arcs_[port]) {
      if (!waiting_[arc].empty() && is_free_arc(arc, round_)) lists.push_back({arc, 0});
    }
    while (!lists.empty()) {
      const auto at = std::ranges::max_element(
          lists, {}, [&](const List& l) { return rank_[waiting_[l.arc][l.next]]; });
      std::vector<std::uint32_t>& waiting = waiting_[at->arc];
      if (start(waiting[at->next])) {
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(at->next));
        return true;
      }
      if (++at->next == waiting.size()) lists.erase(at);
    }
    uses_[round_][sends(port)] = false;
    return false;
  }

  const Ways& ways_;
  const std::vector<std::uint32_t>& reverse_;
  Random random_;
  std::size_t count_;                                   ///< of what is used
  std::vector<std::vector<bool>> uses_;                 ///< by round
  std::vector<std::uint64_t> rank_;                     ///< by way; the highest goes first
  std::vector<std::vector<std::uint32_t>> waiting_;     ///< by first arc: ways that may start
  std::vector<std::vector<std::uint32_t>> first_arcs_;  ///< by port
  std::vector<std::vector<std::uint32_t>> stored_;  ///< by round: those that may start from then on
  std::vector<std::vector<std::uint32_t>> arrived_;  ///< by round: those that ended in it
  std::vector<std::uint32_t> rounds_;                ///< by step
  std::uint32_t round_ = 0, last_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace

Reserved reserved(const std::vector<Step>& steps, const std::vector<std::uint32_t>& reverse,
                  std::uint32_t pieces, std::uint32_t seed) {
  constexpr std::uint64_t kEnough = 3'000'000;  // arcs looked at in all attempts
  constexpr std::uint32_t kAttempts = 1000;
  const Ways ways(steps, reverse.size());
  Reserved best;
  std::uint64_t rounds = ~std::uint64_t{0}, work = 0;
  Random random(seed);
  for (std::uint32_t i = 0; i < kAttempts && work < kEnough; ++i) {
    Booking attempt(ways, reverse, Random(random.next()));
    constexpr std::uint64_t kMost = ~std::uint32_t{0};
    const bool done = attempt.run(static_cast<std::uint32_t>(
        std::min(kMost, rounds - (pieces - 1) * std::uint64_t{ways.fewest})));
    const std::uint32_t period = done && pieces > 1 ? attempt.period() : 1;
    work += attempt.work();
    const std::uint64_t takes = attempt.rounds() + std::uint64_t{pieces - 1} * period;
    if (!done || takes >= rounds) continue;
    rounds = takes;
    best = {attempt.take_rounds(), period};
    if (rounds <= std::uint64_t{pieces} * ways.fewest) break;
  }
  return best;
}

}  // namespace gossamer::cut_through
