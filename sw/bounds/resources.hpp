#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "schedule/model.hpp"
#include "topology/arcs.hpp"

namespace gossamer::bounds {

using Resource = std::uint32_t;
inline constexpr Resource kNoResource = std::numeric_limits<Resource>::max();

/// What a hop of a packet occupies for a round. Through all ports that is its arc, or with half
/// duplex its link. Through a single port it is the sender's output and the receiver's input, or
/// with half duplex both nodes. Each resource serves one hop in a round, so no schedule takes fewer
/// rounds than the hops of its busiest resource.
class Resources {
 public:
  Resources(const Arcs& arcs, PortModel ports, Duplex duplex)
      : arcs_(arcs), single_(ports == PortModel::Single), half_(duplex == Duplex::Half) {}

  Resource count() const {
    if (!single_) return arcs_.count();
    return half_ ? arcs_.nodes() : 2 * arcs_.nodes();
  }
  /// One or two.
  std::array<Resource, 2> of(ArcId a) const {
    if (!single_) return {half_ ? std::min(a, arcs_.reverse(a)) : a, kNoResource};
    return {arcs_.tail(a), half_ ? arcs_.head(a) : arcs_.nodes() + arcs_.head(a)};
  }

 private:
  const Arcs& arcs_;
  bool single_, half_;
};

}  // namespace gossamer::bounds
