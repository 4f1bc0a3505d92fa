#pragma once

#include "fabric/fabric.hpp"

namespace gossamer::model {

/// The sending end of a link: does the end of the slot cut off a stream?
class Sender {
 public:
  /// `flit` is for the link in this cycle; `closes` is set in the slot's last cycle. True if cut
  /// off.
  bool step(const Flit& flit, bool closes) {
    if (flit.valid) under_way_ = !flit.last;
    const bool cut = under_way_ && closes;
    if (closes) under_way_ = false;
    return cut;
  }

 private:
  bool under_way_ = false;  ///< more flits of the stream will follow
};

/// The receiving end of a link. A slot that expects a stream wants exactly one, without gaps, ended
/// by its `last` flit before the slot's window closes; an adaptive node accepts any number of
/// streams.
class Receiver {
 public:
  explicit Receiver(bool adaptive) : adaptive_(adaptive) {}

  /// The state of the slot's window in a cycle.
  struct Window {
    bool opens = false, closes = false;  ///< its first and last cycle
    bool expects = false;                ///< a stream is to be stored
    bool forwards = false;               ///< the crossbar takes what arrives
  };
  struct Verdict {
    bool take = false, unexpected = false, missing = false, cut = false;
  };

  Verdict step(const Flit& flit, const Window& window) {
    if (window.opens) state_ = window.expects ? State::Wait : State::Rest;
    const State before = state_;
    Verdict verdict;
    verdict.take = flit.valid && before != State::Rest;
    verdict.unexpected = flit.valid && before == State::Rest && !window.forwards;
    const State between = adaptive_ ? State::Wait : State::Rest;
    if (verdict.take) state_ = flit.last ? between : State::Within;
    if (!flit.valid && before == State::Within) {  // a gap
      verdict.missing = true;
      state_ = between;
    }
    if (window.closes) {
      verdict.missing = verdict.missing || (state_ == State::Wait && !adaptive_);
      verdict.cut = state_ == State::Within;
      state_ = State::Rest;
    }
    return verdict;
  }

 private:
  enum class State { Rest, Wait, Within };
  bool adaptive_;
  State state_ = State::Rest;
};

}  // namespace gossamer::model
