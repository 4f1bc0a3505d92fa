#pragma once

#include <bit>
#include <cstdint>
#include <deque>

#include "fabric/fabric.hpp"

namespace gossamer::model {

/// How many cycles an error comes before its slot's receive window.
enum class Before : unsigned { Receiver = 0, Crossbar = 1, Read = 2 };

/// The sticky errors of a node. If several come in the first bad cycle, the one with the
/// smallest code is reported; of equal codes, the one raised first. They are counted at the end of
/// the cycle, in nodes other than one-cycle nodes a cycle later. The first one's port is known a
/// cycle later than its code, its slot then or when the receivers have come to it.
class StickyErrors {
 public:
  /// Reduce nodes learn of errors of entries and reads as much later as of what follows a read.
  explicit StickyErrors(const NodeKind& kind)
      : at_once_(kind.one_cycle), now_(kind.reduce ? 1 + rtl::TIME_OP : 1) {}

  /// `ports` has a bit for each port with the error; 0 for an error of the node itself.
  void raise(rtl::error_e error, std::uint32_t slot, std::uint64_t ports, Before before) {
    const auto code = static_cast<std::uint32_t>(error);
    Raised& raised = before == Before::Read ? now_.back() : now_.front();
    NodeError& now = raised.error;
    now.seen |= 1u << code;
    if (now.first_code != 0 && now.first_code <= code) return;
    now.first_code = code;
    now.first_slot = slot;
    now.first_port = ports == 0 ? 0 : static_cast<Port>(std::countr_zero(ports));
    raised.before = static_cast<unsigned>(before);
  }
  void end_cycle() {
    if (until_slot_ > 0 && --until_slot_ == 0) reported_.first_slot = first_.first_slot;
    reported_.first_port = first_.first_port;
    count(at_once_ ? now_.front() : last_);
    last_ = now_.front();
    now_.pop_front();
    now_.emplace_back();
  }
  const NodeError& reported() const { return reported_; }

 private:
  struct Raised {
    NodeError error;
    unsigned before = 0;
  };
  void count(const Raised& raised) {
    if (reported_.seen == 0 && raised.error.seen != 0) {
      first_ = raised.error;
      reported_.first_code = first_.first_code;
      until_slot_ = 1 + raised.before;
    }
    reported_.seen |= raised.error.seen;
  }

  bool at_once_;
  NodeError reported_;
  std::deque<Raised> now_;  ///< in this cycle, and what comes later
  Raised last_;             ///< in the cycle before
  NodeError first_;
  unsigned until_slot_ = 0;  ///< cycles until its slot is known
};

}  // namespace gossamer::model
