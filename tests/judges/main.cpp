// judges: checks that the testbench notices planted deviations, and that what the command writes is
// as it must be, letter by letter. `make sim` runs it beside the regression.
#include <fmt/format.h>

#include "judges/judge_check.hpp"
#include "runner/fabric_runner.hpp"

int main() {
  using namespace gossamer;
  const tb::JudgeCheck check = tb::check_judges(
      [](const Schedule& schedule, const RunOptions& options, const tb::MakeFabric& make) {
        return tb::FabricRunner(nullptr, make).run(schedule, options);
      });
  for (const std::string& problem : check.problems) fmt::print("judges: {}\n", problem);
  if (!check.problems.empty()) return 1;
  fmt::print("judges: {} planted deviations, each noticed; {} texts, letter by letter\n",
             check.planted, check.texts);
}
