// The SystemC model against the RTL on the regression: every family of schedules that
// tests/regression.toml knows, in those of its cases that are small. Both must agree in every cycle
// on every link and on every word of every log, and with what the schedule says.
#include <fmt/format.h>

#include <set>

#include "catch.hpp"
#include "driver/suite.hpp"
#include "engine_library.hpp"
#include "engines/prepared.hpp"
#include "fabric_runner.hpp"
#include "link_oracle.hpp"
#include "side_by_side.hpp"

namespace gossamer::test {
namespace {

constexpr Node kMostNodes = 64;
constexpr std::uint64_t kMostLinkCycles = 25'000;
constexpr std::uint64_t kPatience = 64;

/// Cases that differ in size alone are of one family.
std::string family(const Case& c, const Schedule& s) {
  return fmt::format("{}, {}, {} ports, {} duplex, {}", c.algorithm, to_string(s.collective()),
                     to_string(s.model().ports), to_string(s.model().duplex),
                     to_string(s.model().switching));
}

void check_against_rtl(const Schedule& schedule, const Compiled& compiled, unsigned flits) {
  const Topology& topology = schedule.topology();
  const Port ports = topology.ports();
  Pair pair = load_both(prepare(schedule, flits, tb::tile_ports(ports)),
                        prepare(schedule, flits, ports));
  const std::uint64_t limit = compiled.time.last_arrival + kPatience;
  REQUIRE(first_difference(pair, topology, limit, Compare::Everything) == "");
  REQUIRE(pair.model->done());
  CHECK(pair.model->cycle() == pair.tile->cycle());
  CHECK(pair.model->last_arrival() == compiled.time.last_arrival);
  CHECK(pair.model->flits_moved() == compiled.flits_expected);
  CHECK(text(pair.model->errors()) == "");
  CHECK(text(pair.tile->errors()) == "");
  CHECK(pair.model->running(9).empty());
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (unsigned g = 0; g < compiled.image.kind.logs() && g < ports; ++g) {
      CHECK(pair.model->log(x, g) == pair.tile->log(x, g));
    }
  }
}

void check_against_schedule(const Schedule& schedule, unsigned flits) {
  RunOptions options;
  options.flits = flits;
  options.engine = "systemc";
  const RunResult result = tb::FabricRunner().run(schedule, options);
  CHECK(result.problems == std::vector<std::string>{});
  CHECK(result.cycles_measured == result.cycles_predicted);
  CHECK(result.link_cycles_checked > 0);
}

}  // namespace

TEST_CASE("the SystemC model agrees with the RTL on the small cases of every family") {
  std::set<std::string> families, compared;
  unsigned cases = 0;
  for (const SuiteCase& c : read_suite("tests/regression.toml")) {
    const bool planned = c.asked.file.empty();
    if (planned && Topology::parse(c.asked.topology).nodes() > kMostNodes) continue;
    const Plan plan = make_plan(c.asked);
    const Schedule& schedule = plan.schedule;
    const Compiled compiled = compile(schedule, c.asked.flits, schedule.topology().ports());
    if (compiled.image.kind.adaptive) continue;  // not this model's
    families.insert(family(c.asked, schedule));
    const std::uint64_t link_cycles =
        compiled.time.last_arrival * schedule.topology().nodes() * schedule.topology().ports();
    if (link_cycles > kMostLinkCycles) continue;
    INFO(c.asked.name);
    check_against_rtl(schedule, compiled, c.asked.flits);
    check_against_schedule(schedule, c.asked.flits);
    compared.insert(family(c.asked, schedule));
    ++cases;
  }
  CHECK(families == compared);
  CHECK(cases > 100);
}

TEST_CASE("the SystemC model runs the first schedule of paper 2 as the RTL does") {
  Case c;
  c.topology = "torus:7x7x7";
  c.algorithm = "delmas-perennes";
  c.flits = 1;
  check_against_schedule(make_plan(c).schedule, c.flits);
}

}  // namespace gossamer::test
