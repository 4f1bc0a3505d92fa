#pragma once

#include <string_view>
#include <vector>

namespace gossamer {

/// A kind of topology that Topology::parse reads.
struct TopologyKind {
  std::string_view name;     ///< "torus"
  std::string_view example;  ///< "torus:7x7x7"
  std::string_view meaning;
};

/// All of them; parse.cpp has the table.
std::vector<TopologyKind> topology_kinds();

}  // namespace gossamer
