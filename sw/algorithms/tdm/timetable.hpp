#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::tdm {

/// A direction of travel, which is also the number of the port: 0 east (x grows), 1 west, 2 north
/// (y grows), 3 south.
using Direction = std::uint8_t;
inline constexpr Direction kDirections = 4;
constexpr Direction opposite(Direction d) { return d ^ 1; }

/// A torus of two dimensions; its sides have at least 3 nodes.
struct Torus {
  std::uint32_t width = 0, height = 0;
  std::uint32_t nodes() const { return width * height; }
  bool operator==(const Torus&) const = default;
};

/// What every node does for the node at some offset: hop k uses the link of direction steps[k] in
/// slot `slot` + k. Slots count from 1.
struct Route {
  std::uint32_t slot = 0;
  std::vector<Direction> steps;

  std::uint32_t last_slot() const { return slot + static_cast<std::uint32_t>(steps.size()) - 1; }
  bool operator==(const Route&) const = default;
};

/// Where a route leads, as x and y modulo the sides.
std::array<std::uint32_t, 2> offset(const Torus& torus, const Route& route);

/// Routes for half of all offsets, one of v and -v. The other half is their mirror image: last slot
/// first, and every step in the opposite direction. A route to (w/2, h/2), which is its own
/// opposite, turns once, and the two legs of its mirror image are the routes to (w/2, 0) and (0,
/// h/2).
struct Timetable {
  Torus torus;
  std::uint32_t slots = 0;
  std::vector<Route> half;
};

/// A route for each offset, in the order of the slots in which they begin.
std::vector<Route> all_routes(const Timetable& timetable);

/// "1:EEN 4:WS": the routes of a half, slot and steps.
std::string to_text(const std::vector<Route>& routes);
/// The inverse.
std::vector<Route> routes_of(std::string_view text);

}  // namespace gossamer::tdm
