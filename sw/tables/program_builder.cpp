#include "tables/program_builder.hpp"

#include <algorithm>
#include <utility>

namespace gossamer {
namespace {

constexpr std::uint32_t kMaxRepeat = (1u << rtl::SLOT_REPEAT_W) - 1;
constexpr std::uint32_t kMaxLoops = (1u << rtl::SLOT_REPEAT_W) - 1;
constexpr std::size_t kMaxBody = 64;  // longer loops are not looked for

/// Equal but for the loop that may begin or end at them.
bool same_slot(const SlotEntry& a, const SlotEntry& b) {
  return a.length == b.length && a.stream == b.stream && a.repeat == b.repeat &&
         a.receive == b.receive && a.select == b.select && a.stores == b.stores && a.op == b.op;
}

}  // namespace

void SegmentList::read(unsigned log, std::uint32_t base, std::uint32_t words, bool same) {
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

void SegmentList::stop() {
  close_run();
  segments_.back().stop = true;
}

/// The last segment is complete: is it one more run of the segment before?
void SegmentList::close_run() {
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

std::vector<Segment> SegmentList::finish() {
  close_run();
  return std::move(segments_);
}

void ProgramBuilder::slot(SlotEntry entry, std::uint64_t times) {
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

/// Do the last entries repeat the ones before them? The last entry is complete when this is called.
void ProgramBuilder::fold_loops() {
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

NodeProgram ProgramBuilder::finish() {
  fold_loops();
  if (!slots_.empty()) slots_.back().final = true;
  NodeProgram program{std::move(slots_), {}};
  for (SegmentList& c : channels_) program.channels.push_back(c.finish());
  return program;
}

}  // namespace gossamer
