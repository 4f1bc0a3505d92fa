#pragma once

#include <span>
#include <string>

#include "schedule/schedule.hpp"
#include "tables/compiler.hpp"
#include "tables/link_stages.hpp"

namespace gossamer {

/// The schedule as a GOAL text, the input of LogGOPSim's txt2bin (docs/use/export.md): a rank for
/// each node, a send and a recv for each transfer, of four bytes a flit. `flits` are those of a
/// message if the schedule does not say how long they are. Throws InputError like deliveries().
std::string goal_text(const Schedule& schedule, std::uint32_t flits);

/// Gossip as an MSCCL allgather, total exchange as an alltoall, and reductions
/// (docs/use/export.md): the XML that the MSCCL runtime reads, with a threadblock for each peer and
/// direction. Throws InputError for other collectives, for more steps with one peer than the
/// runtime allows, and like deliveries().
std::string msccl_xml(const Schedule& schedule);

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
