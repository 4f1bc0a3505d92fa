#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/tdm/timetable.hpp"

namespace gossamer::tdm {

/// A way: so many hops in each of two directions; one number may be 0.
struct Way {
  std::array<Direction, 2> directions{};
  std::array<std::uint32_t, 2> hops{};
};

/// What is placed at once: the route to an offset together with its mirror image.
struct Unit {
  std::uint32_t hops = 0;
  std::vector<Way> ways;  ///< shortest; several if the offset is halfway round an even side
  /// Halfway round both sides: the hops of ways[i].directions[0] come first, and the mirror image
  /// stands for two routes, which arrive and begin at the turn.
  bool corner = false;
};

/// One unit for each pair v and -v. Halfway round one side alone, v = -v and the mirror image is
/// not needed; its place is wasted if the other side is odd, and is a leg of a corner if it is
/// even.
std::vector<Unit> units_of(const Torus& torus);

}  // namespace gossamer::tdm
