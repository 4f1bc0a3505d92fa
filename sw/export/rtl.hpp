#pragma once

#include <cstdint>
#include <string>

#include "schedule/schedule.hpp"
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

}  // namespace gossamer
