// What a case asks for, and what is done where it leaves something open.
#include "driver/case.hpp"

#include "catch.hpp"
#include "support/memory.hpp"

using namespace gossamer;

namespace {

Case half_duplex(const std::string& topology) {
  Case c;
  c.topology = topology;
  c.duplex = Duplex::Half;
  return c;
}

}  // namespace

TEST_CASE("without a name it is single ports, or all ports where no algorithm does with one") {
  CHECK(make_plan(half_duplex("ring:9")).schedule.model().ports == PortModel::Single);
  Case scatter;
  scatter.topology = "hypercube:4";
  scatter.collective = Collective::Scatter;
  CHECK(make_plan(scatter).schedule.model().ports == PortModel::All);
  scatter.ports = PortModel::Single;
  CHECK_THROWS_AS(make_plan(scatter), NotServed);
}

TEST_CASE("a schedule too large for the machine is no reason to plan for another model") {
  // An odd half-duplex ring has no translations: a million transfers.
  limit_free_memory(20'000'000);
  CHECK_THROWS_AS(make_plan(half_duplex("ring:1001")), TooLarge);
  forget_memory_limit();
  const Plan plan = make_plan(half_duplex("ring:1001"));
  CHECK(plan.schedule.model().ports == PortModel::Single);
  CHECK(plan.schedule.model().duplex == Duplex::Half);
}
