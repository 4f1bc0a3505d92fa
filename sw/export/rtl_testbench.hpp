#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

/// The first port of each node among those of all nodes; at the end how many there are.
std::vector<std::uint64_t> first_ports(const Topology& topology);

/// The self-checking testbench of an exported design, and the files that it reads, by name.
/// `cycles`: when the last flit should arrive; `staged`: links have register stages.
std::map<std::string, std::string> testbench(const Schedule& schedule, const FabricImage& image,
                                             const Payload& payload, std::uint64_t cycles,
                                             bool staged);

}  // namespace gossamer
