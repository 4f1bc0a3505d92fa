#pragma once

#include <cstdint>
#include <vector>

#include "node_setup.hpp"

namespace gossamer::model {

/// Walks a segment list (docs/hardware/table-format.md, "Segment lists"), one word at a time. After
/// the last segment come zeros, as the driver writes them.
class ReadList {
 public:
  /// The list of a node's read channel.
  ReadList(const NodeSetup& setup, unsigned channel);

  /// The next word.
  struct Word {
    bool valid = false;       ///< there is a next word
    bool exhausted = false;   ///< a word is needed, but the list has ended
    bool bad_parity = false;  ///< ... or its segment has a wrong parity
    bool last = false;        ///< the stream of this slot ends with it
    bool run_last = false;    ///< the run ends with it
    bool same = false;        ///< the segment's bit for adaptive nodes
    unsigned log = 0;
    std::uint32_t address = 0;
    std::uint32_t op = rtl::OP_COPY;  ///< combines it with the own word at this address
    std::uint32_t own_address = 0;
    bool keep = false;  ///< ... which the result replaces
  };
  /// The next word of the stream; `last` if the slot needs no more words.
  Word next(bool last);
  /// The word that next() would return, whether or not the slot needs one. Address and `same` only.
  Word pending() const;
  /// The slot ends; a stream that a segment cut short continues with the next segment.
  void end_slot() { stopped_ = false; }
  void start();

 private:
  const Segment& segment() const;

  const std::uint32_t addresses_;  ///< word addresses and counts of words wrap around
  const bool wraps_;               ///< after the last segment comes the first
  std::vector<Segment> list_;
  const Segment behind_the_end_{.count = 0};
  std::size_t index_ = 0;   ///< of the current segment
  std::uint32_t word_ = 0;  ///< words read of this run
  std::uint32_t run_ = 0;   ///< runs read of this segment
  std::uint32_t own_ = 0;   ///< own words that went with them
  bool stopped_ = false;    ///< the stream of this slot has ended early
};

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
