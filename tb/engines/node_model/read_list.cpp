#include "read_list.hpp"

#include <algorithm>

namespace gossamer::model {
ReadList::ReadList(const NodeSetup& setup, unsigned channel)
    : addresses_((1u << setup.address_w) - 1),
      wraps_(setup.whole_memories),
      list_(setup.program->channels[channel]) {
  for (Segment& s : list_) {
    for (std::uint32_t* field : {&s.base, &s.run, &s.stride, &s.count}) *field &= addresses_;
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

}  // namespace gossamer::model
