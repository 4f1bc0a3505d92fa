// The SystemC model against the RTL on the regression: every family of schedules in
// tests/regression.toml, with its smallest case and all that are small. Both must agree in every
// cycle on every link and on every word of every log, and with the schedule.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "checks/link_oracle.hpp"
#include "driver/suite.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "runner/fabric_runner.hpp"
#include "side_by_side.hpp"

namespace gossamer::test {
namespace {

constexpr Node kMostNodes = 343;
constexpr std::uint64_t kMostLinkCycles = 8'000;
constexpr std::uint64_t kPatience = 64;

/// Cases that differ only in size are one family.
std::string family(const Case& c, const Schedule& s) {
  return fmt::format("{}, {}, {} ports, {} duplex, {}{}", c.algorithm, to_string(s.collective()),
                     to_string(s.model().ports), to_string(s.model().duplex),
                     to_string(s.model().switching), s.faults.empty() ? "" : ", faults");
}

/// A case of the regression, and the number of link cycles to compare.
struct SizedCase {
  Case request;
  Schedule schedule;
  std::uint64_t link_cycles = 0;
};

/// The smallest ones first: those that say that they reduce, or all others.
std::vector<SizedCase> cases_of_regression(bool sums) {
  std::vector<SizedCase> cases;
  for (const SuiteCase& c : read_suite("tests/regression.toml").cases) {
    if (sums != (c.request.collective && reduces(*c.request.collective))) continue;
    const bool planned = c.request.file.empty();
    if (planned && Topology::parse(c.request.topology).nodes() > kMostNodes) continue;
    Schedule schedule = make_plan(c.request).schedule;
    const Topology& topology = schedule.topology();
    const auto sizes = transfer_flits(schedule, c.request.flits);
    const Timeline time = timeline(schedule, sizes, c.request.flits, c.request.stages.on(schedule));
    const std::uint64_t links = std::uint64_t{topology.nodes()} * topology.ports();
    cases.push_back({c.request, std::move(schedule), time.last_arrival * links});
  }
  std::ranges::stable_sort(cases, {}, &SizedCase::link_cycles);
  return cases;
}

void check_against_rtl(const Schedule& schedule, unsigned flits, const LinkStages& link_stages) {
  const PortStages stages = link_stages.on(schedule);
  const CompiledSchedule compiled =
      compile(schedule, flits, schedule.topology().ports(), false, nullptr, nullptr, stages);
  const Topology& topology = schedule.topology();
  // Nodes of one port are single-port nodes, which a tile's are not: their logs would differ.
  const FabricImage image =
      prepare(schedule, flits, std::max<Port>(topology.ports(), 2), nullptr, stages);
  Pair pair = load_both(prepare(schedule, flits, ports_of_tile(schedule), nullptr, stages), image);
  const std::uint64_t limit = compiled.time.last_arrival + kPatience;
  REQUIRE(first_difference(pair, topology, limit, Compare::Everything) == "");
  REQUIRE(pair.model->done());
  CHECK(pair.model->cycle() == pair.tile->cycle());
  CHECK(pair.model->last_arrival() == pair.tile->last_arrival());
  CHECK(pair.model->flits_moved() == compiled.flits_expected);
  CHECK(text(pair.model->errors()) == "");
  CHECK(text(pair.tile->errors()) == "");
  CHECK(pair.model->running(9).empty());
  CHECK(log_difference(pair, image, topology.ports()) == "");
}

void check_against_schedule(const Schedule& schedule, unsigned flits, const LinkStages& stages) {
  RunOptions options;
  options.stages = stages;
  options.flits = flits;
  options.engine = "systemc";
  const RunResult result = tb::FabricRunner().run(schedule, options);
  CHECK(result.problems == std::vector<std::string>{});
  CHECK(result.cycles_measured == result.cycles_predicted);
  CHECK(result.link_cycles_checked > 0);
}

/// The algorithms of those that were compared.
std::set<std::string> check_cases(bool sums, unsigned at_least) {
  std::set<std::string> families, algorithms;
  unsigned compared = 0;
  for (const SizedCase& c : cases_of_regression(sums)) {
    const bool first = families.insert(family(c.request, c.schedule)).second;
    if (!first && c.link_cycles > kMostLinkCycles) continue;
    INFO(c.request.name);
    check_against_rtl(c.schedule, c.request.flits, c.request.stages);
    check_against_schedule(c.schedule, c.request.flits, c.request.stages);
    algorithms.insert(c.request.algorithm);
    ++compared;
  }
  CHECK(compared > at_least);
  return algorithms;
}

}  // namespace

TEST_CASE("the SystemC model agrees with the RTL on the small cases of every family") {
  const std::set<std::string> algorithms = check_cases(false, 500);
  CHECK(algorithms.contains("delmas-perennes"));
  CHECK(algorithms.contains("delmas-perennes-split"));
  CHECK(algorithms.contains("chau-fu-initiated"));
}

TEST_CASE("the SystemC model agrees with the RTL on the small reductions of every family") {
  CHECK(check_cases(true, 250).contains("dimension-reduce"));
}

}  // namespace gossamer::test
