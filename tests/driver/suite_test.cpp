#include "driver/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "catch.hpp"
#include "fake_runner.hpp"
#include "no_threads.hpp"
#include "support/error.hpp"
#include "support/job.hpp"

using namespace gossamer;

namespace {

SuiteCase suite_case(const std::string& name, const std::string& topology) {
  SuiteCase c;
  c.group = name;
  c.place = "suite.toml:1: case '" + name + "'";
  c.request.name = name;
  c.request.topology = topology;
  return c;
}

std::vector<SuiteCase> rings(Node count) {
  std::vector<SuiteCase> cases;
  for (Node i = 0; i < count; ++i) {
    // The largest come first, so that the last ones finish before them.
    const std::string nodes = std::to_string(4 * (count - i));
    cases.push_back(suite_case("ring-" + nodes, "ring:" + nodes));
  }
  return cases;
}

}  // namespace

TEST_CASE("Results come in the order of the suite, however many run side by side") {
  const unsigned jobs = GENERATE(1u, 2u, 7u);
  const auto cases = rings(12);
  std::atomic<int> runs = 0;
  FakeRunner runner([&](const Schedule&, RunResult&) { ++runs; });
  std::vector<std::string> seen;
  std::vector<SuiteResult> results;
  run_suite(cases, jobs, runner, {}, [&](const auto& c, const auto& result) {
    results.push_back(result);
    seen.push_back(c.request.name);
    CHECK(result.facts.request.name == c.request.name);
  });
  CHECK(runs == 12);
  REQUIRE(results.size() == cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) CHECK(seen[i] == cases[i].request.name);
}

TEST_CASE("Where the system starts no threads a suite is done by its caller alone") {
  const auto cases = rings(5);
  std::atomic<int> runs = 0;
  FakeRunner runner([&](const Schedule&, RunResult&) { ++runs; });
  std::vector<std::string> seen;
  const auto suite = [&](const std::vector<SuiteCase>& of) {
    const NoThreads none;
    CHECK_THROWS_AS(std::thread([] {}), std::system_error);
    std::vector<SuiteResult> results;
    run_suite(of, 3, runner, {}, [&](const auto& c, const auto& result) {
      results.push_back(result);
      seen.push_back(c.request.name);
    });
    return results;
  };
  const auto results = suite(cases);
  CHECK(runs == 5);
  REQUIRE(results.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(seen[i] == cases[i].request.name);
    CHECK(results[i].facts.passed());
  }
  auto wrong = cases;
  wrong[3].request.topology = "ring:x";
  CHECK_THROWS_WITH(suite(wrong), Catch::Matchers::StartsWith(wrong[3].place));
  CHECK(runs == 5);
}

TEST_CASE("Of a runner that does one run at a time no other is asked before") {
  struct OneAtATime : FakeRunner {
    using FakeRunner::FakeRunner;
    bool side_by_side() const override { return false; }
  };
  std::atomic<int> runs = 0, at_once = 0, most = 0;
  OneAtATime runner([&](const Schedule&, RunResult&) {
    ++runs;
    most = std::max<int>(most, ++at_once);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --at_once;
  });
  run_suite(rings(8), 4, runner, {}, [](const auto&, const auto&) {});
  CHECK(runs == 8);
  CHECK(most == 1);
}

TEST_CASE("Each engine that the cases need is asked for once, before any case runs") {
  struct WithEngines final : FakeRunner {
    std::string engine_of(const Schedule& schedule, const RunOptions&) override {
      const Node nodes = schedule.topology().nodes();
      return nodes == 8 ? "" : nodes > 8 ? "large" : "small";
    }
    void get_engine(const Schedule& schedule, const RunOptions&) override {
      work.push_back("engine of " + schedule.topology().spec());
    }
    RunResult run(const Schedule& schedule, const RunOptions& options) override {
      work.push_back(schedule.topology().spec());
      return FakeRunner::run(schedule, options);
    }
    std::vector<std::string> work;  // of the one thread that does it
  } runner;
  struct Stages final : Job {
    void stage(std::string stage) override { seen.push_back(stage); }
    void at(std::uint64_t done, std::uint64_t total, std::uint64_t) override {
      if (done == total) seen.push_back(fmt::format("all {}", total));
    }
    std::vector<std::string> seen;
  } job;
  RunOptions options;
  options.job = &job;
  run_suite(rings(4), 1, runner, options, [](const SuiteCase&, const SuiteResult&) {});
  CHECK(runner.work == std::vector<std::string>{"engine of ring:16", "engine of ring:4", "ring:16",
                                                "ring:12", "ring:8", "ring:4"});
  CHECK(job.seen == std::vector<std::string>{"planning the cases", "all 4",
                                             "building the engines that are not there", "all 2",
                                             "cases"});
}

TEST_CASE("What cannot be planned, or run by the runner, is said with its case before any runs") {
  struct Refuses final : FakeRunner {
    using FakeRunner::FakeRunner;
    std::string engine_of(const Schedule& schedule, const RunOptions&) override {
      if (schedule.topology().nodes() == 4) throw InputError("no");
      return "";
    }
  };
  std::atomic<int> runs = 0;
  Refuses runner([&](const Schedule&, RunResult&) { ++runs; });
  auto cases = rings(3);
  CHECK_THROWS_WITH(run_suite(cases, 2, runner, {}, [](const auto&, const auto&) {}),
                    cases[2].place + ": no");
  cases[2] = suite_case("odd", "mesh:3x3");
  cases[2].request.algorithm = "hamiltonian";
  CHECK_THROWS_WITH(run_suite(cases, 2, runner, {}, [](const auto&, const auto&) {}),
                    Catch::Matchers::StartsWith(cases[2].place + ": hamiltonian: "));
  CHECK(runs == 0);
}

TEST_CASE("A case that cannot be completed is reported, and the others still run") {
  auto cases = rings(3);  // ring-12, ring-8, ring-4
  FakeRunner runner([&](const Schedule& schedule, RunResult&) {
    if (schedule.topology().nodes() == 8) throw std::runtime_error("no\nluck");
    if (schedule.topology().nodes() == 12) throw TooLarge("too large");
  });
  std::vector<std::string> visited;
  std::vector<SuiteResult> results;
  run_suite(cases, 2, runner, {}, [&](const SuiteCase& c, const auto& result) {
    results.push_back(result);
    visited.push_back(c.request.name);
  });
  REQUIRE(results.size() == 3);
  CHECK(visited == std::vector<std::string>{"ring-12", "ring-8", "ring-4"});
  CHECK(results[0].facts.error == "suite.toml:1: case 'ring-12': too large");
  CHECK(results[1].facts.error == "suite.toml:1: case 'ring-8': internal error: no luck");
  CHECK(results[2].facts.error.empty());
  CHECK_FALSE(results[0].facts.passed());
  CHECK(std::string(results[0].facts.verdict()) == "error");
  CHECK(results[0].facts.request.name == "ring-12");
}

namespace {

/// All texts of at most `longest` of these letters.
std::vector<std::string> texts(const std::string& letters, std::size_t longest) {
  std::vector<std::string> all = {""};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].size() == longest) break;
    for (const char letter : letters) all.push_back(all[i] + letter);
  }
  return all;
}

/// What a pattern means, word by word.
bool means(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*' && means(pattern.substr(1), text)) return true;
  return !text.empty() &&
         (pattern[0] == '*' ? means(pattern, text.substr(1))
                            : pattern[0] == text[0] && means(pattern.substr(1), text.substr(1)));
}

}  // namespace

TEST_CASE("Every short pattern chooses what it means, and a long one takes no time") {
  std::vector<SuiteCase> cases;
  for (const std::string& name : texts("ab", 4)) cases.push_back(suite_case(name, "ring:4"));
  for (const std::string& pattern : texts("ab*", 5)) {
    std::vector<std::string> expected, chosen;
    for (const SuiteCase& c : cases) {
      if (means(pattern, c.group)) expected.push_back(c.group);
    }
    if (expected.empty()) {
      CHECK_THROWS_AS(select_cases(cases, {pattern}), InputError);
      continue;
    }
    for (const SuiteCase& c : select_cases(cases, {pattern})) chosen.push_back(c.group);
    CAPTURE(pattern);
    CHECK(chosen == expected);
  }
  std::string stars;
  for (int i = 0; i < 50; ++i) stars += "*a";
  const std::vector<SuiteCase> one = {suite_case(std::string(200, 'a'), "ring:4")};
  CHECK(select_cases(one, {stars + "*"}).size() == 1);
  CHECK_THROWS_AS(select_cases(one, {stars + "*b"}), InputError);
}
