#include <fmt/format.h>

#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "faults/fault_sets.hpp"
#include "faults/reference.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// The checker has its own implementation of adaptive schedules.
void compare_with_checker(Scheme& scheme, const FaultSet& faults) {
  CAPTURE(scheme.name(), to_string(faults));
  const Outcome outcome = scheme.play(faults);
  scheme.schedule.faults = faults;
  const CheckReport report = check(scheme.schedule);
  REQUIRE(report.ok() == outcome.missing.empty());
  REQUIRE(report.missing == outcome.missing);
  REQUIRE(report.transmissions == outcome.crossed);
  REQUIRE(report.expected == outcome.expected);
  REQUIRE(report.delivered == outcome.delivered());
  for (std::size_t t = 0; t < report.carried.size(); ++t) {
    REQUIRE(report.carried[t] == outcome.carried(t));
  }
}

Schedule plan_on(const std::string& topology, const std::string& name, Collective collective,
                 PortModel ports = PortModel::Single) {
  Request request{.topology = Topology::parse(topology), .cycle = {}};
  request.collective = collective;
  request.ports = ports;
  return algorithm(name).plan(request);
}

}  // namespace

TEST_CASE("model and checker agree on every transfer, with any faults from any round on") {
  const unsigned d = GENERATE(1u, 2u, 3u, 4u, 5u);
  std::mt19937 random(d);
  for (Scheme& scheme : schemes(d, d - 1)) {
    const auto all = elements(scheme.schedule.topology(), {true, true, true}, scheme.spared());
    for (unsigned i = 0; i < 60; ++i) {
      FaultSet faults =
          random_set(all, random() % std::min<std::size_t>(2 * d, all.size()), random);
      faults.from_round = i % 2 == 0 ? 1 : 1 + random() % (scheme.schedule.rounds() + 1);
      compare_with_checker(scheme, faults);
    }
  }
}

TEST_CASE("two neighbours may send each other the same message in one round") {
  const Scheme scheme("chau-fu", 2, Collective::Broadcast, PortModel::Single, 1);
  const Outcome outcome = scheme.play({});
  // In round 3 (dimension 1 again) 2 and 3 hold the message, 2 from 0 and 3 from 1.
  CHECK(outcome.carries(8 + 2, 0));
  CHECK(outcome.carries(8 + 3, 0));
  CHECK_FALSE(outcome.carries(8 + 0, 0));
  CHECK(outcome.most == std::vector<std::uint32_t>{1, 1, 1, 0});
  CHECK(outcome.crossed == 5);
}

TEST_CASE("a node that has not heard of the initiator sends nothing") {
  const Scheme scheme("chau-fu-initiated", 2, Collective::Gossip, PortModel::Single, 1);
  const FaultSet cut_off = parse_faults("links=0-1,1-3", scheme.schedule.topology(), 1);
  const Outcome outcome = scheme.play(cut_off);
  for (std::size_t t = 0; t < scheme.schedule.transfers().size(); ++t) {
    if (scheme.schedule.path(scheme.schedule.transfers()[t])[0] == 1)
      CHECK(outcome.carried(t) == 0);
  }
  // Without an initiator it sends, though nothing arrives.
  const Scheme together("chau-fu", 2, Collective::Gossip, PortModel::Single, 1);
  const Outcome all = together.play(parse_faults("arcs=0>1,3>1", scheme.schedule.topology(), 1));
  CHECK(all.held(0, 1));
  CHECK_FALSE(all.held(1, 0));
}

TEST_CASE("root and initiator must be healthy, and faults leave no orbits") {
  Scheme broadcast("chau-fu", 3, Collective::Broadcast, PortModel::Single, 2);
  broadcast.schedule.faults.nodes = {0};
  CHECK(check(broadcast.schedule).faults.at(0).text == "node 0 is the root; it must be healthy");
  Scheme initiated("chau-fu-initiated", 3, Collective::Gossip, PortModel::Single, 2);
  initiated.schedule.faults.nodes = {0};
  CHECK(check(initiated.schedule).faults.at(0).text ==
        "node 0 is the initiator; it must be healthy");
  Schedule ring = plan_on("ring:5", "ring", Collective::Gossip);
  REQUIRE(ring.symmetry().order() > 1);
  ring.faults.nodes = {0};
  CHECK(check(ring).faults.at(0).text == "faults leave no translations: use the trivial symmetry");
}
