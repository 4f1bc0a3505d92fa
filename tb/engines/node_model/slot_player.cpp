#include <algorithm>
#include <bit>
#include <utility>

#include "engines/node_model/node_model.hpp"

namespace gossamer::model {

ReadList::ReadList(const NodeSetup& setup, unsigned channel)
    : addresses_((1u << setup.address_w) - 1),
      wraps_(setup.whole_memories),
      list_(setup.program->channels[channel]) {
  for (Segment& s : list_) {
    const auto narrow = [&s](std::uint32_t& field, std::uint32_t mask) {
      if (std::popcount(field & ~mask) % 2 == 1) s.bad_parity = !s.bad_parity;
      field &= mask;
    };
    for (std::uint32_t* field : {&s.base, &s.run, &s.stride, &s.count}) narrow(*field, addresses_);
    narrow(s.log, (1u << std::bit_width(setup.kind.ports)) - 1);
    if (!setup.kind.in_order)
      s.run = std::max(s.run, 1u);  // these have no list, but one run of all addresses
  }
}

const Segment& ReadList::segment() const {
  if (wraps_) return list_[index_ % list_.size()];
  return index_ < list_.size() ? list_[index_] : behind_the_end_;
}

void ReadList::start() {
  index_ = 0;
  word_ = run_ = 0;
  stopped_ = false;
}

ReadList::Word ReadList::pending() const {
  const Segment& s = segment();
  return {.same = s.same, .address = (s.base + run_ * s.stride + word_) & addresses_};
}

ReadList::Word ReadList::next(bool last) {
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

namespace {

std::uint32_t below_bit(unsigned bits) { return (1u << bits) - 1; }

SlotEntry zeros(const NodeKind& kind) {
  SlotEntry entry;
  entry.length = entry.repeat = entry.loops = 0;
  entry.select.assign(kind.ports, 0);
  return entry;
}

}  // namespace

SlotPlayer::SlotPlayer(const NodeSetup& setup)
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

SlotPlayer::Entry SlotPlayer::narrowed(SlotEntry e, const NodeSetup& setup) {
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

void SlotPlayer::start() {
  index_ = begin_ = reads_ = 0;
  repeats_ = passes_ = 0;
  ended_ = wrong_before_ = false;
  now_ = {};
  begin_slot(/*slot_ended=*/false);
}

const SlotPlayer::Entry& SlotPlayer::entry() const {
  if (reads_ < first_reads_.size()) return first_reads_[reads_][index_];
  if (wraps_) return table_[index_ % table_.size()];
  return index_ < table_.size() ? table_[index_] : behind_the_end_;
}

void SlotPlayer::begin_slot(bool slot_ended) {
  const SlotEntry& e = entry().fields;
  if (e.begins) begin_ = index_;
  const std::uint32_t slot = (now_.slot + (slot_ended ? 1 : 0)) & slots_;
  const bool one = kind_.one_cycle || e.length == 1;
  now_ = {&e, slot, 0, one, !makes_sense(e), e.bad_parity, false};
}

bool SlotPlayer::makes_sense(const SlotEntry& e) const {
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

void SlotPlayer::advance() {
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

void SlotPlayer::advance_one_cycle() {
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

void SlotPlayer::next_entry() {
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

}  // namespace gossamer::model
