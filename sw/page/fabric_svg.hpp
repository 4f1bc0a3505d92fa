#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/loads.hpp"
#include "schedule/faults.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// Larger fabrics are not drawn node by node.
inline constexpr Node kMostDrawnNodes = 2000;

/// The nodes and links of a fabric as an SVG, for the page's styles. Links are `<path class="arc"
/// data-a="...">` with the number node * ports + port, nodes `<g class="node" data-n="...">`.
std::string fabric_svg(const Topology& topology);

/// The same as a stand-alone picture, links coloured by their load over all rounds; what is broken
/// is crossed out.
std::string fabric_picture(const Topology& topology, const Loads& loads, const FaultSet& faults,
                           const std::string& title);

}  // namespace gossamer
