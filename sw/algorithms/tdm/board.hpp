#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/tdm/units.hpp"

namespace gossamer::tdm {

/// Where a unit is placed. Slots count from 0 on the board.
struct Placement {
  std::uint32_t slot = 0;
  std::vector<Direction> steps;
  bool corner = false;
};

/// Which unit uses which link and which injection in which slot, and the price of displacing it.
/// Everything is entered twice, as itself and as its mirror image: slot s becomes slots-1-s, a
/// direction its opposite, and an injection an arrival.
class Board {
 public:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  using Price = std::int16_t;

  explicit Board(std::uint32_t slots);

  std::uint32_t slots() const { return slots_; }
  /// By slot; 0 if it is free.
  const Price* link_prices(Direction d) const { return link_prices_[d].data(); }
  const Price* injection_prices() const { return injection_prices_.data(); }
  const Price* arrival_prices() const { return arrival_prices_.data(); }

  void put(std::uint32_t unit, const Placement& place, Price price);
  void reprice(const Placement& place, Price price);
  void remove(const Placement& place);
  /// All units that are in the way, each once.
  std::vector<std::uint32_t> in_the_way(const Placement& place) const;

 private:
  /// Calls link(direction, slot) and injection(slot) for all that a placement uses, except what its
  /// mirror image covers already.
  template <typename Link, typename Injection>
  void visit(const Placement& place, Link link, Injection injection) const;
  void set(const Placement& place, std::uint32_t unit, Price price);

  std::uint32_t slots_;
  std::array<std::vector<Price>, kDirections> link_prices_;
  std::vector<Price> injection_prices_, arrival_prices_;
  std::array<std::vector<std::uint32_t>, kDirections> link_users_;
  std::vector<std::uint32_t> injection_users_;
};

}  // namespace gossamer::tdm
