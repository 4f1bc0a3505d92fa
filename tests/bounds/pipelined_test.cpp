#include <fmt/format.h>

#include <array>

#include "bounds/bounds.hpp"
#include "catch.hpp"

using namespace gossamer;

namespace {

constexpr Model kTdm{PortModel::Single, Duplex::Full, Switching::Pipelined, false};

std::uint64_t bound(const std::string& topology) {
  return lower_bound_rounds(Topology::parse(topology), Collective::TotalExchange, kTdm);
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

TEST_CASE("pipelined total exchange: nothing changes for other ports and switching") {
  const Topology torus = Topology::parse("torus:10x10");
  Model model = kTdm;
  model.ports = PortModel::All;
  CHECK(lower_bound_rounds(torus, Collective::TotalExchange, model) == 125);
  model = kTdm;
  model.switching = Switching::Circuit;
  CHECK(lower_bound_rounds(torus, Collective::TotalExchange, model) == 125);
}
