#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fabric/fabric.hpp"
#include "fabric/node_program.hpp"

namespace gossamer::model {

/// How a node is built and loaded. Everything that it points to must outlive the node.
struct NodeSetup {
  NodeKind kind;
  const NodeProgram* program = nullptr;
  std::span<const std::uint32_t> own_words = {};
  std::uint32_t capacity = 0;  ///< words that a log can hold
  /// Which channels share copies of logs, as SHARED (rtl/node/switch_node.sv) says, and words of a
  /// copy.
  std::vector<std::uint16_t> shared = {};
  std::uint32_t memory = 0;
  /// What the logs of arrivals hold at the start if they go on; empty: they begin.
  std::vector<std::vector<std::uint32_t>> kept = {};
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

  /// Nodes that join: bits of a flit, at most 32, and whether a 0 stands for any word.
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

/// Walks a segment list (docs/hardware/table-format.md, "Segment lists"), one word at a time. After
/// the last segment come zeros, as the driver writes them.
class ReadList {
 public:
  /// The list of a node's read channel.
  ReadList(const NodeSetup& setup, unsigned channel)
      : addresses_((1u << setup.address_w) - 1),
        wraps_(setup.whole_memories),
        list_(setup.program->channels[channel]) {
    for (Segment& s : list_) {
      const auto narrow = [&s](std::uint32_t& field, std::uint32_t mask) {
        if (std::popcount(field & ~mask) % 2 == 1) s.bad_parity = !s.bad_parity;
        field &= mask;
      };
      for (std::uint32_t* field : {&s.base, &s.run, &s.stride, &s.count})
        narrow(*field, addresses_);
      narrow(s.log, (1u << std::bit_width(setup.kind.ports)) - 1);
      if (!setup.kind.in_order)
        s.run = std::max(s.run, 1u);  // these have no list, but one run of all addresses
    }
  }

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
  };

  /// The next word of the stream; `last` if the slot needs no more words.
  Word next(bool last) {
    if (stopped_) return {};
    const Segment& s = segment();
    if (s.bad_parity) return {.bad_parity = true};
    if (s.count == 0) return {.exhausted = true};
    Word word = pending();
    word.valid = true;
    word.last = last;
    word.log = s.log;
    word_ = (word_ + 1) & addresses_;
    if (word_ != s.run) return word;
    word.run_last = true;
    word_ = 0;
    if (++run_ != s.count) return word;
    run_ = 0;
    ++index_;
    stopped_ = s.stop;
    word.last = last || s.stop;
    return word;
  }

  /// The word that next() would return, whether or not the slot needs one. Address and `same` only.
  Word pending() const {
    const Segment& s = segment();
    return {.same = s.same, .address = (s.base + run_ * s.stride + word_) & addresses_};
  }
  /// The slot ends; a stream that a segment cut short continues with the next segment.
  void end_slot() { stopped_ = false; }

  void start() {
    index_ = 0;
    word_ = run_ = 0;
    stopped_ = false;
  }

 private:
  const Segment& segment() const {
    if (wraps_) return list_[index_ % list_.size()];
    return index_ < list_.size() ? list_[index_] : behind_the_end_;
  }

  const std::uint32_t addresses_;  ///< word addresses and counts of words wrap around
  const bool wraps_;               ///< after the last segment comes the first
  std::vector<Segment> list_;
  const Segment behind_the_end_{.count = 0};
  std::size_t index_ = 0;   ///< of the current segment
  std::uint32_t word_ = 0;  ///< words read of this run
  std::uint32_t run_ = 0;   ///< runs read of this segment
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
  explicit SlotPlayer(const NodeSetup& setup)
      : kind_(setup.kind),
        wraps_(setup.whole_memories),
        slots_(below_bit(setup.repeat_w)),
        behind_the_end_{zeros(kind_)} {
    for (const SlotEntry& e : setup.program->slots) table_.push_back(narrowed(e, setup));
    for (const auto& entries : setup.first_reads) {
      first_reads_.emplace_back();
      for (const SlotEntry& e : entries) first_reads_.back().push_back(narrowed(e, setup));
    }
  }

  void start() {
    index_ = begin_ = reads_ = 0;
    repeats_ = passes_ = 0;
    ended_ = wrong_before_ = false;
    now_ = {};
    begin_slot(/*slot_ended=*/false);
  }
  /// The current cycle.
  const SlotCycle& now() const { return now_; }
  /// The table has ended.
  bool ended() const { return ended_; }

  /// Goes on to the next cycle.
  void advance() {
    if (now_.entry == nullptr || now_.halted) return;
    if (kind_.one_cycle) {
      advance_one_cycle();
      return;
    }
    if (now_.malformed || now_.bad_parity) {
      ended_ = true;
      if (now_.last) now_ = {nullptr, (now_.slot + 1) & slots_};
      now_.halted = true;
      return;
    }
    if (!now_.last) {
      ++now_.cycle;
      now_.last = now_.cycle + 1 == now_.entry->length;
      return;
    }
    if (++repeats_ >= now_.entry->repeat) next_entry();
    if (ended_) {
      now_ = {nullptr, (now_.slot + 1) & slots_};
    } else {
      begin_slot(/*slot_ended=*/true);
    }
  }

 private:
  static std::uint32_t below_bit(unsigned bits) { return (1u << bits) - 1; }
  static SlotEntry zeros(const NodeKind& kind) {
    SlotEntry entry;
    entry.length = entry.repeat = entry.loops = 0;
    entry.select.assign(kind.ports, 0);
    return entry;
  }

  void begin_slot(bool slot_ended) {
    const SlotEntry& e = entry().fields;
    if (e.begins) begin_ = index_;
    const std::uint32_t slot = (now_.slot + (slot_ended ? 1 : 0)) & slots_;
    const bool one = kind_.one_cycle || e.length == 1;
    now_ = {&e, slot, 0, one, !makes_sense(e), e.bad_parity, false};
  }

  void next_entry() {
    const SlotEntry& e = *now_.entry;
    repeats_ = 0;
    ++reads_;
    if (e.loop) {  // one within another has no count of its own
      if (passes_ == 0) passes_ = e.loops;
      if (--passes_ != 0) {
        index_ = begin_;
        return;
      }
    }
    ended_ = e.final;
    ++index_;
  }

  bool makes_sense(const SlotEntry& e) const {
    const bool bad_select =
        std::ranges::any_of(e.select, [this](Port s) { return !kind_.join && s > kind_.ports; });
    if (bad_select) return false;
    if (kind_.one_cycle) {
      bool local = false;
      for (Port p = 0; p < e.select.size(); ++p) local = local || e.select[p] == select_local(p);
      return e.length == 1 && e.repeat == 1 && !e.loop && local == (e.stream != 0);
    }
    const bool bad_loop = e.loop && (e.loops < 2 || e.begins);
    return !entry().excess && e.length != 0 && e.repeat != 0 && !bad_loop;
  }

  void advance_one_cycle() {
    ended_ = now_.entry->final || wrong_before_;
    wrong_before_ = now_.malformed || now_.bad_parity;
    ++index_;
    ++reads_;
    if (ended_) {
      now_ = {nullptr, (now_.slot + 1) & slots_};
    } else {
      begin_slot(/*slot_ended=*/true);
    }
  }
  /// An entry as the node is built to read it.
  struct Entry {
    SlotEntry fields;
    bool excess = false;  ///< bits above those that the node reads are not 0
  };

  static Entry narrowed(SlotEntry e, const NodeSetup& setup) {
    if (e.select.empty()) e.select.assign(setup.kind.ports, select_none(setup.kind));
    bool excess = false;
    const auto narrow = [&](std::uint32_t& field, unsigned bits) {
      excess = excess || field > below_bit(bits);
      if (std::popcount(field & ~below_bit(bits)) % 2 == 1) e.bad_parity = !e.bad_parity;
      field &= below_bit(bits);
    };
    if (!setup.kind.join) {
      e.bad_parity = e.bad_parity != (std::popcount(e.op) % 2 == 1);
      e.op = 0;
    }
    narrow(e.length, setup.len_w);
    narrow(e.stream, setup.len_w);
    narrow(e.repeat, setup.repeat_w);
    narrow(e.loops, setup.repeat_w);
    return {std::move(e), excess};
  }

  const Entry& entry() const {
    if (reads_ < first_reads_.size()) return first_reads_[reads_][index_];
    if (wraps_) return table_[index_ % table_.size()];
    return index_ < table_.size() ? table_[index_] : behind_the_end_;
  }

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
