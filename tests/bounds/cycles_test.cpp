// The bound of cycles: by hand for simple cases. Every case of the regression is compared with it.
#include "bounds/bounds.hpp"

#include "catch.hpp"

using namespace gossamer;

TEST_CASE(
    "cycles: messages of nearly 2^32 flits take as many more cycles as they have more flits") {
  constexpr unsigned kStep = 5040, kFew = 200 * kStep,
                     kMany = 852'176 * kStep;  // whole parts over any ports and links below
  for (const char* spec : {"ring:8", "torus:3x3", "hypercube:3", "path:4"}) {
    for (const Collective c : {Collective::Gossip, Collective::Broadcast, Collective::Scatter,
                               Collective::Gather, Collective::TotalExchange}) {
      for (const PortModel ports : {PortModel::Single, PortModel::All}) {
        for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
          CAPTURE(spec, to_string(c), to_string(ports), to_string(duplex));
          const auto cycles = [&](unsigned flits) {
            const Topology topology = Topology::parse(spec);
            const std::vector<std::uint32_t> stages(topology.ports(), 63);
            return lower_bound_cycles(topology, c, {ports, duplex}, 0, flits, stages).value;
          };
          const std::uint64_t few = cycles(kFew);
          CHECK(cycles(kMany) - few == (cycles(kFew + kStep) - few) * ((kMany - kFew) / kStep));
        }
      }
    }
  }
}

TEST_CASE("links of unequal stages: the way over each counts with its own") {
  const Topology torus = Topology::parse("torus:8x8");
  const std::vector<std::uint32_t> at_ports = {0, 0, 3, 3};
  const auto bound = [&](Collective c, unsigned flits) {
    return lower_bound_cycles(torus, c, {PortModel::All, Duplex::Full}, 0, flits, at_ports).value;
  };
  // To the farthest node four links of a cycle and four of four, after two cycles; then flits at
  // the root's four links.
  CHECK(bound(Collective::Broadcast, 1) == 1 + 4 + 16 + 1);
  CHECK(bound(Collective::Gossip, 1) == 1 + 4 + 16 + 1);
  CHECK(bound(Collective::Scatter, 1024) >= 1 + 63 * 256);
}
