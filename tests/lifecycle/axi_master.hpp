#pragma once

#include <optional>
#include <string>
#include <vector>

#include "axi_life.hpp"

namespace gossamer::test {

/// What a confused or hostile master does.
enum class AxiOperation : unsigned {
  Start,
  StartRepeat,
  Stop,
  Begin,
  Length,
  Checksum,
  Commit,
  ClearInterrupts,
  EnableInterrupts,
  SlotWord,
  ListWord,
  TableNowhere,
  OwnWord,
  OwnWords,
  TooManyOwnWords,
  Dead,
  DeadAfter,
  DeadAfterTooLarge,
  NodeControl,
  WriteElsewhere,
  WriteUnaligned,
  PartOfWord,
  NoPartOfWord,
  ReadControl,
  ReadStatus,
  ReadNode,
  ReadStore,
  ReadElsewhere,
  ReadUnaligned,
  Packet,
  PacketTooLong,
  PacketBegun,
  Stall,
  Reset
};
/// Their names, in that order.
const std::vector<std::string>& axi_operations();

/// Writes are done in their order, at the same time as reads, packets of a node, and stalls and
/// resets, of which none begins before the writes that stand before it. `gap` cycles pass before,
/// counted from the first one of the phase waited for, if that comes soon.
struct AxiOp {
  AxiOperation what = AxiOperation::Start;
  std::uint32_t gap = 0;
  std::uint32_t address = 0, data = 0;
  unsigned strobes = 0xf;
  Node node = 0;            ///< of packets and stalls
  std::uint32_t words = 0;  ///< of a packet; cycles of a stall or reset
  std::optional<Phase> at = {};
};
std::string text(const AxiOp& op);

/// Random operations, about so many, and among them what loads and starts a fabric.
std::vector<AxiOp> random_axi_session(const AxiBuild& build, std::uint32_t seed,
                                      std::uint32_t operations);

/// What makes all tables of both banks 0, and gives the nodes no own words.
std::vector<AxiOp> axi_clearing(const AxiBuild& build);

}  // namespace gossamer::test
