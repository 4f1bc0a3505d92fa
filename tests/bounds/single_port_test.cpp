#include "bounds/closed_forms.hpp"

#include "bounds/bounds.hpp"
#include "brute_force.hpp"
#include "catch.hpp"

using namespace gossamer;

TEST_CASE("paper 1: equations (1) to (3) have the printed values") {
  for (std::uint64_t n = 2; n <= 100; ++n) {
    CAPTURE(n);
    CHECK(bounds::single_port_gossip(n) == n - 1);
    CHECK(bounds::single_port_gossip_half_duplex(n) == (n % 2 == 0 ? 2 * (n - 1) : 2 * n));
  }
}

TEST_CASE("paper 1: one node alone has nothing to do") {
  CHECK(bounds::single_port_gossip(1) == 0);
  CHECK(bounds::single_port_gossip_half_duplex(1) == 0);  // equation (3) would say 2
}

TEST_CASE("paper 1: no schedule of a small ring beats the bounds, and one meets them") {
  const char* spec = GENERATE("ring:3", "ring:4", "complete:4", "mesh:2x2");
  const Duplex duplex = GENERATE(Duplex::Full, Duplex::Half);
  const Topology topology = Topology::parse(spec);
  const Model model{PortModel::Single, duplex, Switching::Packet, false};
  CAPTURE(spec, to_string(duplex));
  const std::uint64_t n = topology.nodes();
  CHECK(fewest_gossip_rounds(topology, model) == (duplex == Duplex::Full
                                                      ? bounds::single_port_gossip(n)
                                                      : bounds::single_port_gossip_half_duplex(n)));
}

TEST_CASE("paper 1: pipelined transfers escape the odd case of equation (3)") {
  const Topology ring = Topology::parse("ring:9");
  Model model{PortModel::Single, Duplex::Half, Switching::Packet, false};
  CHECK(lower_bound_rounds(ring, Collective::Gossip, model) == 18);
  model.switching = Switching::Pipelined;
  CHECK(lower_bound_rounds(ring, Collective::Gossip, model) == 16);
}
