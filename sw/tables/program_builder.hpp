#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "fabric/node_program.hpp"

namespace gossamer {

/// Collects the list of one read channel, joining what is adjacent into runs and equal runs into
/// strided segments.
class SegmentList {
 public:
  /// The next `words` words to be read stand at `base` of `log`.
  void read(unsigned log, std::uint32_t base, std::uint32_t words, bool same = false) {
    if (words == 0) return;
    if (open_) {
      Segment& s = segments_.back();
      if (s.log == log && s.same == same && s.base + s.run == base) {
        s.run += words;
        return;
      }
      close_run();
    }
    segments_.push_back({log, base, words, 0, 1, false, same});
    open_ = true;
  }

  /// The stream ends here, before the slot's stream length.
  void stop() {
    close_run();
    segments_.back().stop = true;
  }
  /// What is read next is a run of its own.
  void end_run() { close_run(); }

  std::vector<Segment> finish() {
    close_run();
    return std::move(segments_);
  }

 private:
  /// The last segment is complete: is it one more run of the segment before?
  void close_run() {
    if (!open_) return;
    open_ = false;
    if (segments_.size() < 2) return;
    Segment& before = segments_[segments_.size() - 2];
    const Segment& last = segments_.back();
    if (before.stop || before.log != last.log || before.same != last.same) return;
    if (before.run != last.run) return;
    const std::uint32_t from = before.base + (before.count - 1) * before.stride;
    if (last.base < from || (before.count > 1 && last.base - from != before.stride)) return;
    before.stride = last.base - from;
    ++before.count;
    segments_.pop_back();
  }
  std::vector<Segment> segments_;
  bool open_ = false;  ///< the last segment is a run that may still grow
};

/// Collects a node's program slot by slot, and keeps it as short as the schedule is regular: equal
/// slots in a row become one repeated entry, equal sequences in a row a loop.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(unsigned channels) : channels_(channels) {}

  SegmentList& channel(unsigned c) { return channels_[c]; }

  /// So many slots more; their repeat and loop fields are ours.
  void slot(SlotEntry entry, std::uint64_t times = 1) {
    while (times != 0) {
      const bool joins = !slots_.empty() && !slots_.back().loop;
      if (joins) entry.repeat = slots_.back().repeat;
      if (!joins || !same_slot(entry, slots_.back()) || entry.repeat == kMaxRepeat) {
        fold_loops();
        entry.repeat = 0;
        slots_.push_back(entry);
      }
      const std::uint64_t more = std::min<std::uint64_t>(times, kMaxRepeat - entry.repeat);
      slots_.back().repeat += static_cast<std::uint32_t>(more);
      times -= more;
    }
  }

  NodeProgram finish() {
    fold_loops();
    if (!slots_.empty()) slots_.back().final = true;
    NodeProgram program{std::move(slots_), {}};
    for (SegmentList& c : channels_) program.channels.push_back(c.finish());
    return program;
  }

 private:
  static constexpr std::uint32_t kMaxRepeat = (1u << rtl::SLOT_REPEAT_W) - 1;
  static constexpr std::uint32_t kMaxLoops = (1u << rtl::SLOT_REPEAT_W) - 1;
  static constexpr std::size_t kMaxBody = 64;  // longer loops are not looked for

  /// Equal but for the loop that may begin or end at them.
  static bool same_slot(const SlotEntry& a, const SlotEntry& b) {
    return a.length == b.length && a.stream == b.stream && a.repeat == b.repeat &&
           a.receive == b.receive && a.select == b.select && a.stores == b.stores && a.op == b.op;
  }

  /// Do the last entries repeat the ones before them? The last entry is complete when this is
  /// called.
  void fold_loops() {
    for (std::size_t body = 2; body <= std::min(kMaxBody, slots_.size() / 2); ++body) {
      const auto last = slots_.end() - static_cast<std::ptrdiff_t>(body);
      const auto first = last - static_cast<std::ptrdiff_t>(body);
      if (!same_slot(slots_.back(), *(last - 1))) continue;
      // A loop may only end with the earlier body; its first pass must not hold another one's end.
      if (std::any_of(first, last - 1, [](const SlotEntry& e) { return e.loop; })) continue;
      if (std::any_of(last, slots_.end(), [](const SlotEntry& e) { return e.loop; })) continue;
      if (!std::equal(first, last, last, same_slot)) continue;
      SlotEntry& end = *(last - 1);
      if (std::max(end.length, end.stream) >> rtl::SLOT_LEN_W != 0)
        continue;  // no room for a loop's count
      if (end.loop && (!first->begins || end.loops == kMaxLoops)) continue;
      first->begins = end.loop = true;
      ++end.loops;
      slots_.erase(last, slots_.end());
      return;
    }
  }
  std::vector<SlotEntry> slots_;
  std::vector<SegmentList> channels_;
};

}  // namespace gossamer
