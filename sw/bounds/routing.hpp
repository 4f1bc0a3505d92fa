#pragma once

#include <cstdint>

#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer::bounds {

/// Total exchange of packets without combining, any model (ours): give every resource
/// (resources.hpp) a length. A message from x to y uses resources of at least their distance in
/// this metric, and in T rounds at most T times the sum of all lengths is used. So T is at least
///     the sum of the distances of all pairs / the sum of the lengths
/// for any lengths; with the best lengths this is the largest load of the best fractional routing.
/// The lengths are found by routing along shortest paths and lengthening what is loaded, some
/// times; the result is computed in whole numbers. 0 if the topology is too large, and if it can be
/// translated, where equal lengths are the best.
std::uint64_t routing_rounds(const Topology& topology, PortModel ports, Duplex duplex);

}  // namespace gossamer::bounds
