#pragma once

#include <string>

#include "topology/topology.hpp"

namespace gossamer::fuzz {

/// Demands that links have two ends, ports lead to the right nodes, the graph is connected, and
/// translations map links to links; on large topologies for some nodes only.
void demand_consistent(const Topology& topology);

/// The topology as a file of edges; empty if it is large.
std::string edges_text(const Topology& topology);

}  // namespace gossamer::fuzz
