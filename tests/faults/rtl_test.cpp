// Paper 3 on the RTL: the nodes decide what they send, with faults in the hardware that they do not
// know. Every run is judged as usual: each word of each store, each link in each cycle against the
// C++ model of the rounds, the end of the last slot to the cycle, no error code.
#include <fmt/format.h>

#include "catch.hpp"
#include "faults/fault_sets.hpp"
#include "runner/fabric_runner.hpp"
#include "schedule/adaptive_rules.hpp"

using namespace gossamer;

namespace {

struct Variant {
  std::string algorithm = "chau-fu";
  PortModel ports = PortModel::Single;
  Collective collective = Collective::Gossip;
  Node root = 0;
};

std::string name_of(const Variant& v) {
  return fmt::format("{} of {}, {} port(s), root {}", to_string(v.collective), v.algorithm,
                     to_string(v.ports), v.root);
}

Schedule plan(const Variant& v, unsigned d) {
  Request request{.topology = Topology::parse(fmt::format("hypercube:{}", d))};
  request.collective = v.collective;
  request.ports = v.ports;
  request.root = v.root;
  return algorithm(v.algorithm).plan(request);
}

RunResult run(const Schedule& schedule, unsigned flits, const std::string& engine = "tile") {
  RunOptions options;
  options.flits = flits;
  options.engine = engine;
  return tb::FabricRunner().run(schedule, options);
}

std::string problems(const RunResult& result) {
  std::string all;
  for (const std::string& p : result.problems) all += p + "\n";
  return all;
}

const Variant kVariants[] = {
    {},
    {.ports = PortModel::All},
    {.algorithm = "chau-fu-initiated", .root = 5},
    {.algorithm = "chau-fu-initiated", .ports = PortModel::All, .root = 2},
    {.collective = Collective::Broadcast, .root = 6},
    {.ports = PortModel::All, .collective = Collective::Broadcast, .root = 1},
};

}  // namespace

TEST_CASE("adaptive nodes deliver everything without faults, at every message length") {
  for (const Variant& v : kVariants) {
    for (unsigned d = 3; d <= 5; ++d) {
      for (unsigned flits : {1u, 2u, 3u, 4u, 7u}) {
        INFO(name_of(v) << ", d = " << d << ", L = " << flits);
        const RunResult result = run(plan(v, d), flits);
        CHECK(problems(result) == "");
        CHECK(result.delivered == result.expected);
        CHECK(result.link_cycles_checked > 0);
      }
    }
  }
}

TEST_CASE("the fabric's own RTL top does as the tile engine does, with faults") {
  Schedule schedule = plan({.ports = PortModel::All}, 3);
  for (const char* faults : {"none", "nodes=1;links=0-4", "arcs=0>1,5>4;from=2"}) {
    INFO(faults);
    schedule.faults = parse_faults(faults, schedule.topology(), 1);
    const RunResult result = run(schedule, 4, "flat");
    CHECK(problems(result) == "");
    CHECK(result.link_cycles_checked > 0);
  }
}

/// Runs `schedule` with a set of faults. Whatever is missing, the RTL must match the model.
void check_run(Schedule& schedule, const FaultSet& faults, unsigned flits) {
  schedule.faults = faults;
  const RunResult result = run(schedule, flits);
  CHECK(problems(result) == "");
  CHECK(result.delivered == result.expected);
}

TEST_CASE(
    "adaptive nodes deliver everything with every set of up to 2 faults in a hypercube of 8") {
  for (const Variant& v : kVariants) {
    Schedule schedule = plan(v, 3);
    const bool has_root = v.collective == Collective::Broadcast || schedule.initiator;
    const auto all = test::elements(schedule.topology(), {.nodes = true, .links = true},
                                    has_root ? v.root : kNoNode);
    std::uint64_t sets = 0;
    for (std::size_t size = 0; size <= 2; ++size) {
      test::for_each_set(all, size, [&](const FaultSet& faults) {
        INFO(name_of(v) << ", " << to_string(faults));
        check_run(schedule, faults, 1 + sets % 3);
        ++sets;
      });
    }
    CHECK(sets == (has_root ? 191 : 211));
  }
}

TEST_CASE("adaptive nodes deliver everything with faults drawn in hypercubes of 16 to 128") {
  std::mt19937 random(7);
  for (unsigned d = 4; d <= 7; ++d) {
    for (const Variant& v : kVariants) {
      Schedule schedule = plan(v, d);
      const bool has_root = v.collective == Collective::Broadcast || schedule.initiator;
      const auto all = test::elements(schedule.topology(), {.links = true, .directions = true},
                                      has_root ? v.root : kNoNode);
      const auto nodes =
          test::elements(schedule.topology(), {.nodes = true}, has_root ? v.root : kNoNode);
      for (int sample = 0; sample < 2; ++sample) {
        const FaultSet faults = test::random_set(sample % 2 == 0 ? all : nodes, d - 1, random);
        INFO(name_of(v) << ", d = " << d << ", " << to_string(faults));
        check_run(schedule, faults, 1);
      }
    }
  }
}

TEST_CASE("faults can begin in any round") {
  for (std::uint32_t from = 1; from <= 7; ++from) {
    for (PortModel ports : {PortModel::Single, PortModel::All}) {
      Schedule schedule = plan({.ports = ports}, 4);
      FaultSet faults = parse_faults("nodes=5;links=0-1;arcs=6>7", schedule.topology(), 1);
      faults.from_round = from;
      INFO("from round " << from);
      check_run(schedule, faults, 2);
    }
  }
}
