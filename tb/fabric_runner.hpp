#pragma once

#include "driver/runner.hpp"

namespace gossamer::tb {

/// Compiles a schedule, loads it into a fabric of the engine asked for, runs it and judges the
/// outcome: words against their origins, cycles against the prediction, errors of the hardware.
class FabricRunner final : public Runner {
 public:
  RunResult run(const Schedule& schedule, const RunOptions& options) override;
};

}  // namespace gossamer::tb
