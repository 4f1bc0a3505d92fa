#pragma once

#include <cstdint>
#include <functional>

#include "fabric/fabric.hpp"

namespace gossamer {

/// Entries of a slot table, segments of a list and words of a log that rtl/node/switch_node.sv has at
/// most.
constexpr std::uint32_t kMaxEntries = 1u << 16;
constexpr std::uint32_t kMaxWords = 1u << 20;

/// How large the memories of rtl/node/switch_node.sv are.
struct NodeDepths {
  std::uint32_t slots = 2;     ///< entries of the slot table
  std::uint32_t segments = 2;  ///< segments of each read channel's list
  std::uint32_t words = 2;     ///< words of each log
  bool operator==(const NodeDepths&) const = default;
};

/// What the nodes of a fabric are built as: the parameters of rtl/node/switch_node.sv that a table must
/// fit into.
struct NodeBuild {
  NodeKind kind;
  NodeDepths depths;
  unsigned flit_bits = 32;
  unsigned length_bits = rtl::SLOT_LEN_W;           ///< of the lengths of slot and stream
  unsigned count_bits = rtl::SLOT_REPEAT_W;         ///< of repeats and loops
  std::uint32_t messages = rtl::ADAPTIVE_MESSAGES;  ///< adaptive: that a node can tell apart
  bool operator==(const NodeBuild&) const = default;
};

/// What a node's registers say; `read` is asked for each of them, by its number.
NodeBuild read_build(const std::function<std::uint32_t(unsigned)>& read);

/// Throws InputError with the first node, and what of it, that nodes of this build would not
/// execute as it stands in the image.
void check_fits(const FabricImage& image, const NodeBuild& build);

}  // namespace gossamer
