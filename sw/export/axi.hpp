#pragma once

#include <span>
#include <string>

#include "schedule/schedule.hpp"
#include "tables/compiled.hpp"
#include "tables/link_stages.hpp"

namespace gossamer {

/// The writes with which an AXI host runs the schedule on rtl/axi/axi_fabric.sv
/// (docs/hardware/axi.md): the address and data of every word of the tables, in order, their number
/// and checksum, and the parameters of an axi_fabric that holds them, and the tables of the
/// schedules `also`. Throws InputError if axi_fabric does not support the topology, or if its nodes
/// would not execute the tables.
std::string axi_text(const Schedule& schedule, unsigned flits, const PortStages& stages = {},
                     std::span<const OtherSchedule> also = {});

/// The same as a C header, with the addresses of the registers that load and start the tables. Its
/// names begin with `name`.
std::string axi_header(const Schedule& schedule, unsigned flits, const std::string& name,
                       const PortStages& stages = {}, std::span<const OtherSchedule> also = {});

/// A Verilog module NAME_axi around an axi_fabric with these parameters: AXI4-Lite as s_axi_*, each
/// node's streams as s_axis_N_* and m_axis_N_*, so that Vivado finds the interfaces.
std::string axi_wrapper(const Schedule& schedule, unsigned flits, const std::string& name,
                        const PortStages& stages = {}, std::span<const OtherSchedule> also = {});

}  // namespace gossamer
