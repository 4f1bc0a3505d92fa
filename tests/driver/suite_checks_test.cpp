// The check of a suite beside its cases: that everything was measured.
#include <fmt/format.h>

#include "catch.hpp"
#include "fake_runner.hpp"

using namespace gossamer;

namespace {

const std::string kRing =
    "[[case]]\nname = \"ring\"\ntopology = \"ring:4\"\nalgorithm = \"ring\"\nflits = 4\n";

const std::string kExpect =
    "[expect]\ncases = 1\nrounds = 3\nbounds = 3\nhops = 3\nmessages = 3\ncycles = 14\nflits = 48\n"
    "words = 48\nlink_cycles = 0\ndelivered = 12\n";

/// The checks' problems, one line each, after the cases have run on a fake.
std::string problems(const Suite& suite, const FakeRunner::Spoil& spoil = {}, bool whole = true) {
  FakeRunner runner(spoil);
  std::vector<SuiteResult> results;
  run_suite(suite.cases, 1, runner, {},
            [&](const SuiteCase&, const SuiteResult& result) { results.push_back(result); });
  std::string lines;
  for (const SuiteCheck& check : check_suite(suite, results, whole)) {
    for (const std::string& p : check.problems) lines += check.name + ": " + p + "\n";
  }
  return lines;
}

}  // namespace

TEST_CASE("A suite notices each number that is not what it expects") {
  for (const TotalField& field : kTotalFields) {
    Suite expects = parse_suite(kRing + kExpect, "suite", "");
    const std::uint64_t is = (*expects.expected).*field.value;
    for (const std::int64_t off : {-1, 1}) {
      (*expects.expected).*field.value = is + static_cast<std::uint64_t>(off);
      CHECK(problems(expects) ==
            fmt::format("compared: {} {} were counted, and the suite expects {}\n", is, field.name,
                        is + static_cast<std::uint64_t>(off)));
      CHECK(problems(expects, {}, /*whole=*/false) == "");
    }
  }
}

TEST_CASE("A suite whose cases measure nothing fails") {
  const std::string all = problems(parse_suite(kRing + kExpect, "suite", ""),
                                   [](const Schedule&, RunResult& result) { result = {}; });
  CHECK(all ==
        "compared: 0 cycles were counted, and the suite expects 14\n"
        "compared: 0 flits were counted, and the suite expects 48\n"
        "compared: 0 words were counted, and the suite expects 48\n"
        "compared: 0 delivered were counted, and the suite expects 12\n");
}
