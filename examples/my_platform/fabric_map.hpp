#pragma once

#include <cstdint>

#include "gossamer_constants.hpp"
#include "topology/topology.hpp"

namespace gossamer::platform {

// The fabric as a bus sees it: byte addresses, words of 32 bits. Below kFabricPage are the
// configuration ports of all nodes (docs/hardware/table-format.md), one after the other; then the
// registers of the whole fabric.

inline constexpr unsigned kNodeBits = 34;  ///< bits of a byte address within a node
inline constexpr std::uint64_t kFabricPage = std::uint64_t{1} << 50;

/// Byte address of a word at a node's configuration port.
constexpr std::uint64_t config_address(Node node, unsigned region, std::uint32_t address) {
  const std::uint64_t word = std::uint64_t{region} << rtl::CFG_REGION_LSB | address;
  return std::uint64_t{node} << kNodeBits | word << 2;
}

/// Registers of the fabric.
enum class FabricRegister : std::uint64_t {
  Start = 0,   ///< write: all nodes run their tables
  Done = 1,    ///< read: number of nodes that have ended their table
  Errors = 2,  ///< read: number of nodes that raised an error
  Nodes = 3,   ///< read: number of nodes
};
constexpr std::uint64_t address_of(FabricRegister r) {
  return kFabricPage | static_cast<std::uint64_t>(r) << 2;
}

}  // namespace gossamer::platform
