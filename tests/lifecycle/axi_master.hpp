#pragma once

#include <optional>
#include <string>
#include <vector>

#include "axi_life.hpp"

namespace gossamer::test {

/// The operations of a confused or hostile master.
enum class AxiOperation : unsigned {
  Start,
  StartRepeat,
  Stop,
  Abort,
  Begin,
  Length,
  Checksum,
  Commit,
  ClearInterrupts,
  EnableInterrupts,
  Limit,
  Patience,
  Refuse,
  Programs,
  LastProgram,
  Cancel,
  SlotWord,
  ListWord,
  TableNowhere,
  OwnWord,
  OwnWords,
  PacketLength,
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
  Pin,
  Reset
};
/// Their names, in that order.
const std::vector<std::string>& axi_operations();

/// Writes are done in order, at the same time as reads, a node's packets, stalls and resets; none
/// of these begins before the writes that come before it in the list. `gap` cycles pass before the
/// operation, counted from the first cycle of the phase that it waits for, if that comes soon.
struct AxiOp {
  AxiOperation what = AxiOperation::Start;
  std::uint32_t gap = 0;
  std::uint32_t address = 0, data = 0;
  unsigned strobes = 0xf;
  Node node = 0;            ///< of packets and stalls
  std::uint32_t words = 0;  ///< of a packet; cycles of a stall, of the pin or of a reset
  std::optional<Phase> at = {};
};
std::string text(const AxiOp& op);

/// About so many random operations, among them sequences that load and start a fabric.
std::vector<AxiOp> random_axi_session(const AxiBuild& build, std::uint32_t seed,
                                      std::uint32_t operations);

/// Operations that set all tables of both banks to 0 and leave the nodes without own words.
std::vector<AxiOp> axi_clearing(const AxiBuild& build);

}  // namespace gossamer::test
