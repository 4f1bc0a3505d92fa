#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "gossamer_constants.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// What the hardware of a node is: the parameters of rtl/node/switch_core.sv that software must
/// know. Those with one row each in kNodeParameters are flags, or small numbers.
struct NodeKind {
  Port ports = 4;                ///< link ports
  std::uint8_t single_port = 0;  ///< one send and one receive a slot, and a single log
  std::uint8_t half_duplex = 0;
  unsigned channels = 1;       ///< read channels: 1 (multicasts) or one per port
  std::uint8_t adaptive = 0;   ///< logs by message; the node decides what it sends (exchange_log)
  std::uint8_t one_cycle = 0;  ///< slots of one cycle, neither repeated nor looped
  std::uint8_t in_order = 0;   ///< own words are sent in their order, without a list
  std::uint8_t wide = 0;       ///< lengths and addresses have SEG_RUN_W bits; in tiles alone
  std::uint8_t join = 0;  ///< outputs join what they send; selects are masks then, a bit a source
  std::uint8_t all_ops = 0;   ///< ... by all operators, not by sums alone
  std::uint8_t programs = 0;  ///< bits of a program's number: the tables hold 2^these programs
  std::uint8_t flat = 0;      ///< a segment's runs are single words, and strides have 8 bits

  unsigned logs() const { return single_port ? 1 : ports; }
  /// The log of a node's own messages: behind the other logs, or the beginning of the only one.
  unsigned own_log() const { return single_port ? 0 : logs(); }
  /// The same with so many ports, and a read channel for each if there are several. A node of one
  /// port is a single-port node, as rtl/node/switch_node.sv wants it.
  NodeKind with_ports(Port n) const;
  bool operator==(const NodeKind&) const = default;
};

/// The most programs that a node can hold.
inline constexpr unsigned kMostPrograms = 1u << rtl::CONTROL_PROGRAM_W;

/// A parameter of nodes: what hardware, engines and people call it. Hardware has it as bits of its
/// parameter MODEL and of the register CFG_MODEL; none, if only tiles know it.
struct NodeParameter {
  std::uint8_t NodeKind::*value;
  unsigned lsb, bits;
  const char* engine;  ///< in engines' names: MODEL_... of rtl/node/gossamer_pkg.sv without
                       ///< underscores, which tb/engines/engine.mk looks for
  const char *name, *name_off;  ///< a number follows; of none, or a flag that is not set
};
inline constexpr NodeParameter kNodeParameters[] = {
    {&NodeKind::single_port, rtl::MODEL_SINGLE_PORT, 1, "singleport", ", single-port",
     ", all-port"},
    {&NodeKind::half_duplex, rtl::MODEL_HALF_DUPLEX, 1, "halfduplex", ", half-duplex",
     ", full-duplex"},
    {&NodeKind::adaptive, rtl::MODEL_ADAPTIVE, 1, "adaptive", ", adaptive", ""},
    {&NodeKind::one_cycle, rtl::MODEL_ONE_CYCLE, 1, "onecycle", ", one-cycle slots", ""},
    {&NodeKind::in_order, rtl::MODEL_IN_ORDER, 1, "inorder", ", in order", ""},
    {&NodeKind::join, rtl::MODEL_JOIN, 1, "join", ", joining", ""},
    {&NodeKind::all_ops, rtl::MODEL_ALL_OPS, 1, "allops", " by all operators", ""},
    {&NodeKind::programs, rtl::MODEL_PROGRAMS, 2, "programs", ", program bits ", ""},
    {&NodeKind::flat, rtl::MODEL_FLAT, 1, "flat", ", flat lists", ""},
    {&NodeKind::wide, 0, 0, "wide", "", ""},
};

/// The parameter MODEL of rtl/node/switch_node.sv, and the register CFG_MODEL, of such nodes.
std::uint32_t model_register(const NodeKind& kind);

/// Select code of an output that sends nothing.
constexpr Port select_none(const NodeKind& kind) { return kind.join ? 0 : kind.ports; }
/// Select code of an output that sends from the local store: the port's own number.
constexpr Port select_local(Port output) { return output; }
/// Select code of an output that sends what comes in by a port; from the local store, if that is
/// its own.
constexpr Port select_of(const NodeKind& kind, Port source) {
  return kind.join ? Port{1} << source : source;
}

/// An entry of the slot table; fields as in rtl/node/gossamer_pkg.sv.
struct SlotEntry {
  std::uint32_t length = 1;  ///< cycles
  std::uint32_t stream = 0;  ///< flits read from the store, if an output's source is local
  std::uint32_t repeat = 1;
  std::uint32_t loops = 1;  ///< passes of the loop that ends here
  bool begins = false;      ///< a loop begins here
  bool loop = false;        ///< a loop ends here
  bool final = false;
  bool bad_parity = false;    ///< its parity bit is wrong, so that the node refuses it
  std::uint64_t receive = 0;  ///< bit per port
  std::vector<Port> select;   ///< per output port: input, own number for local, or ports for none
  std::uint64_t stores = 0;   ///< join nodes: bit per output whose result is stored, not sent
  std::uint32_t op = 0;       ///< join nodes: how they join, rtl::OP_...

  auto operator<=>(const SlotEntry&) const = default;
};

/// An entry of a read channel's list: `count` runs of `run` words, `stride` words apart.
struct Segment {
  unsigned log = 0;
  std::uint32_t base = 0;
  std::uint32_t run = 0;
  std::uint32_t stride = 0;
  std::uint32_t count = 1;
  bool stop = false;  ///< the stream of its slot ends with it
  bool same = false;  ///< adaptive: both ends of a link mean the same message at these positions
  bool bad_parity = false;  ///< its parity bit is wrong, so that the node refuses it

  auto operator<=>(const Segment&) const = default;
};

/// Everything that a node executes.
struct NodeProgram {
  std::vector<SlotEntry> slots;
  std::vector<std::vector<Segment>> channels;

  auto operator<=>(const NodeProgram&) const = default;
};

/// Bits of a slot table entry for nodes of this kind.
unsigned slot_bits(const NodeKind& kind);
/// The memory image of an entry, 32 bits a word, least significant word first. The receive mask and
/// selects start at rtl::SLOT_RECEIVE_LSB.
std::vector<std::uint32_t> encode(const SlotEntry& entry, const NodeKind& kind);
std::vector<std::uint32_t> encode(const Segment& segment, const NodeKind& kind = {});
/// Writes of words to a node's memories, from an address on of a region of its configuration port.
using WriteWords =
    std::function<void(unsigned region, std::uint32_t address, const std::vector<std::uint32_t>&)>;
/// Writes a program from an entry of the table and a segment of the lists on. Behind the last
/// entry, and the last segment of each list, come zeros: the hardware must find an end there, not
/// random values.
void write_program(const NodeProgram& program, const NodeKind& kind, const WriteWords& write,
                   std::uint32_t entry = 0, std::uint32_t segment = 0);
/// The inverse of encode, for tools and tests.
SlotEntry decode_slot(const std::vector<std::uint32_t>& words, const NodeKind& kind);
Segment decode_segment(const std::vector<std::uint32_t>& words, const NodeKind& kind = {});

}  // namespace gossamer
