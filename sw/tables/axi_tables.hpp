#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.hpp"
#include "gossamer_axi.hpp"
#include "tables/node_build.hpp"

namespace gossamer {

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
