#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "engines/node_model/slot_player.hpp"

namespace gossamer::model {

/// The message store of a node: append-only logs (docs/hardware/table-format.md, "Message store").
class MessageLogs {
 public:
  MessageLogs(const NodeKind& kind, std::span<const std::uint32_t> own, std::uint32_t capacity)
      : kind_(kind), capacity_(capacity), logs_(kind.own_log() + 1) {
    logs_.back().assign(own.begin(), own.end());
  }

  /// Has this word arrived, or did the node start with it?
  bool written(unsigned log, std::uint32_t address) const {
    const auto* words = find(log);
    return words != nullptr && address < words->size();
  }

  /// 0 if nothing is written there.
  std::uint32_t read(unsigned log, std::uint32_t address) const {
    return written(log, address) ? (*find(log))[address] : 0;
  }

  /// False if the log of arrivals at `port` is full.
  bool append(Port port, std::uint32_t word) {
    if (full(port)) return false;
    logs_[kind_.single_port ? 0 : port].push_back(word);
    return true;
  }
  /// Writes a word of the own words' log.
  void write_own(std::uint32_t address, std::uint32_t word) {
    if (address < logs_.back().size()) logs_.back()[address] = word;
  }
  bool full(Port port) const { return arrivals(port).size() >= capacity_; }
  const std::vector<std::uint32_t>& log(unsigned log) const { return logs_[log]; }

 private:
  const std::vector<std::uint32_t>& arrivals(Port port) const {
    return logs_[kind_.single_port ? 0 : port];
  }

  const std::vector<std::uint32_t>* find(unsigned log) const {
    if (logs_.size() == 1) return logs_.data();
    log &= (1u << std::bit_width(kind_.ports)) - 1;  // a node uses the low bits of the log number
    return log < logs_.size() ? &logs_[log] : nullptr;
  }

  const NodeKind kind_;
  const std::uint32_t capacity_;
  std::vector<std::vector<std::uint32_t>> logs_;  ///< the own words' log is the last one
};

/// The message store of an adaptive node, and what the node knows of every message: on which links
/// it was sent, on which it arrived, and in which slot (docs/hardware/table-format.md, "Adaptive
/// nodes").
class ExchangeLogs {
 public:
  /// A position in the node's list: a word of a message, by its address.
  struct Position {
    std::uint32_t address = 0;
    bool same = false;  ///< the neighbours are at the same message, not at the same distance
  };

  explicit ExchangeLogs(const NodeSetup& setup)
      : kind_(setup.kind),
        capacity_(setup.capacity),
        messages_(setup.messages),
        shift_(setup.shift),
        partner_(setup.partner),
        awaited_(setup.initiator),
        has_message_(!setup.own_words.empty()),
        logs_(kind_.own_log() + 1, std::vector<std::uint32_t>(capacity_)),
        arrived_words_(logs_.size(), std::vector<bool>(capacity_)),
        crossings_(std::size_t{messages_} * kind_.ports),
        stages_(setup.stages),
        passed_(3 + (stages_.empty() ? 0 : std::ranges::max(stages_))) {
    std::ranges::copy(setup.own_words, logs_[kind_.own_log()].begin());
  }

  void start() {
    std::ranges::fill(crossings_, Crossing{});
    heard_.reset();
  }
  /// Writes the registers with the messages' places, after the run.
  void set_places(std::uint32_t shift, const std::vector<std::uint32_t>& partner) {
    shift_ = shift;
    partner_ = partner;
  }

  /// Call once per cycle, before arrive(): the node is now at `position`. Returns which of the
  /// outputs that offer that word in this slot send it; they then count as having sent it.
  std::uint64_t offer(const Position& position, std::uint64_t outputs, std::uint32_t slot) {
    passed_.push_front(position);
    passed_.pop_back();
    const std::uint32_t message = message_at(position.address);
    if (outputs == 0 || !awake(slot) || (!own(message) && !arrived_before(message, slot))) return 0;
    std::uint64_t senders = 0;
    for (Port p = 0; p < kind_.ports; ++p) {
      if (!(outputs >> p & 1) || message == message_at(partner(p))) continue;
      Crossing& here = crossing(message, p);
      if (before(here.sent, slot) || before(here.arrived, slot)) continue;
      here.sent = slot % kSlotNumbers;
      senders |= std::uint64_t{1} << p;
    }
    return senders;
  }

  /// The word that some output sends.
  std::uint32_t read(std::uint32_t slot) const {
    const std::uint32_t address = passed_[0].address, message = message_at(address);
    const Port from = own(message) ? kind_.own_log() : *arrived_before(message, slot);
    const auto& log = logs_[kind_.single_port ? 0 : from];
    return address < log.size() ? log[address] : 0;
  }

  /// A word arrives at `port`, in the receive window of this slot. It belongs to the node's
  /// position of two cycles ago, before the link's stages; returns its address, or nothing if that
  /// is beyond the log's end.
  std::optional<std::uint32_t> arrive(Port port, std::uint32_t slot) {
    const Position& position = passed_[2 + (port < stages_.size() ? stages_[port] : 0)];
    const std::uint32_t address = position.address ^ (position.same ? 0 : partner(port));
    if (address >= capacity_) return {};
    const std::uint32_t message = message_at(address);
    crossing(message, port).arrived = slot % kSlotNumbers;
    if (!heard_ && awaited_ && message == message_at(*awaited_)) heard_ = slot % kSlotNumbers;
    return address;
  }

  /// Writes the word that arrived.
  void store(unsigned log, std::uint32_t address, std::uint32_t word) {
    if (address >= logs_[log].size()) return;  // only an address of several words is
    logs_[log][address] = word;
    arrived_words_[log][address] = true;
  }

  /// Writes a word of the own words' log from outside.
  void write_own(std::uint32_t address, std::uint32_t word) { logs_.back()[address] = word; }

  /// The ports on which a message has arrived.
  std::uint64_t ports_of(std::uint32_t message) const {
    std::uint64_t ports = 0;
    for (Port p = 0; p < kind_.ports; ++p) {
      if (crossing(message, p).arrived) ports |= std::uint64_t{1} << p;
    }
    return ports;
  }

  /// A log as stored in memory, written or not, and which of its words have arrived.
  const std::vector<std::uint32_t>& log(unsigned log) const { return logs_[log]; }
  const std::vector<bool>& arrived(unsigned log) const { return arrived_words_[log]; }

 private:
  static constexpr std::uint32_t kSlotNumbers = 1u << rtl::ADAPTIVE_SLOT_W;
  /// The slot in which something last happened.
  using When = std::optional<std::uint32_t>;
  static bool before(const When& when, std::uint32_t slot) {
    return when && *when != slot % kSlotNumbers;
  }
  /// What a node knows of a message at a port.
  struct Crossing {
    When sent, arrived;
  };

  Crossing& crossing(std::uint32_t message, Port port) {
    return crossings_[std::size_t{message % messages_} * kind_.ports + port];
  }

  const Crossing& crossing(std::uint32_t message, Port port) const {
    return crossings_[std::size_t{message % messages_} * kind_.ports + port];
  }
  std::uint32_t message_at(std::uint32_t address) const { return address >> shift_; }
  std::uint32_t partner(Port port) const { return port < partner_.size() ? partner_[port] : 0; }

  /// The highest port on which the message arrived before this slot.
  std::optional<Port> arrived_before(std::uint32_t message, std::uint32_t slot) const {
    for (Port p = kind_.ports; p-- > 0;) {
      if (before(crossing(message, p).arrived, slot)) return p;
    }
    return {};
  }
  bool own(std::uint32_t message) const { return message == 0 && has_message_; }

  /// The initiator itself does not wait.
  bool awake(std::uint32_t slot) const {
    return !awaited_ || *awaited_ == 0 || before(heard_, slot);
  }

  const NodeKind kind_;
  const std::uint32_t capacity_, messages_;
  std::uint32_t shift_;
  std::vector<std::uint32_t> partner_;
  const std::optional<std::uint32_t> awaited_;  ///< send nothing before this message came
  const bool has_message_;                      ///< the node has a message of its own
  std::vector<std::vector<std::uint32_t>> logs_;
  std::vector<std::vector<bool>> arrived_words_;
  std::vector<Crossing> crossings_;          ///< messages x ports
  const std::vector<std::uint32_t> stages_;  ///< of the link at each port
  std::deque<Position> passed_;  ///< the node's position now, one and two cycles ago, and so on
  When heard_;                   ///< slot in which the awaited message arrived
};

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
  /// Nodes that join learn of errors of entries and reads as much later as of what follows a read.
  explicit StickyErrors(const NodeKind& kind)
      : at_once_(kind.one_cycle), now_(1 + (kind.join ? rtl::TIME_JOIN : 0)) {}

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
/// so each sees the slot table at a different time: now, or one or two cycles ago. In a node that
/// joins the last two are rtl::TIME_JOIN cycles further apart.
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
  };
  using Words = std::vector<Flit>;

  void read_words(const SlotCycle& now, Words& words);
  void check_entry(const SlotCycle& now);
  void read_streams(const SlotCycle& now, std::uint64_t outputs, Words& words);
  void read_offer(const SlotCycle& now, std::uint64_t outputs, Words& words);
  std::uint64_t switch_flits(const Reading& reading);
  std::uint64_t join_flits(const Reading& reading);
  void store_joined();
  void check_faults(const SlotCycle& now);
  Flit to_link(Port p, const Flit& flit, const SlotCycle& now);
  void receive_flits(std::uint64_t forwarded);
  void store(std::uint64_t taken);
  /// Windows that are open or were opened last.
  std::size_t windows() const;
  const SlotCycle& window(Port p) const {
    return receiving_[stages_[p] + (kind_.join ? rtl::TIME_JOIN : 0)];
  }
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

  /// Two cycles ago, and further back as far as links have stages: a window opens when the first
  /// flit has come through them.
  std::deque<SlotCycle> receiving_;
  /// Nodes that join: what the lanes made in a cycle, and of which ports something was missing.
  struct Joined {
    SlotCycle table;
    std::vector<Flit> lanes;
    std::uint64_t uneven = 0;
  };
  /// Of the last cycles; the first one is sent now, and the last one stored.
  std::deque<Joined> joined_;
  Reading reading_, before_;      ///< now, and in the cycle before: that is switched now
  std::span<const Flit> inputs_;  ///< flits on the inputs
  std::vector<Flit> sent_;        ///< flits on the outputs in the next cycle
  std::uint64_t driven_ = 0;      ///< ports on which this node drives the link now
  std::uint64_t taken_ = 0;       ///< arrivals of this cycle, by port
  std::uint64_t stored_ = 0;
  bool read_ = false;
  /// Cycles since the table has ended; cycles since a receive window has closed.
  std::uint64_t since_end_ = 0, since_windows_ = 0;
  bool done_ = false;
};

}  // namespace gossamer::model
