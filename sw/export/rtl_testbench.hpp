#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "schedule/schedule.hpp"
#include "tables/compiled.hpp"
#include "tables/link_stages.hpp"

namespace gossamer {

/// The first port of each node among those of all nodes; at the end how many there are.
std::vector<std::uint64_t> first_ports(const Topology& topology);

/// The self-checking testbench of an exported design, and the files that it reads, by name.
/// `cycles`: when the last flit should arrive, or the last sum be written; `stages` of the links.
std::map<std::string, std::string> testbench(const Schedule& schedule,
                                             const CompiledSchedule& compiled,
                                             const Payload& payload, std::uint64_t cycles,
                                             const PortStages& stages);

}  // namespace gossamer
