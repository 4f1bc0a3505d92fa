#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "gossamer_axi.hpp"
#include "schedule/schedule.hpp"
#include "tables/compiler.hpp"
#include "tables/link_stages.hpp"
#include "tables/node_build.hpp"
#include "tables/programs.hpp"
#include "views/rows.hpp"

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
/// and checksum, and the parameters of an axi_fabric that holds them; of several programs also how
/// each is started, and where its words are. Throws InputError if axi_fabric does not support the
/// topology, or if its nodes would not execute the tables.
std::string axi_text(std::span<const Program> programs);

/// The same as a C header, with the addresses of the registers that load and start the tables, and
/// functions that tell from nodes' first errors what is dead. Its names begin with `name`. `sets`
/// are planned around one dead link or node each: their tables are in it, too, and how a host
/// chooses among them and, for a fault that is a translation of that, moves them.
std::string axi_header(std::span<const Program> programs, const std::string& name,
                       std::span<const Program> sets = {}, bool tight = false);

/// Of that header the functions that tell what is dead, and those that choose among sets, whose
/// rows are given. For the name stands @, in capitals $.
std::string axi_suspects(const Schedule& schedule, const ScheduleTiming& timed);
std::string axi_sets(const std::string& rows, std::size_t sets, unsigned index_w);

/// A Verilog module NAME_axi around an axi_fabric with these parameters: AXI4-Lite as s_axi_*, each
/// node's streams as s_axis_N_* and m_axis_N_*, so that Vivado finds the interfaces.
std::string axi_wrapper(std::span<const Program> programs, const std::string& name,
                        bool tight = false);

/// Writes what the name of `output` asks for: with .h, .v, .vh that header, module, or the text
/// between `axi_fabric #(` and `)`; with / a folder of memory images, these parameters (fabric.vh)
/// and axi_text() (tables.txt); else axi_text(). `tight`: of nodes for them alone (tighten),
/// without sets. Returns what a node takes that holds them and `sets`.
NodeCost export_axi(std::span<const Program> programs, std::span<const Program> sets,
                    const std::string& output, bool tight = false);

/// Writes the tables and own words of all nodes as $readmemh images into a folder, and the matching
/// parameters of torus_fabric, or of torus_part (tables/mem_image.hpp). Returns what a node takes.
/// Throws InputError if torus_fabric does not support the topology, or if nodes of the requested
/// size cannot run the schedule (tables/fit_small_nodes.hpp).
struct MemOptions {
  bool one_cycle = false;
  bool in_order = false;
  bool tight = false;
  std::string part = {};  ///< of the torus, as torus_part reads it; empty: all of it
};
NodeCost export_mem(std::span<const Program> programs, const MemOptions& options,
                    const std::string& folder);

/// Rewrites the tables for nodes of the kind one_cycle: an entry for each cycle, with length,
/// repeat and (if the node sends) stream 1. The cycles of the schedule do not change, and other
/// nodes of the same ports can also run the tables. Throws InputError if such nodes cannot run the
/// schedule: half duplex, adaptive, streams of several flits, circuits of several hops within a
/// slot, or too many entries.
void fit_one_cycle_nodes(FabricImage& image);

/// Sorts own words into the order in which the node sends them, for nodes built with IN_ORDER,
/// which have no list. The list that remains, for other nodes, reads word after word. Throws
/// InputError if a node sends anything twice or has several read channels, or forwards what it
/// received in another order than that of arrival.
void fit_in_order_nodes(FabricImage& image);

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

/// The signals of the RTL in a design of the user's, as any simulator writes them: `scope` is the
/// full name of the instance of torus_fabric (or of the `fabric` that export_rtl writes), `ports`
/// says how many ports a node has.
class OwnSignals : public Signals {
 public:
  OwnSignals(std::string scope, const NodeKind& kind, const NodeDepths& depths,
             std::function<Port(Node)> ports)
      : scope_(std::move(scope)), kind_(kind), depths_(depths), ports_(std::move(ports)) {}

  std::string clock(Node x) const override;
  NodeSignals node(Node x) const override;
  PortSignals port(Node x, Port p) const override;
  std::string words_in_log(Node x, unsigned log) const override;

 private:
  std::string node_scope(Node x) const;
  std::string core(Node x) const { return node_scope(x) + "i_core."; }

  std::string scope_;
  NodeKind kind_;
  NodeDepths depths_;
  std::function<Port(Node)> ports_;
};

/// A view and the files that it refers to.
struct OwnView {
  std::string rows;                               ///< a save file for GTKWave
  std::map<std::string, std::string> names = {};  ///< file extension to text
};

/// A view for the waveform of a design of the user's. The files of names will be called
/// `base`.flits, `base`.sequencer and so on.
OwnView own_view(const Schedule& schedule, const FabricImage& image, const Payload& payload,
                 const OwnSignals& signals, const std::string& base);

/// Writes the view FILE.gtkw for the waveform of a simulation in which memory images or tables of
/// the schedule run, and its names beside it.
void export_gtkw(const Schedule& schedule, unsigned flits, std::uint32_t seed,
                 const std::string& scope, const std::string& file, const PortStages& stages = {});

/// A transfer for other programs: messages from one node to another, and the deliveries that must
/// arrive at the source before it can be sent.
struct Delivery {
  std::uint32_t round = 0;    ///< in which it starts
  std::uint32_t arrival = 0;  ///< in which it ends: the same round unless switching is pipelined
  Node from = kNoNode;
  Node to = kNoNode;
  Port out = kNoPort;                  ///< of the source, where the path begins
  Port in = kNoPort;                   ///< of the destination, where it ends
  std::vector<Message> messages = {};  ///< in ascending order of origin, then destination
  std::vector<std::uint32_t> parts =
      {};  ///< of each, of how many members a sum has the parts; or 1
  /// Of each: the destination did not have it, or adds it; what comes beside the whole sum is none.
  std::vector<bool> news = {};
  /// Deliveries to the source that first brought some of these, or that are in their sums.
  std::vector<std::uint32_t> needs = {};
};

/// All transfers of a schedule that the checker accepts, orbits expanded, by round. "Everything" is
/// expanded, each message once. Throws InputError for adaptive schedules, whose content is not
/// known in advance, and for schedules that are too large to be written node by node.
std::vector<Delivery> deliveries(const Schedule& schedule);

/// Byte address on AXI4-Lite of word `address` in `region` of a node's configuration port
/// (docs/hardware/table-format.md), for an interface of `index_w` index bits
/// (docs/hardware/axi.md).
constexpr std::uint64_t axi_address(Node node, unsigned region, std::uint32_t address,
                                    unsigned index_w = rtl::AXI_INDEX_W) {
  const bool parted =
      region == rtl::CFG_LISTS || region == rtl::CFG_STORE || region == rtl::AXI_ALL_LISTS;
  const std::uint64_t part = parted ? address >> rtl::CFG_LOG_LSB : 0;
  const std::uint64_t index = parted ? address & ((1u << rtl::CFG_LOG_LSB) - 1) : address;
  const unsigned part_lsb = 2 + index_w, region_lsb = part_lsb + rtl::AXI_PART_W,
                 node_lsb = region_lsb + rtl::AXI_REGION_W;
  return std::uint64_t{node} << node_lsb | std::uint64_t{region} << region_lsb | part << part_lsb |
         index << 2;
}

/// Byte address of a control register of the fabric.
constexpr std::uint64_t axi_control(unsigned reg, unsigned index_w = rtl::AXI_INDEX_W) {
  return axi_address(0, rtl::AXI_CONTROL, reg, index_w);
}

/// The fewest index bits, AXI_INDEX_W at least, with which axi_fabric has addresses for all words
/// of nodes of these depths.
unsigned axi_index_w(const NodeDepths& depths);

/// A word to write.
struct AxiWrite {
  std::uint64_t address = 0;
  std::uint32_t data = 0;
  bool operator==(const AxiWrite&) const = default;
};

/// The tables of all nodes as words to write, in order: slot tables and segment lists, each
/// followed by the zeros that end it, and how many words each node takes for a period (`packets`;
/// empty: any number). What is the same in all nodes is written once, to all. Their number goes to
/// AXI_LENGTH. Throws InputError if nodes of this build (as read from each node's registers) would
/// not execute them unchanged, or if a word of them has no address.
std::vector<AxiWrite> axi_table_writes(const FabricImage& image, const NodeBuild& build,
                                       std::span<const std::uint32_t> packets,
                                       unsigned index_w = rtl::AXI_INDEX_W);

/// The value of AXI_CHECKSUM for them: CRC-32 as in zlib, over each word's address (its low 32
/// bits) and data, least significant byte first.
std::uint32_t axi_checksum(std::span<const AxiWrite> writes);

}  // namespace gossamer
