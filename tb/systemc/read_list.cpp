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

ReadList::Word ReadList::next(bool last) {
  if (stopped_) return {};
  if (index_ >= list_.size() || list_[index_].count == 0) return {.exhausted = true};
  const Segment& s = list_[index_];
  Word word{true, false, last, s.log, (s.base + run_ * s.stride + word_) & kAddresses};
  word_ = (word_ + 1) & kAddresses;
  if (word_ != s.run) return word;
  word_ = 0;
  if (++run_ != s.count) return word;
  run_ = 0;
  ++index_;
  stopped_ = s.stop;
  word.last = last || s.stop;
  return word;
}

}  // namespace gossamer::systemc
