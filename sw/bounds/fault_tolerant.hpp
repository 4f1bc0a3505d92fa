#pragma once

#include <cstdint>

#include "schedule/model.hpp"

namespace gossamer::bounds {

/// The fewest rounds of a broadcast or gossip on the d-cube that stands any k < d faulty nodes and
/// links, of which no node is told (paper 3, sections 1 and 2).
///
/// Single port: d+k+1 for k >= 1, a theorem of Fraigniaud's that the paper quotes; d for k = 0,
/// where it is the distance. All ports: d+1 for k = d-1, since the d-1 faults can be the neighbours
/// of a node at distance d-1 that lie on its shortest paths, and every other path is two hops
/// longer (so that d must be 2 or more, which the paper does not say); d for smaller k.
std::uint64_t fault_tolerant_rounds(unsigned d, unsigned k, PortModel ports);

}  // namespace gossamer::bounds
