#pragma once

#include <string>

#include "topology/topology.hpp"

namespace gossamer::fuzz {

/// Demands that links have two ends, ports lead where they say, all is connected, and translations
/// take links to links; of large topologies for some nodes only.
void demand_consistent(const Topology& topology);

/// The topology as a file of edges; empty if it is large.
std::string edges_text(const Topology& topology);

}  // namespace gossamer::fuzz
