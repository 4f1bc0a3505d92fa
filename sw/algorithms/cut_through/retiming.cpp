// A list schedule, round by round.
//
// In a round each arc takes a step that may be made now: of a message that came a hop before and
// passes through, or of one in the store. Among these it takes the one with most to do
// afterwards: with the longest way behind it, or, in every second attempt, the one that was first
// in the schedule for packets. Random numbers decide between equals, and now and then against the
// order, so that each attempt is another one. The shortest counts.
#include "algorithms/cut_through/cut_through.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <span>
#include <tuple>
#include <utility>

#include "algorithms/any_graph/search.hpp"
#include "schedule/model.hpp"
#include "support/job.hpp"

namespace gossamer::cut_through {
namespace {

using any_graph::Random;

class Steps {
 public:
  Steps(const std::vector<Step>& steps, std::uint32_t hop)
      : all(steps), hop_rounds(hop), begin_(steps.size() + 1, 0) {
    for (const Step& step : all) {
      arcs = std::max(arcs, step.arc + 1);
      if (step.before != kNoStep) ++begin_[step.before + 1];
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    next_.resize(begin_.back());
    std::vector<std::uint32_t> at = begin_;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (all[i].before != kNoStep) next_[at[all[i].before]++] = i;
    }
    measure();
  }

  std::span<const std::uint32_t> after(std::uint32_t step) const {
    return {next_.data() + begin_[step], begin_[step + 1] - begin_[step]};
  }

  const std::vector<Step>& all;
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
      if (all[i].before != kNoStep) ahead[i] = ahead[all[i].before] + 1;
    }
    for (std::size_t i = all.size(); i-- > 0;) {
      fewest_rounds =
          std::max({fewest_rounds, load[all[i].arc], (ahead[i] + behind[i]) * hop_rounds + 1});
      if (all[i].before == kNoStep) continue;
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
      if (steps_.all[i].before == kNoStep) at_[steps_.all[i].arc].stored.push({ranks_[i], i});
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
    for (const std::uint32_t i : now) at_[steps_.all[i].arc].passing.emplace_back(ranks_[i], i);
    now.clear();
    // What could not pass through two rounds ago is in the store by now.
    std::vector<std::uint32_t>& old = missed_[round_ % missed_.size()];
    for (const std::uint32_t i : old) at_[steps_.all[i].arc].stored.push({ranks_[i], i});
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

}  // namespace gossamer::cut_through
