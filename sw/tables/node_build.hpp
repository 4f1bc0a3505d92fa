#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "tables/link_stages.hpp"

namespace gossamer {

/// The most entries of a slot table, segments of a list and words of a log in
/// rtl/node/switch_node.sv.
constexpr std::uint32_t kMaxEntries = 1u << 16;
constexpr std::uint32_t kMaxWords = 1u << 20;

/// Sizes of the memories of rtl/node/switch_node.sv.
struct NodeDepths {
  std::uint32_t slots = 2;     ///< entries of the slot table
  std::uint32_t segments = 2;  ///< segments of each read channel's list
  std::uint32_t words = 2;     ///< words of each log, or of a log and own words behind it
  std::uint32_t own = 0;       ///< own words; 0: as `words`
  std::vector<std::uint16_t> shared = {};  ///< the parameter SHARED (ReadClashes); empty: zeros
  bool operator==(const NodeDepths&) const = default;
};

/// How the nodes of a fabric are built: the parameters of rtl/node/switch_node.sv that limit a
/// table.
struct NodeBuild {
  NodeKind kind;
  NodeDepths depths;
  unsigned flit_bits = 32;
  unsigned length_bits = rtl::SLOT_LEN_W;           ///< of the lengths of slot and stream
  unsigned count_bits = rtl::SLOT_REPEAT_W;         ///< of repeats and loops
  std::uint32_t messages = rtl::ADAPTIVE_MESSAGES;  ///< adaptive: that a node can distinguish
  PortStages stages = {};                           ///< of the links
  bool operator==(const NodeBuild&) const = default;

  std::uint32_t own_depth() const { return depths.own == 0 ? depths.words : depths.own; }
  /// Do own words stand behind a log?
  bool own_behind() const;
  /// Words that a log can hold.
  std::uint32_t log_depth() const { return depths.words - (own_behind() ? own_depth() : 0); }
};

/// The least build that executes an image, with depths that are powers of two (depths_for).
NodeBuild build_for(const FabricImage& image, const NodeDepths& least = {});
/// Makes nodes of build_for(image) as small as they can be for this image alone: read channels
/// share copies of logs, numbers have no more bits than they need, and segments that are rewritten
/// so are flat if the lists have room. `own_words`: the most that a node starts with.
void tighten(FabricImage& image, NodeBuild& build, std::uint32_t own_words);

/// Reads a node's build from its registers; `read` returns a register by its number.
NodeBuild read_build(const std::function<std::uint32_t(unsigned)>& read);

/// Throws InputError with the first node, and the part of it, that nodes of this build would not
/// execute unchanged.
void check_fits(const FabricImage& image, const NodeBuild& build);

/// What a node takes of an FPGA.
struct NodeCost {
  std::uint64_t bits = 0;        ///< of memory
  std::uint64_t blocks_4k = 0;   ///< block RAMs of the iCE40, as Yosys takes them
  std::uint64_t blocks_18k = 0;  ///< of the ECP5, if none is made of LUTs; as many M20K; Xilinx'
                                 ///< with 36 kb are two of them
  std::uint64_t luts = 0;        ///< of four inputs, predicted (docs/hardware/fpga.md)
};
/// A node of torus_fabric with images of its tables, or one of axi_fabric: with two banks of tables
/// and its streams, but without what all nodes share.
NodeCost cost_of(const NodeBuild& build, bool over_axi);

/// A node and all nodes, in two lines; with `tight` two more, of tighten().
std::string to_string(const NodeCost& node, Node nodes, const NodeCost* tight = nullptr);
nlohmann::ordered_json json_of(const NodeCost& node, Node nodes);

}  // namespace gossamer
