// The checks of a suite beside its cases: that everything was measured, and that broken schedules
// are refused.
#include "driver/suite_checks.hpp"

#include <fmt/format.h>

#include "catch.hpp"
#include "driver/junit.hpp"
#include "fake_runner.hpp"
#include "support/error.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

namespace {

const std::string kRing =
    "[[case]]\nname = \"ring\"\ntopology = \"ring:4\"\nalgorithm = \"ring\"\nflits = 4\n";

const std::string kExpect =
    "[expect]\ncases = 1\nrounds = 3\nbounds = 3\nhops = 3\nmessages = 3\ncycles = 14\nflits = 48\n"
    "words = 48\nlink_cycles = 0\ndelivered = 12\n";

std::string refused(const std::string& because, const std::string& last_line) {
  return "[[refused]]\nname = \"broken\"\nbecause = \"" + because +
         "\"\nschedule = '''\n"
         R"({"gossamer":1,"topology":"path:2","collective":"gossip","model":)"
         R"({"ports":"all","duplex":"full","switching":"packet","combining":false}})"
         "\n"
         R"({"r":1,"path":[0,1],"msgs":[0]})"
         "\n" +
         last_line + "\n'''\n";
}

/// A suite with this text, or the error in it.
Suite suite(const std::string& text) {
  const Scratch scratch;
  const std::string file = scratch.file("suite.toml", text);
  try {
    return read_suite(file);
  } catch (const InputError& e) {
    throw InputError(std::string(e.what()).substr(file.size()));
  }
}

std::string error_of(const std::string& text) {
  try {
    suite(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

/// The checks' problems, one line each, after the cases have run on a fake.
std::string problems(const Suite& suite, const FakeRunner::Spoil& spoil = {}, bool whole = true) {
  FakeRunner runner(spoil);
  const auto results =
      run_suite(suite.cases, 1, runner, {}, [](const SuiteCase&, const SuiteResult&) {});
  std::string lines;
  for (const SuiteCheck& check : check_suite(suite, results, whole)) {
    for (const std::string& p : check.problems) lines += check.name + ": " + p + "\n";
  }
  return lines;
}

}  // namespace

TEST_CASE("A suite is content with the sums that it expects") {
  CHECK(problems(suite(kRing + kExpect)) == "");
  CHECK(problems(suite(kRing)) == "");
}

TEST_CASE("A suite notices each number that is not what it expects") {
  for (const TotalField& field : kTotalFields) {
    Suite expects = suite(kRing + kExpect);
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
  const std::string all =
      problems(suite(kRing + kExpect), [](const Schedule&, RunResult& result) { result = {}; });
  CHECK(all ==
        "compared: 0 cycles were counted, and the suite expects 14\n"
        "compared: 0 flits were counted, and the suite expects 48\n"
        "compared: 0 words were counted, and the suite expects 48\n"
        "compared: 0 delivered were counted, and the suite expects 12\n");
}

TEST_CASE("A broken schedule is refused for its reason and no other") {
  const std::string lost = "round 1: node 0 lacks message 1 after the last round";
  const std::string twice = R"({"r":1,"path":[0,1],"msgs":[0]})";
  const std::string reason =
      "line 3, round 1, link 0-1: this arc already carries the transfer 0-1 of line 2 in round 1; "
      "the paths of a round must be arc-disjoint";
  CHECK(problems(suite(kRing + refused(lost, ""))) == "");
  CHECK(problems(suite(kRing + refused("something else", ""))) ==
        "refused: refused case 'broken': it was refused because \"" + lost +
            "\", and should be refused because \"something else\"\n");
  CHECK(problems(suite(kRing + refused(reason, twice))) ==
        "refused: refused case 'broken': it was refused because \"" + reason + "\", \"" + lost +
            "\", and should be refused because \"" + reason + "\"\n");
  CHECK(problems(suite(kRing + refused(lost, R"({"r":1,"path":[1,0],"msgs":[1]})"))) ==
        "refused: refused case 'broken': it was accepted, and should be refused because \"" + lost +
            "\"\n");
  CHECK(problems(suite(kRing + refused("line:3: key \\\"msgs\\\" is missing in a transfer",
                                       R"({"r":1,"path":[1,0]})"))) == "");
}

TEST_CASE("What the regression refuses is refused for its reasons") {
  const Suite regression = read_suite("tests/regression.toml");
  CHECK(regression.refused.size() > 100);
  std::string wrong;
  for (const RefusedCase& c : regression.refused) {
    if (const std::string problem = judge(c); !problem.empty()) wrong += problem + "\n";
  }
  CHECK(wrong == "");
}

TEST_CASE("What a suite says of refused cases and sums must be whole") {
  CHECK(error_of(kRing + "[[refused]]\nname = \"x\"\n") ==
        ":6: a refused case has either a schedule or a suite");
  CHECK(error_of(kRing + "[[refused]]\nname = \"x\"\nschedule = \"{\"\nsuite = \"a\"\n") ==
        ":6: a refused case has either a schedule or a suite");
  CHECK(error_of(kRing + "[[refused]]\nname = \"x\"\nsuite = \"\"\nbecause = \"a\"\n") ==
        ":6: a refused case needs the text 'suite'");
  CHECK(error_of(kRing + "[[refused]]\nname = \"x\"\nschedule = 3\nbecause = \"a\"\n") ==
        ":6: a refused case needs the text 'schedule'");
  CHECK(error_of(kRing + "[[refused]]\nname = \"x\"\nschedule = \"{\"\n") ==
        ":6: a refused case needs the text 'because'");
  CHECK(error_of(kRing + "[[refused]]\nname = \"x\"\nschedule = \"{\"\nbecause = []\n") ==
        ":6: a refused case needs a reason: 'because' is empty");
  CHECK(error_of(kRing + "[[refused]]\nname = \"ring\"\nschedule = \"{\"\nbecause = \"x\"\n") ==
        ":6: case 'ring' appears twice");
  CHECK(error_of(kRing + "[[refused]]\nreason = 3\n") ==
        ":7: unknown key 'reason' in a refused case: known are: name, schedule, suite, because");
  CHECK(error_of(kRing + "[expect]\ncases = 1\n") == ":6: [expect] lacks 'rounds'");
  CHECK(error_of(kRing + "[expect]\ncases = -1\n") ==
        ":7: cases must be a whole number, at least 0");
  CHECK(error_of(kRing + "[expect]\ncase = 1\n") == ":7: unknown key 'case' in [expect]");
}

TEST_CASE("The checks are in the JUnit report") {
  const std::vector<SuiteCheck> checks = {{"compared", "all", {}},
                                          {"refused", "", {"one <problem>", "another"}}};
  const std::string xml = junit_xml("s", {}, {}, checks);
  CHECK(xml.find("tests=\"2\" failures=\"1\"") != std::string::npos);
  CHECK(xml.find("name=\"compared\"/>") != std::string::npos);
  CHECK(xml.find("message=\"one &lt;problem&gt;\">one &lt;problem&gt;\nanother<") !=
        std::string::npos);
}
