#include "read_list.hpp"

namespace gossamer::systemc {
namespace {

/// Word addresses wrap around, and so do counts of words.
constexpr std::uint32_t kAddresses = (1u << rtl::SEG_BASE_W) - 1;

}  // namespace

void ReadList::start() {
  index_ = 0;
  word_ = run_ = 0;
  stopped_ = false;
}

ReadList::Word ReadList::pending() const {
  const Segment& s = segment();
  return {.same = s.same, .address = (s.base + run_ * s.stride + word_) & kAddresses};
}

ReadList::Word ReadList::next(bool last) {
  if (stopped_) return {};
  const Segment& s = segment();
  if (s.count == 0) return {.exhausted = true};
  Word word = pending();
  word.valid = true;
  word.last = last;
  word.log = s.log;
  word_ = (word_ + 1) & kAddresses;
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

}  // namespace gossamer::systemc
