#include "algorithms/common/all.hpp"
#include "algorithms/single_port/single_port.hpp"
#include "bounds/brute_force.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "play.hpp"

using namespace gossamer;
using namespace gossamer::test;

TEST_CASE("gossip on paths of 3 to 80 nodes takes what its formula says") {
  const Duplex duplex = GENERATE(Duplex::Full, Duplex::Half);
  for (Node n = 3; n <= 80; ++n) {
    const Topology path = Topology::parse(fmt::format("path:{}", n));
    const Schedule schedule = schedule_of(PathGossip(n, duplex), path, duplex);
    CAPTURE(n, to_string(duplex));
    CHECK(schedule.rounds() == PathGossip::formula(n, duplex).rounds);
    CHECK(schedule.rounds() >= (duplex == Duplex::Full ? n + 1 : 2 * n));
    CHECK(test::broken_rules(schedule) == "");
  }
}

TEST_CASE("gossip on paths of 3 to 5 nodes takes the fewest rounds there are") {
  for (const Node n : {3u, 4u, 5u}) {
    const Topology path = Topology::parse(fmt::format("path:{}", n));
    for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
      CAPTURE(n, to_string(duplex));
      CHECK(PathGossip::formula(n, duplex).rounds ==
            fewest_gossip_rounds(path, single_port_model(duplex)));
    }
  }
}
