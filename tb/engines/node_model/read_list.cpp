#include "read_list.hpp"

#include <algorithm>
#include <bit>

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
    if (!setup.kind.reduce) {
      if ((std::popcount(s.op) + s.keep) % 2 == 1) s.bad_parity = !s.bad_parity;
      s.op = rtl::OP_COPY;
      s.keep = false;
    }
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
  word_ = run_ = own_ = 0;
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
  word.op = s.op;
  word.keep = s.keep;
  word.own_address = (s.stride + own_++) & addresses_;
  word_ = (word_ + 1) & addresses_;
  if (word_ != s.run) return word;
  word.run_last = true;
  word_ = 0;
  if (++run_ != s.count) return word;
  run_ = own_ = 0;
  ++index_;
  stopped_ = s.stop;
  word.last = last || s.stop;
  return word;
}

}  // namespace gossamer::model
