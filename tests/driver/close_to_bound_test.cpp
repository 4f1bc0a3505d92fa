// How close the default choice comes to the bound in cycles: it must not get worse.
#include <cmath>

#include "catch.hpp"
#include "driver/report.hpp"

using namespace gossamer;

TEST_CASE("the default choice is close to the bound in cycles, with few flits and with many") {
  constexpr const char* kGraphs[] = {"torus:8x8",   "torus:7x7x7", "torus:4x4x4", "mesh:8x8",
                                     "hypercube:6", "ring:16",     "debruijn:6"};
  double logarithms = 0;
  unsigned entries = 0;
  for (const char* topology : kGraphs) {
    for (const Collective collective :
         {Collective::Gossip, Collective::TotalExchange, Collective::Broadcast, Collective::Scatter,
          Collective::Gather}) {
      for (const unsigned flits : {1u, 2u, 8u, 64u, 1024u}) {
        Case c;
        c.topology = topology;
        c.collective = collective;
        c.flits = flits;
        const double ratio = examine(c, make_plan(c)).ratio_to_bound().value();
        CAPTURE(topology, to_string(collective), flits, ratio);
        CHECK(ratio <= 1.07);
        logarithms += std::log(ratio);
        ++entries;
      }
    }
  }
  CHECK(std::exp(logarithms / entries) < 1.02);
}
