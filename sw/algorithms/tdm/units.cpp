#include "algorithms/tdm/units.hpp"

#include <algorithm>

namespace gossamer::tdm {
namespace {

/// Shortest directions along one side: one, or both for half way round. `forward` is the direction
/// in which the digit grows.
std::vector<Direction> directions(std::uint32_t digit, std::uint32_t side, Direction forward) {
  if (2 * digit < side) return {forward};
  if (2 * digit > side) return {opposite(forward)};
  return {forward, opposite(forward)};
}

Unit unit_of(const Torus& torus, std::uint32_t x, std::uint32_t y) {
  const std::uint32_t x_hops = std::min(x, torus.width - x), y_hops = std::min(y, torus.height - y);
  Unit unit;
  unit.hops = x_hops + y_hops;
  unit.corner = 2 * x == torus.width && 2 * y == torus.height;
  for (const Direction dx : directions(x, torus.width, 0)) {
    for (const Direction dy : directions(y, torus.height, 2)) {
      unit.ways.push_back({{dx, dy}, {x_hops, y_hops}});
      if (unit.corner) unit.ways.push_back({{dy, dx}, {y_hops, x_hops}});
    }
  }
  return unit;
}

}  // namespace

std::vector<Unit> units_of(const Torus& torus) {
  const bool corner = torus.width % 2 == 0 && torus.height % 2 == 0;
  std::vector<Unit> units;
  for (std::uint32_t y = 0; y < torus.height; ++y) {
    for (std::uint32_t x = 0; x < torus.width; ++x) {
      const std::uint32_t opposite_x = (torus.width - x) % torus.width;
      const std::uint32_t opposite_y = (torus.height - y) % torus.height;
      if (x == 0 && y == 0) continue;
      if (opposite_y < y || (opposite_y == y && opposite_x < x)) continue;
      const bool own_opposite = opposite_x == x && opposite_y == y;
      if (own_opposite && corner && (x == 0 || y == 0)) continue;  // these are legs of the corner
      units.push_back(unit_of(torus, x, y));
    }
  }
  return units;
}

}  // namespace gossamer::tdm
