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
