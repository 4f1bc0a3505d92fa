#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "schedule/schedule.hpp"
#include "tables/compiler.hpp"
#include "tables/link_stages.hpp"

namespace gossamer {

/// Writes a design that runs the schedule, for any topology, into a folder: fabric.sv (all nodes
/// and their links), the nodes' memory images, fabric_test.sv with expected_words.mem (a testbench
/// that checks every log, or sum, every error code, and that the last flit arrives, or the last sum
/// is written, in cycle `cycles`), a Makefile for Icarus and Verilator, and waves.gtkw. `seed`
/// determines the messages' contents, `stages` are the registers of the links at the topology's
/// ports (LinkStages::on). Throws InputError for adaptive schedules, for nodes with more ports than
/// the RTL allows, and for schedules that do not fit.
void export_rtl(const Schedule& schedule, unsigned flits, std::uint32_t seed, std::uint64_t cycles,
                const std::string& folder, const PortStages& stages = {});

/// The first port of each node among those of all nodes; at the end how many there are.
std::vector<std::uint64_t> first_ports(const FabricImage& image);

/// The self-checking testbench of an exported design, and the files that it reads, by name.
/// `cycles`: when the last flit should arrive, or the last sum be written; `stages` of the links.
std::map<std::string, std::string> testbench(const Schedule& schedule,
                                             const CompiledSchedule& compiled,
                                             const Payload& payload, std::uint64_t cycles,
                                             const PortStages& stages);

}  // namespace gossamer
