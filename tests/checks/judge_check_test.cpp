// The check of the judges itself: it accepts judges that notice deviations, and no others.
#include "judges/judge_check.hpp"

#include <fmt/format.h>

#include "catch.hpp"
#include "judges/written_texts.hpp"
#include "runner/fabric_runner.hpp"

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
  const tb::JudgeCheck check = tb::check_judges(run);
  INFO(lines(check.problems));
  CHECK(lines(check.problems) == "\n");
  CHECK(check.planted == 47);
  CHECK(check.texts == 8);
}

TEST_CASE("judges: a wrong text is reported with its first line that differs") {
  const auto reported = [](const std::string& is, const std::string& should) {
    return tb::difference({"text", is, should});
  };
  CHECK(reported("a\nb\n", "a\nb\n") == "");
  CHECK(reported("a\nc\n", "a\nb\n") == "text: line 2 is \"c\"; expected \"b\"");
  CHECK(reported("a\n", "a\nb\n") == "text: line 2 is missing; expected \"b\"");
  CHECK(reported("a\nb\nc\n", "a\nb\n") == "text: line 3 is \"c\"; expected none");
  CHECK(reported("a", "a\n") == "text: its line ends are others");
}

TEST_CASE(
    "judges: those that notice nothing, complain of everything, count wrongly or give up fail") {
  const auto problems_with = [](const std::function<void(RunResult&)>& spoil) {
    return tb::check_judges([&](const Schedule& s, const RunOptions& o, const tb::MakeFabric& m) {
             RunResult result = run(s, o, m);
             spoil(result);
             return result;
           })
        .problems;
  };
  CHECK(lines(problems_with([](RunResult&) {})) == "\n");
  // 41 deviations, and the missing pairs of the unchanged broken cube.
  const auto blind = problems_with([](RunResult& r) { r.problems.clear(); });
  CHECK(blind.size() == 48);
  CHECK(
      blind.front() ==
      "ring:4, the last message of node 3 is not there: the judges say nothing; expected \"node 3 "
      "never got the message of node 0\"");
  CHECK(problems_with([](RunResult& r) { r.problems.push_back("and more"); }).size() == 47 + 12);
  const auto idle = problems_with([](RunResult& r) { r.words_checked = 0; });
  CHECK(idle.size() == 12);
  CHECK(
      idle.front() ==
      "ring:4, nothing planted: the judges say 11 cycles, 36 flits moved, 0 words, 120 link "
      "cycles, 12 of 12 delivered; expected 11 cycles, 36 flits moved, 48 words, 120 link cycles, "
      "12 of 12 delivered");
  const auto broken = problems_with([](RunResult&) { throw std::runtime_error("no more"); });
  CHECK(broken.size() == 47 + 2 * 12 + 4);
  CHECK(broken.front().find("\"the judge gave up: no more\"") != std::string::npos);
}
