#pragma once

#include <functional>

#include "checker/checker.hpp"
#include "run/runner.hpp"
#include "tables/timing.hpp"

/// A runner without a fabric: results are as predicted, then `spoil` changes them.
class FakeRunner : public gossamer::Runner {
 public:
  using Spoil = std::function<void(const gossamer::Schedule&, gossamer::RunResult&)>;
  explicit FakeRunner(Spoil spoil = {}) : spoil_(std::move(spoil)) {}

  gossamer::RunResult run(const gossamer::Schedule& schedule,
                          const gossamer::RunOptions& options) override {
    gossamer::RunResult result;
    const gossamer::CheckReport check = gossamer::check(schedule);
    result.cycles_predicted = timed(schedule, options.flits)->time.last_arrival;
    result.cycles_measured = result.cycles_predicted;
    result.flits_moved = check.transmissions * options.flits / schedule.pieces();
    result.delivered = check.delivered;
    result.expected = check.expected;
    result.words_checked = check.delivered * options.flits;
    if (spoil_) spoil_(schedule, result);
    return result;
  }

 private:
  Spoil spoil_;
};
