// The check of the judges itself: content with judges that notice, and not with those that do not.
#include "judges/judge_check.hpp"

#include <fmt/format.h>

#include "catch.hpp"

using namespace gossamer;

namespace {

std::string lines(const std::vector<std::string>& problems) {
  return fmt::format("{}\n", fmt::join(problems, "\n"));
}

RunResult run(const Schedule& schedule, const RunOptions& options, const tb::MakeFabric& make) {
  return tb::FabricRunner(nullptr, make).run(schedule, options);
}

}  // namespace

TEST_CASE("judges: every planted deviation is noticed, and described word by word") {
  const JudgeCheck check = tb::FabricRunner().check_judges();
  INFO(lines(check.problems));
  CHECK(check.problems.empty());
  CHECK(check.planted == 32);
}
