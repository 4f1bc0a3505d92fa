// Paper 3 on the RTL, every small set of faults (the regression has larger cubes and faults that
// come later): the nodes decide what they send, with faults in the hardware that they do not know.
// Every run is judged as usual: each word of each store, each link in each cycle against the C++
// model of the rounds, the end of the last slot to the cycle, no error code.
#include <fmt/format.h>

#include "catch.hpp"
#include "faults/fault_sets.hpp"
#include "runner/fabric_runner.hpp"
#include "schedule/schedule.hpp"

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

RunResult run(const Schedule& schedule, unsigned flits) {
  RunOptions options;
  options.flits = flits;
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
