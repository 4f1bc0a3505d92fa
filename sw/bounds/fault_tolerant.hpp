#pragma once

#include <cstdint>

#include "schedule/model.hpp"

namespace gossamer::bounds {

/// The fewest rounds of a broadcast or gossip on the d-cube that tolerates any k < d faulty nodes
/// and links, which the nodes do not know (Chau-Fu, sections 1 and 2).
///
/// Single port: d+k+1 for k >= 1, a theorem of Fraigniaud's that the paper quotes; d for k = 0, the
/// distance. All ports: d+1 for k = d-1, because the d-1 faults can be the neighbours of a node at
/// distance d-1 that lie on its shortest paths, and every other path is two hops longer (so d must
/// be 2 or more, which the paper does not say); d for smaller k.
std::uint64_t fault_tolerant_rounds(unsigned d, unsigned k, PortModel ports);

}  // namespace gossamer::bounds
