#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tables/node_build.hpp"

namespace gossamer {

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
