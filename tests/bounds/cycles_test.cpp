// The bound of cycles: by hand for simple cases. Every case of the regression is compared with it.
#include "bounds/cycles.hpp"

#include "catch.hpp"

using namespace gossamer;

namespace {

std::uint64_t bound(const char* topology, Collective collective, PortModel ports, Duplex duplex,
                    unsigned flits) {
  return lower_bound_cycles(Topology::parse(topology), collective, {ports, duplex}, 0, flits).value;
}

}  // namespace

TEST_CASE("cycles: what must go through a node's ports") {
  // The first flit is on a link in cycle 3.
  CHECK(bound("ring:8", Collective::Gossip, PortModel::Single, Duplex::Full, 4) == 2 + 7 * 4);
  CHECK(bound("torus:4x4", Collective::Gossip, PortModel::All, Duplex::Full, 4) == 2 + 15);
  CHECK(bound("torus:7x7x7", Collective::Gossip, PortModel::All, Duplex::Full, 8) ==
        2 + 342 * 8 / 6);
  CHECK(bound("complete:5", Collective::Scatter, PortModel::Single, Duplex::Full, 3) == 2 + 4 * 3);
}

TEST_CASE("cycles: a path's end takes all in through one port, whichever the model") {
  CHECK(bound("path:4", Collective::Gossip, PortModel::All, Duplex::Full, 5) == 2 + 3 * 5);
}

TEST_CASE("cycles: the longest way") {
  CHECK(bound("path:9", Collective::Broadcast, PortModel::All, Duplex::Full, 1) == 1 + 8 + 1);
  CHECK(bound("hypercube:4", Collective::Broadcast, PortModel::Single, Duplex::Full, 1) ==
        1 + 5 + 1);
  CHECK(bound("path:9", Collective::Broadcast, PortModel::Single, Duplex::Full, 8) == 1 + 8 + 8);
}

TEST_CASE("cycles: a message cut into pieces, over several ways at once") {
  CHECK(bound("hypercube:4", Collective::Broadcast, PortModel::All, Duplex::Full, 8) == 1 + 4 + 2);
  // Both ways around the ring, 1 hop and 7.
  CHECK(bound("ring:8", Collective::Broadcast, PortModel::All, Duplex::Full, 1) == 1 + 4 + 1);
  CHECK(bound("ring:8", Collective::Broadcast, PortModel::All, Duplex::Full, 1000) == 1 + 4 + 500);
  CHECK(bound("torus:7x7x7", Collective::Broadcast, PortModel::All, Duplex::Full, 1024) == 182);
}

TEST_CASE("cycles: what crosses the middle of a mesh") {
  CHECK(bound("mesh:8x8", Collective::TotalExchange, PortModel::All, Duplex::Full, 8) ==
        2 + 32 * 32 * 8 / 8);
}

TEST_CASE("cycles: loads of the best routes, where no cut and no sum of distances is as strong") {
  CHECK(bound("debruijn:6", Collective::TotalExchange, PortModel::All, Duplex::Full, 1) == 2 + 63);
  CHECK(bound("debruijn:6", Collective::TotalExchange, PortModel::All, Duplex::Full, 8) == 2 + 497);
}

TEST_CASE("cycles: hops of all flits over all links") {
  // Half duplex: 8 * 7 messages over 8 links.
  CHECK(bound("ring:8", Collective::Gossip, PortModel::All, Duplex::Half, 4) == 2 + 7 * 4);
  // Distances 1, 1, 2, 2, 3, 3, 4 from each of 8 nodes over 16 arcs.
  CHECK(bound("ring:8", Collective::TotalExchange, PortModel::All, Duplex::Full, 2) == 2 + 16);
  CHECK(bound("ring:8", Collective::TotalExchange, PortModel::Single, Duplex::Full, 2) == 2 + 32);
  // What only passes through a node takes none of its ports.
  const Model circuits{PortModel::Single, Duplex::Full, Switching::Circuit};
  CHECK(lower_bound_cycles(Topology::parse("ring:8"), Collective::TotalExchange, circuits, 0, 2)
            .value == 2 + 16);
}

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

TEST_CASE("a broadcast needs links that flits can have come to") {
  // 63 nodes times 64 flits over 128 links, which a flit comes to after 0 to 7 hops.
  CHECK(lower_bound_cycles(Topology::parse("torus:8x8"), Collective::Broadcast,
                           {PortModel::All, Duplex::Half}, 0, 64)
            .value == 37);
}
