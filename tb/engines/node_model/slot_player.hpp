#pragma once

#include <cstdint>
#include <vector>

#include "node_setup.hpp"

namespace gossamer::model {

/// The state of the slot table in one cycle.
struct SlotCycle {
  const SlotEntry* entry = nullptr;  ///< null: no slot is running
  std::uint32_t slot = 0;            ///< slots that ended before this one
  std::uint32_t cycle = 0;           ///< within the slot
  bool last = false;                 ///< the slot ends with this cycle
  bool malformed = false;            ///< the entry is invalid
  bool bad_parity = false;           ///< its parity is wrong
  bool halted = false;               ///< ... so its slot never ends

  bool first() const { return entry != nullptr && cycle == 0 && !halted; }
  /// Does a sender read a word of its stream in this cycle, and is it the last one?
  bool reads() const { return entry != nullptr && !halted && cycle < entry->stream; }
  bool reads_last() const { return cycle + 1 == entry->stream; }
};

/// Steps through a slot table, cycle by cycle (docs/hardware/table-format.md, "Slot table"). It
/// stops at an entry that is malformed or has a wrong parity; one-cycle nodes, which check half of
/// an entry a cycle late, stop one entry later.
class SlotPlayer {
 public:
  explicit SlotPlayer(const NodeSetup& setup);

  void start();
  /// The current cycle.
  const SlotCycle& now() const { return now_; }
  /// The table has ended.
  bool ended() const { return ended_; }
  /// Goes on to the next cycle.
  void advance();

 private:
  void begin_slot(bool slot_ended);
  void next_entry();
  bool makes_sense(const SlotEntry& e) const;
  void advance_one_cycle();
  /// An entry as the node is built to read it.
  struct Entry {
    SlotEntry fields;
    bool excess = false;  ///< bits above those that the node reads are not 0
  };
  static Entry narrowed(SlotEntry e, const NodeSetup& setup);
  const Entry& entry() const;

  const NodeKind kind_;
  const bool wraps_;           ///< after the last entry comes the first
  const std::uint32_t slots_;  ///< slot numbers wrap around
  std::vector<Entry> table_;
  std::vector<std::vector<Entry>> first_reads_;
  Entry behind_the_end_;  ///< zeros, as the driver writes after the last entry
  SlotCycle now_;
  std::size_t index_ = 0;      ///< of the current entry
  std::size_t begin_ = 0;      ///< of the entry with which a loop began last
  std::uint32_t repeats_ = 0;  ///< finished slots of this entry
  std::uint32_t passes_ = 0;   ///< passes that remain of the current loop
  std::size_t reads_ = 0;      ///< entries before the current one
  bool ended_ = false;
  bool wrong_before_ = false;  ///< one-cycle nodes: the previous entry was malformed
};

}  // namespace gossamer::model
