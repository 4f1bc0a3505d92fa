#pragma once

#include <cstdint>
#include <span>

#include "bounds/arithmetic.hpp"
#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer::bounds {

/// The largest load of the best fractional routing of a total exchange, or somewhat less.
struct RoutingLoad {
  std::uint64_t distances = 0, lengths = 1;
  /// Rounded up, of messages of so many flits.
  std::uint64_t of(std::uint64_t flits) const {
    return divide_up(multiply_saturating(distances, flits), lengths);
  }
};

/// Total exchange without combining, any model (ours): give every resource (resources.hpp) a
/// length. A message from x to y uses resources of at least their distance in this metric, and in T
/// rounds at most T times the sum of all lengths is used. So T is at least
///     the sum of the distances of all pairs / the sum of the lengths
/// for any lengths; with the best lengths this is the largest load of the best fractional routing.
/// Where nodes send each other other `amounts` (by origins; empty: one message each), each distance
/// counts as often. The lengths are found by routing along shortest paths and lengthening what is
/// loaded, some times; the result is computed in whole numbers. 0 if the topology is too large, and
/// without amounts if it can be translated, where equal lengths are the best.
///
/// Through all ports the same holds with flits and cycles in the place of messages and rounds,
/// however messages are cut or switched. Remembers the last result of each thread.
RoutingLoad routing_load(const Topology& topology, PortModel ports, Duplex duplex,
                         std::span<const std::uint64_t> amounts = {});

}  // namespace gossamer::bounds
