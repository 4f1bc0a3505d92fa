#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fabric/fabric.hpp"

namespace gossamer::model {

/// How a node is built and loaded. Everything that it points to must outlive the node.
struct NodeSetup {
  NodeKind kind;
  const NodeProgram* program = nullptr;
  std::span<const std::uint32_t> own_words = {};
  std::uint32_t capacity = 0;  ///< words that a log can hold
  /// What the first reads of the table give if the program was written as the run began: for each
  /// of them the first entries. Usually none.
  std::vector<std::vector<SlotEntry>> first_reads;

  /// Its parameters. If a node uses only part of a field, it uses the lower bits.
  unsigned len_w = rtl::SLOT_LEN_W, repeat_w = rtl::SLOT_REPEAT_W;
  unsigned address_w = rtl::SLOT_LEN_W;  ///< bits of a word's address in a log
  /// The program fills the node's memories completely, and after the last word comes the first.
  /// Otherwise zeros follow, as the driver writes them.
  bool whole_memories = false;

  /// Register stages of the link at each port; empty: no link has any.
  std::vector<std::uint32_t> stages = {};

  /// Reduce nodes: bits of a flit, at most 32, and whether a 0 stands for any word.
  unsigned flit_w = 32;
  bool zeros_unknown = false;

  /// Faults: bit p of `dead` kills output p after `dead_after` slots.
  std::uint64_t dead = 0;
  std::uint32_t dead_after = 0;

  /// Adaptive nodes only. Message m, counted from the node's own, has address m << shift.
  std::uint32_t shift = 0;
  std::vector<std::uint32_t> partner = {};  ///< per port: address of the neighbour's own message
  std::optional<std::uint32_t> initiator = {};  ///< address of the message that the node waits for
  std::uint32_t messages = rtl::ADAPTIVE_MESSAGES;  ///< that the node can distinguish
};

/// The setup of node `x` of a fabric that is loaded with `image`.
inline NodeSetup node_setup(const FabricImage& image, Node x) {
  NodeSetup setup;
  setup.kind = image.kind;
  setup.program = &image.programs[image.program_of[x]];
  setup.own_words = {image.own_words.data() + image.own_begin[x], image.own_size(x)};
  setup.capacity = image.capacity;
  setup.stages = image.stages;
  setup.dead = image.dead.empty() ? 0 : image.dead[x];
  setup.dead_after = image.dead_after;
  setup.shift = image.message_shift;
  setup.partner = image.partner;
  if (!image.initiator.empty()) setup.initiator = image.initiator[x];
  return setup;
}

}  // namespace gossamer::model
