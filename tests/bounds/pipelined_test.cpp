#include "bounds/pipelined.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bounds/bounds.hpp"
#include "bounds/distances.hpp"
#include "catch.hpp"

using namespace gossamer;

namespace {

constexpr Model kTdm{PortModel::Single, Duplex::Full, Switching::Pipelined, false};

std::uint64_t bound(const std::string& topology) {
  return lower_bound_rounds(Topology::parse(topology), Collective::TotalExchange, kTdm);
}

/// The sum that slots_for_hops must reach, slot by slot.
std::uint64_t hops_in(std::uint64_t slots, std::uint64_t links, std::uint64_t nodes) {
  std::uint64_t hops = 0;
  for (std::uint64_t s = 1; s <= slots; ++s) {
    hops += std::min({links, s * nodes, (slots + 1 - s) * nodes});
  }
  return hops;
}

}  // namespace

TEST_CASE("pipelined total exchange: the bounds of square tori") {
  constexpr std::array<std::uint64_t, 10> kBounds = {9, 17, 26, 38, 51, 67, 93, 128, 168, 219};
  // The bounds from the number of messages and from the links alone.
  constexpr std::array<std::uint64_t, 8> kWeaker = {8, 15, 24, 35, 48, 64, 90, 125};
  for (Node side = 3; side <= 12; ++side) {
    CAPTURE(side);
    CHECK(bound(fmt::format("torus:{0}x{0}", side)) == kBounds[side - 3]);
    if (side <= 10) CHECK(kWeaker[side - 3] < kBounds[side - 3]);
  }
}

TEST_CASE("pipelined total exchange: arrivals stay so many hops behind injections") {
  // Two nodes: one hop, one slot. Path of 3: distances 1,2,1,1,2,1 of 6, so one slot more.
  CHECK(bounds::pipelined_port_slots(Topology::parse("ring:2")) == 1);
  CHECK(bounds::pipelined_port_slots(Topology::parse("path:3")) == 3);
  CHECK(bounds::pipelined_port_slots(Topology::parse("complete:6")) == 5);
  // 24 messages, 60 hops per node: on average 1.5 slots behind, so 2 more slots.
  CHECK(bounds::pipelined_port_slots(Topology::parse("torus:5x5")) == 26);
}

TEST_CASE("pipelined total exchange: the fewest slots whose links carry so many hops") {
  for (std::uint64_t nodes = 1; nodes <= 3; ++nodes) {
    for (std::uint64_t links = 1; links <= 13; ++links) {
      for (std::uint64_t hops = 0; hops <= 60; ++hops) {
        CAPTURE(nodes, links, hops);
        const std::uint64_t slots = bounds::slots_for_hops(hops, links, nodes);
        CHECK(hops_in(slots, links, nodes) >= hops);
        if (slots > 0) CHECK(hops_in(slots - 1, links, nodes) < hops);
      }
    }
  }
}

TEST_CASE("pipelined total exchange: nothing changes for other ports and switching") {
  const Topology torus = Topology::parse("torus:10x10");
  Model model = kTdm;
  model.ports = PortModel::All;
  CHECK(lower_bound_rounds(torus, Collective::TotalExchange, model) == 125);
  model = kTdm;
  model.switching = Switching::Circuit;
  CHECK(lower_bound_rounds(torus, Collective::TotalExchange, model) == 125);
}
