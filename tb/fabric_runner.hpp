#pragma once

#include "driver/runner.hpp"
#include "fabric/ranks.hpp"

namespace gossamer::tb {

/// Compiles a schedule, loads it into a fabric of the engine asked for, runs it and judges the
/// outcome: words against their origins, cycles against the prediction, errors of the hardware.
///
/// With several ranks each simulates and judges a block of the nodes, and all come to the same
/// result, which is that of one rank. What goes wrong in one of them ends all.
class FabricRunner final : public Runner {
 public:
  explicit FabricRunner(Ranks* ranks = nullptr) : ranks_(ranks) {}
  RunResult run(const Schedule& schedule, const RunOptions& options) override;

 private:
  Ranks* ranks_;
};

}  // namespace gossamer::tb
