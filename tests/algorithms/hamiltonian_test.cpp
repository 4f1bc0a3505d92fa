#include "algorithms/single_port/hamiltonian.hpp"

#include <algorithm>

#include "algorithms/single_port/ring.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "play.hpp"

using namespace gossamer;
using namespace gossamer::test;

TEST_CASE("hamiltonian meets the lower bound on any hamiltonian graph") {
  const Duplex duplex = GENERATE(Duplex::Full, Duplex::Half);
  for (const char* spec : {"torus:4x4",   "torus:5x5",   "torus:3x5",
                           "torus:3x3x3", "torus:4x4x4", "torus:2x3",
                           "hypercube:1", "hypercube:3", "hypercube:6",
                           "ccc:2",       "ccc:3",       "ccc:4",
                           "butterfly:2", "butterfly:3", "debruijn:1",
                           "debruijn:4",  "debruijn:5",  "mesh:3x4",
                           "complete:7",  "ghc:3x5",     "product:path:3,ring:5"}) {
    const Request request = gossip_on(spec, duplex);
    CAPTURE(spec, to_string(duplex));
    REQUIRE_FALSE(kHamiltonian.refuses(request));
    const Schedule schedule = kHamiltonian.plan(request);
    const std::uint64_t bound = single_port_bound(request.topology.nodes(), duplex);
    CHECK(schedule.rounds() == bound);
    CHECK(kHamiltonian.formula(request).rounds == bound);
    const Played played = play(schedule);
    CHECK(played.fault == "");
    CHECK(in_log_order(played));
    CHECK(test::broken_rules(schedule) == "");
  }
}

TEST_CASE("on a ring, hamiltonian is ring") {
  for (const char* spec : {"ring:2", "ring:6", "ring:7"}) {
    for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
      const Schedule a = kHamiltonian.plan(gossip_on(spec, duplex));
      const Schedule b = kRing.plan(gossip_on(spec, duplex));
      REQUIRE(a.transfers().size() == b.transfers().size());
      CHECK(a.symmetry().order() == b.symmetry().order());
      for (std::size_t i = 0; i < a.transfers().size(); ++i) {
        const Transfer &s = a.transfers()[i], &t = b.transfers()[i];
        CHECK(s.round == t.round);
        CHECK(a.path(s)[0] == b.path(t)[0]);
        CHECK(a.path(s)[1] == b.path(t)[1]);
        CHECK(a.messages(s)[0] == b.messages(t)[0]);
      }
    }
  }
}

TEST_CASE("a symmetric cycle is held as orbits") {
  CHECK(kHamiltonian.plan(gossip_on("torus:7x7", Duplex::Full)).symmetry().order() == 7);
  CHECK(kHamiltonian.plan(gossip_on("complete:9", Duplex::Full)).symmetry().order() == 9);
  CHECK(kHamiltonian.plan(gossip_on("hypercube:4", Duplex::Half)).symmetry().order() == 2);
  CHECK(kHamiltonian.plan(gossip_on("torus:7x7", Duplex::Half)).symmetry().order() == 1);
}

TEST_CASE("hamiltonian follows the cycle that the user gives") {
  Request request = gossip_on("torus:3x2", Duplex::Full);
  request.cycle = {0, 1, 2, 5, 4, 3};
  REQUIRE_FALSE(kHamiltonian.refuses(request));
  const Schedule schedule = kHamiltonian.plan(request);
  CHECK(play(schedule).fault == "");
  for (const Transfer& t : schedule.transfers()) {
    const auto at = std::find(request.cycle.begin(), request.cycle.end(), schedule.path(t)[0]);
    const std::size_t place = at - request.cycle.begin();
    CHECK(schedule.path(t)[1] == request.cycle[(place + 1) % 6]);
  }
  request.cycle = {0, 1, 2, 4, 5, 3};
  CHECK(kHamiltonian.refuses(request) == "the given cycle goes from 2 to 4, which are not linked");
}

TEST_CASE("hamiltonian refuses graphs without a hamiltonian cycle, other collectives and ports") {
  CHECK(kHamiltonian.refuses(gossip_on("mesh:3x3", Duplex::Full)));
  Request request = gossip_on("ring:5", Duplex::Full);
  request.collective = Collective::Scatter;
  CHECK(kHamiltonian.refuses(request) == "hamiltonian serves gossip only, not scatter");
  request = gossip_on("ring:5", Duplex::Full);
  request.ports = PortModel::All;
  CHECK(kHamiltonian.refuses(request) ==
        "hamiltonian is a single-port algorithm: ask for single ports");
}
