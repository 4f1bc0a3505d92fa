#pragma once

#include <functional>

#include "driver/runner.hpp"

/// A fabric that does what a test wants: first everything as predicted, then what `spoil` changes.
class FakeRunner final : public gossamer::Runner {
 public:
  using Spoil = std::function<void(const gossamer::Schedule&, gossamer::RunResult&)>;
  explicit FakeRunner(Spoil spoil = {}) : spoil_(std::move(spoil)) {}

  gossamer::RunResult run(const gossamer::Schedule& schedule,
                          const gossamer::RunOptions&) override {
    gossamer::RunResult result;
    if (spoil_) spoil_(schedule, result);
    return result;
  }

 private:
  Spoil spoil_;
};
