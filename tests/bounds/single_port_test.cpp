#include "bounds/claims.hpp"

#include "bounds/bounds.hpp"
#include "catch.hpp"

using namespace gossamer;

TEST_CASE("paper 1: equations (2) and (3) have the printed values") {
  for (std::uint64_t n = 2; n <= 100; ++n) {
    CAPTURE(n);
    CHECK(bounds::single_port_gossip_half_duplex(n) == (n % 2 == 0 ? 2 * (n - 1) : 2 * n));
  }
}

TEST_CASE("paper 1: one node alone has nothing to do") {
  CHECK(bounds::single_port_gossip_half_duplex(1) == 0);  // equation (3) would say 2
}

TEST_CASE("paper 1: pipelined transfers escape the odd case of equation (3)") {
  const Topology ring = Topology::parse("ring:9");
  Model model{PortModel::Single, Duplex::Half, Switching::Packet, false};
  CHECK(lower_bound_rounds(ring, Collective::Gossip, model) == 18);
  model.switching = Switching::Pipelined;
  CHECK(lower_bound_rounds(ring, Collective::Gossip, model) == 16);
}
