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
#include "scratch.hpp"
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
    void get_engine(const std::string& name) override { work.push_back("engine " + name); }
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
  CHECK(runner.work == std::vector<std::string>{"engine large", "engine small", "ring:16",
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

// Every key of a case in a suite file, and what lists make of it. Mistakes are in
// tests/refusals.toml.

namespace {

/// What of a case is not as it is where nothing is said, in one line.
std::string shown(const SuiteCase& c) {
  const Case& a = c.request;
  std::string text = a.name == c.group ? a.name : a.name + " of " + c.group;
  const auto say = [&](bool said, const char* key, const std::string& value) {
    if (said) text += fmt::format(" {} {}", key, value);
  };
  say(!a.file.empty(), "file", a.file);
  say(!a.topology.empty(), "on", a.topology);
  say(!a.algorithm.empty(), "by", a.algorithm);
  if (a.collective) text += fmt::format(" {}", to_string(*a.collective));
  if (a.ports) text += fmt::format(" {}", to_string(*a.ports));
  if (a.duplex) text += fmt::format(" {}", to_string(*a.duplex));
  if (a.op) text += fmt::format(" {}", to_string(*a.op));
  say(!a.root.empty(), "root", a.root);
  say(!a.cycle.empty(), "cycle", fmt::format("{}", fmt::join(a.cycle, ",")));
  if (a.tolerance) text += fmt::format(" tolerance {}", *a.tolerance);
  say(!a.faults.empty(), "faults", a.faults);
  say(a.flits_given || a.flits != 8, "flits", std::to_string(a.flits));
  say(a.engine != "tile", "engine", a.engine);
  say(a.seed != 1, "seed", std::to_string(a.seed));
  if (a.symmetric) text += *a.symmetric ? " symmetric" : " whole";
  say(!a.stages.none(), "stages", a.stages.text());
  return text;
}

/// A case, written with "; " for line ends, and what it becomes.
struct Row {
  std::string keys;
  std::vector<std::string> cases;
};

}  // namespace

TEST_CASE("A case has the values of the file, a list makes a case of each, and the rest is open") {
  const Row rows[] = {
      {R"(name = "a-Z.0_9"; topology = "ring:4")", {"a-Z.0_9 on ring:4"}},
      {R"(name = "all"; topology = "hypercube:3"; algorithm = "chau-fu"; collective = "total-exchange"; )"
       R"(ports = "all"; duplex = "half"; root = 5; cycle = [3, 0, 4294967294]; tolerance = 1000; )"
       R"(faults = "nodes=3"; flits = 1048576; engine = "flat"; seed = 4294967295; symmetric = false; )"
       R"(link_stages = [0, 63, 1])",
       {"all on hypercube:3 by chau-fu total-exchange all half root 5 cycle 3,0,4294967294 "
        "tolerance 1000 faults nodes=3 flits 1048576 engine flat seed 4294967295 whole stages "
        "0,63,1"}},
      {R"(name = "least"; topology = "ring:4"; root = 0; cycle = 0; tolerance = 0; flits = 1; seed = 0; )"
       R"(symmetric = true; link_stages = 2)",
       {"least on ring:4 root 0 cycle 0 tolerance 0 flits 1 seed 0 symmetric stages 2"}},
      // Numbers in every base that TOML has; files are beside the suite.
      {R"(name = "a"; topology = "ring:40"; root = 0x1F; cycle = [0o17, 1_0]; flits = [0x10, 0b11]; seed = +5)",
       {"a-L16 of a on ring:40 root 31 cycle 15,10 flits 16 seed 5",
        "a-L3 of a on ring:40 root 31 cycle 15,10 flits 3 seed 5"}},
      {R"(name = "{file}-{link_stages}"; file = ["x/../a.jsonl", "b.jsonl"]; link_stages = [[0, 3], 1])",
       {"a-0-3 file HERE/a.jsonl stages 0,3", "a-1 file HERE/a.jsonl stages 1",
        "b-0-3 file HERE/b.jsonl stages 0,3", "b-1 file HERE/b.jsonl stages 1"}},
      {R"(name = "b"; topology = "edges:links.json")", {"b on edges:HERE/links.json"}},
      {R"(name = "{topology}-{ports}-{collective}"; topology = ["ring:4", "torus:3x3"]; )"
       R"(ports = ["single", "all"]; collective = "scatter"; flits = [4, 300])",
       {"ring-4-single-scatter-L4 of ring-4-single-scatter on ring:4 scatter single flits 4",
        "ring-4-single-scatter-L300 of ring-4-single-scatter on ring:4 scatter single flits 300",
        "ring-4-all-scatter-L4 of ring-4-all-scatter on ring:4 scatter all flits 4",
        "ring-4-all-scatter-L300 of ring-4-all-scatter on ring:4 scatter all flits 300",
        "torus-3x3-single-scatter-L4 of torus-3x3-single-scatter on torus:3x3 scatter single flits "
        "4",
        "torus-3x3-single-scatter-L300 of torus-3x3-single-scatter on torus:3x3 scatter single "
        "flits 300",
        "torus-3x3-all-scatter-L4 of torus-3x3-all-scatter on torus:3x3 scatter all flits 4",
        "torus-3x3-all-scatter-L300 of torus-3x3-all-scatter on torus:3x3 scatter all flits 300"}},
      {R"(name = "{topology}_{op}-{topology}"; topology = "torus:3x3"; collective = "reduce"; op = "max")",
       {"torus-3x3_max-torus-3x3 on torus:3x3 reduce max"}},
      {R"(name = "{topology}-{cycle}-{seed}-{symmetric}"; topology = "product:ring:3,path:4"; )"
       R"(cycle = [[0, 1], [1, 0]]; seed = [3]; symmetric = true; flits = [7])",
       {"ring-3-path-4-0-1-3-true-L7 of ring-3-path-4-0-1-3-true on product:ring:3,path:4 cycle "
        "0,1 "
        "flits 7 seed 3 symmetric",
        "ring-3-path-4-1-0-3-true-L7 of ring-3-path-4-1-0-3-true on product:ring:3,path:4 cycle "
        "1,0 "
        "flits 7 seed 3 symmetric"}},
  };
  const Scratch scratch;
  scratch.file("links.json", R"({"n":2,"edges":[[0,1]]})");
  for (const Row& row : rows) {
    std::string text = "[[case]]\n" + row.keys + "\n";
    for (std::size_t at; (at = text.find("; ")) != std::string::npos;) text.replace(at, 2, "\n");
    INFO(text);
    std::vector<std::string> cases;
    for (const SuiteCase& c : read_suite(scratch.file("s.toml", text)).cases) {
      cases.push_back(shown(c));
      const std::string folder = scratch.folder().string();
      const std::size_t at = cases.back().find(folder);
      if (at != std::string::npos) cases.back().replace(at, folder.size(), "HERE");
      CHECK(c.place == scratch.path("s.toml") + ":1: case '" + c.group + "'");
    }
    CHECK(cases == row.cases);
  }
}

TEST_CASE("The totals are what the file says") {
  const std::string cases = "[[case]]\nname = \"a\"\ntopology = \"ring:4\"\n";
  std::string text = cases + "[expect]\n";
  std::uint64_t number = 0;
  for (const auto& [name, zero] : totals_of({})) text += fmt::format("{} = {}\n", name, number++);
  const Suite suite = parse_suite(text, "s.toml", "here");
  REQUIRE(suite.expected.has_value());
  number = 0;
  for (const auto& [name, expected] : *suite.expected) {
    CAPTURE(name);
    CHECK(expected == number++);
  }
  CHECK(number == 10);
  CHECK_FALSE(parse_suite(cases, "s.toml", "").expected.has_value());
}

// The check of a suite beside its cases: that everything was measured.

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
  const SuiteCheck check = check_totals(suite, results, whole);
  for (const std::string& p : check.problems) lines += check.name + ": " + p + "\n";
  return lines;
}

}  // namespace

TEST_CASE("A suite notices each number that is not what it expects") {
  for (const auto& [name, zero] : totals_of({})) {
    Suite expects = parse_suite(kRing + kExpect, "suite", "");
    const std::uint64_t is = expects.expected->at(name);
    for (const std::int64_t off : {-1, 1}) {
      expects.expected->at(name) = is + static_cast<std::uint64_t>(off);
      CHECK(problems(expects) ==
            fmt::format("compared: {} {} were counted, and the suite expects {}\n", is, name,
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
        "compared: 0 delivered were counted, and the suite expects 12\n"
        "compared: 0 flits were counted, and the suite expects 48\n"
        "compared: 0 words were counted, and the suite expects 48\n");
}
