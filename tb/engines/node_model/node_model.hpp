#pragma once

#include <bit>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "fabric/fabric.hpp"
#include "logs.hpp"
#include "node_setup.hpp"
#include "slot_player.hpp"

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

/// A node of the fabric, written from docs/hardware/timing.md and docs/hardware/table-format.md and
/// not from the RTL: a second opinion on both. A word of the store passes three functions in three
/// successive cycles:
///
///   cycle t     read_words      the slot that begins in t reads its first word
///   cycle t+1   switch_flits    its selects act on that word, and on the inputs
///   cycle t+2   receive_flits   its receive window is open; the word is on the link (over a link
///                               with S register stages in cycle t+2+S, and so is the window)
///
/// so each sees the slot table at a different time: now, or one or two cycles ago. In a reduce node
/// the operator stands between the first two, and all that follows it is rtl::TIME_OP cycles later.
class NodeModel {
 public:
  explicit NodeModel(const NodeSetup& setup);

  /// The cycle of the start pulse.
  void start();
  /// Any other cycle; `inputs` is what the neighbours put on the links in it, by port.
  void cycle(std::span<const Flit> inputs);

  /// Writes the fault registers: other outputs are dead from the next slot on.
  void set_faults(std::uint64_t dead, std::uint32_t dead_after);
  /// Adaptive nodes: writes the registers with the messages' places. After the run, for arrivals in
  /// a slot that never ends.
  void set_places(std::uint32_t shift, const std::vector<std::uint32_t>& partner) {
    exchange_->set_places(shift, partner);
  }
  /// Overwrites an own word in the store.
  void write_own(std::uint32_t address, std::uint32_t word);

  /// What the node puts on its links in the next cycle, by port.
  const std::vector<Flit>& sent() const { return sent_; }
  /// Ports on which the node drives its link.
  std::uint64_t driven() const { return driven_; }
  /// The first read channel read a word of the store in the last cycle.
  bool read() const { return read_; }
  /// The result of an operator replaced an own word in the last cycle.
  bool kept() const { return kept_; }
  /// Ports whose words went to the store in the last cycle.
  std::uint64_t stored() const { return stored_; }
  /// The table has ended and its windows are closed.
  bool done() const { return done_; }
  const NodeError& errors() const { return errors_.reported(); }
  const std::vector<std::uint32_t>& log(unsigned log) const {
    return exchange_ ? exchange_->log(log) : logs_.log(log);
  }
  /// Adaptive nodes: which words of a log have arrived. Empty for all others.
  std::vector<bool> arrived(unsigned log) const {
    return exchange_ ? exchange_->arrived(log) : std::vector<bool>{};
  }
  /// Adaptive nodes: the ports on which a message has arrived.
  std::uint64_t arrived_on(std::uint32_t message) const { return exchange_->ports_of(message); }
  /// The cycle of the slot table that begins now.
  const SlotCycle& now() const { return player_.now(); }

 private:
  /// What the slot's reads have for the crossbar, later.
  struct Reading {
    SlotCycle table;
    std::vector<Flit> words = {};  ///< per output
    std::uint64_t dead = 0;        ///< outputs without a source
    /// An own word, and what replaces it.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> keep = {};
  };
  using Words = std::vector<Flit>;

  void read_words(const SlotCycle& now, Words& words);
  void check_entry(const SlotCycle& now);
  void read_streams(const SlotCycle& now, std::uint64_t outputs, Words& words);
  bool combines(const ReadList::Word& word) const;
  std::uint32_t combined(const ReadList::Word& word) const;
  void read_offer(const SlotCycle& now, std::uint64_t outputs, Words& words);
  std::uint64_t switch_flits(const Reading& reading);
  void check_faults(const SlotCycle& now);
  Flit to_link(Port p, const Flit& flit, const SlotCycle& now);
  void receive_flits(std::uint64_t forwarded);
  void store(std::uint64_t taken);
  const SlotCycle& window(Port p) const { return receiving_[stages_[p]]; }
  void raise_received(rtl::error_e error, std::uint64_t ports);
  std::uint64_t append(std::uint64_t taken);
  std::uint64_t exchange(std::uint64_t taken);
  std::uint32_t single_word(std::uint64_t taken) const;

  const NodeKind kind_;
  const std::vector<std::uint32_t> stages_;  ///< of the link at each port
  std::uint64_t dead_;                       ///< outputs without a source ...
  std::uint32_t dead_after_;                 ///< ... after so many slots
  bool dying_ = false;                       ///< these slots have passed
  std::uint64_t dead_now_ = 0;               ///< in the slot now
  const unsigned flit_w_;
  const bool zeros_unknown_;
  SlotPlayer player_;
  std::vector<ReadList> lists_;
  MessageLogs logs_;
  std::optional<ExchangeLogs> exchange_;  ///< adaptive nodes: in place of logs_
  StickyErrors errors_;
  std::vector<Sender> senders_;
  std::vector<Receiver> receivers_;

  /// The cycle before, and further back as far as the operator takes; the last one is switched now.
  std::deque<Reading> read_ahead_;
  /// Two cycles ago, and further back as far as links have stages: a window opens when the first
  /// flit has come through them.
  std::deque<SlotCycle> receiving_;
  Reading reading_;               ///< now
  std::span<const Flit> inputs_;  ///< flits on the inputs
  std::vector<Flit> sent_;        ///< flits on the outputs in the next cycle
  std::uint64_t driven_ = 0;      ///< ports on which this node drives the link now
  std::uint64_t stored_ = 0;
  bool read_ = false, kept_ = false;
  /// Cycles since the table has ended; cycles since a receive window has closed.
  std::uint64_t since_end_ = 0, since_windows_ = 0;
  bool done_ = false;
};

}  // namespace gossamer::model
