#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engines/node_model/node_stores.hpp"
#include "fabric/operators.hpp"

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
  explicit NodeModel(const NodeSetup& setup)
      : kind_(setup.kind),
        stages_(all_stages(setup.stages, kind_.ports)),
        dead_(setup.dead),
        dead_after_(setup.dead_after),
        flit_w_(setup.flit_w),
        zeros_unknown_(setup.zeros_unknown),
        shared_(setup.shared),
        memory_(setup.memory),
        player_(setup),
        logs_(setup),
        errors_(kind_),
        senders_(kind_.ports),
        receivers_(kind_.ports, Receiver(kind_.adaptive)),
        sent_(kind_.ports) {
    receiving_.resize(windows());
    joined_.resize(3);
    for (unsigned c = 0; c < kind_.channels; ++c) lists_.emplace_back(setup, c);
    if (kind_.adaptive) exchange_.emplace(setup);
  }

  /// The cycle of the start pulse.
  void start() {
    player_.start();
    for (ReadList& list : lists_) list.start();
    if (exchange_) exchange_->start();
    before_ = {};
    receiving_.assign(windows(), {});
    joined_.assign(3, {});
    dying_ = done_ = false;
    since_end_ = since_windows_ = 0;
  }

  /// Any other cycle; `inputs` is what the neighbours put on the links in it, by port.
  void cycle(std::span<const Flit> inputs) {
    inputs_ = inputs;
    stored_ = 0;
    read_ = false;
    reading_ = {player_.now()};
    check_faults(reading_.table);
    reading_.dead = dead_now_;
    read_words(reading_.table, reading_.words);
    const std::uint64_t driven = kind_.join ? join_flits(before_) : switch_flits(before_);
    receive_flits(forwarded_inputs(before_.table.entry, kind_.join));
    errors_.end_cycle();

    player_.advance();
    receiving_.push_front(before_.table);
    receiving_.pop_back();
    std::swap(before_, reading_);
    driven_ = driven;
    since_end_ = player_.ended() ? since_end_ + 1 : 0;
    const bool window = std::ranges::any_of(receiving_, [](const SlotCycle& c) { return c.last; });
    since_windows_ = window ? 0 : since_windows_ + 1;
    done_ = since_end_ >= 2 + (kind_.join ? 1 : 0) + closed_for(kind_) &&
            since_windows_ >= closed_for(kind_);
  }

  /// Writes the fault registers: other outputs are dead from the next slot on.
  void set_faults(std::uint64_t dead, std::uint32_t dead_after) {
    dead_ = dead;
    dead_after_ = dead_after;
  }
  /// Adaptive nodes: writes the registers with the messages' places. After the run, for arrivals in
  /// a slot that never ends.
  void set_places(std::uint32_t shift, const std::vector<std::uint32_t>& partner) {
    exchange_->set_places(shift, partner);
  }

  /// Overwrites an own word in the store.
  void write_own(std::uint32_t address, std::uint32_t word) {
    exchange_ ? exchange_->write_own(address, word) : logs_.write_own(address, word);
  }

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
  using enum rtl::error_e;

  /// The end is reported when the last slot's receive window has been closed for so many cycles, so
  /// that its errors are counted; a malformed entry ends the table as if it were a slot of one
  /// cycle.
  static std::uint64_t closed_for(const NodeKind& kind) { return kind.one_cycle ? 1 : 3; }

  static std::uint64_t bit(Port p) { return std::uint64_t{1} << p; }
  static bool several(std::uint64_t ports) { return (ports & (ports - 1)) != 0; }

  /// Outputs that send from the store.
  static std::uint64_t local_outputs(const SlotEntry& entry, bool join) {
    std::uint64_t ports = 0;
    for (Port p = 0; p < entry.select.size(); ++p) {
      if (join ? (entry.select[p] >> p & 1) != 0 : entry.select[p] == select_local(p))
        ports |= bit(p);
    }
    return ports;
  }

  /// Inputs that the crossbar forwards. Where the number of ports is a power of two, a code above
  /// it counts for the input that its lower bits name, but for input 0
  /// (docs/hardware/table-format.md).
  static std::uint64_t forwarded_inputs(const SlotEntry* entry, bool join) {
    std::uint64_t ports = 0;
    if (entry == nullptr) return ports;
    for (Port p = 0; p < entry->select.size(); ++p) {
      const auto all = static_cast<Port>(entry->select.size());
      Port from = entry->select[p];
      if (join) {
        ports |= from & ~bit(p);
        continue;
      }
      if (from > all && all > 1 && std::has_single_bit(unsigned{all})) from &= all - 1;
      if (from != p && from < all) ports |= bit(from);
    }
    return ports;
  }

  /// Ports at which an entry requests more than the model allows.
  static std::uint64_t beyond_limits(const SlotEntry& entry, const NodeKind& kind) {
    const std::uint64_t local = local_outputs(entry, kind.join), receive = entry.receive;
    std::uint64_t ports = 0;
    if (kind.half_duplex) {
      std::uint64_t sends = 0;
      for (Port p = 0; p < kind.ports; ++p) {
        if (entry.select[p] != select_none(kind) && !(entry.stores & bit(p))) sends |= bit(p);
      }
      ports |= sends & (receive | forwarded_inputs(&entry, kind.join));
    }
    if (kind.single_port) {
      if (several(local)) ports |= local;
      if (several(receive)) ports |= receive;
      if (kind.half_duplex && local != 0 && receive != 0) ports |= local | receive;
    }
    return ports;
  }

  /// The stages at every port.
  static std::vector<std::uint32_t> all_stages(std::vector<std::uint32_t> stages, Port ports) {
    stages.resize(ports);
    return stages;
  }

  /// How lanes join: what they cannot, they add.
  static rtl::op_e lane_op(const SlotEntry& entry, const NodeKind& kind) {
    const auto op = static_cast<rtl::op_e>(entry.op);
    return op > rtl::op_e::OP_SUM8 && !kind.all_ops ? rtl::op_e::OP_SUM : op;
  }

  /// What the slot's reads have for the crossbar, later.
  struct Reading {
    SlotCycle table;
    std::vector<Flit> words = {};  ///< per output
    std::uint64_t dead = 0;        ///< outputs without a source
  };
  using Words = std::vector<Flit>;

  void read_words(const SlotCycle& now, Words& words) {
    const SlotCycle& looked_at = kind_.one_cycle ? before_.table : now;
    if (looked_at.first()) check_entry(looked_at);
    const std::uint64_t local = now.reads() ? local_outputs(*now.entry, kind_.join) : 0;
    words.assign(kind_.ports, {});
    exchange_ ? read_offer(now, local, words) : read_streams(now, local, words);
    if (!now.last) return;
    if (!kind_.one_cycle && now.entry->length < now.entry->stream) {
      errors_.raise(ERR_CUT, now.slot, 0, Before::Read);
    }
    for (ReadList& list : lists_) list.end_slot();
  }

  /// Errors that the entry alone shows are reported in its first cycle; in one-cycle nodes, in the
  /// next cycle.
  void check_entry(const SlotCycle& now) {
    const Before before = kind_.one_cycle ? Before::Crossbar : Before::Read;
    if (now.malformed) errors_.raise(ERR_MALFORMED, now.slot, 0, before);
    if (now.bad_parity) errors_.raise(ERR_PARITY, now.slot, 0, before);
    if (const auto ports = beyond_limits(*now.entry, kind_)) {
      errors_.raise(ERR_LIMIT, now.slot, ports, before);
    }
  }

  /// A word for every output that sends from the store; a node with one channel has one word for
  /// all.
  void read_streams(const SlotCycle& now, std::uint64_t outputs, Words& words) {
    const bool reads_unasked =
        kind_.one_cycle && kind_.channels == 1;  // such an entry is malformed
    std::vector<ReadList::Word> all(kind_.channels);
    for (unsigned c = 0; c < kind_.channels; ++c) {
      const std::uint64_t served = kind_.channels == 1 ? outputs : outputs & bit(c);
      if (served == 0 && !(reads_unasked && now.reads())) continue;
      all[c] = lists_[c].next(kind_.one_cycle || now.reads_last());
    }
    for (unsigned c = 0; c < kind_.channels; ++c) {
      const std::uint64_t served = kind_.channels == 1 ? outputs : outputs & bit(c);
      const ReadList::Word& word = all[c];
      const bool clashes = clash(all, c);
      if (word.exhausted) errors_.raise(ERR_EXHAUSTED, now.slot, served, Before::Read);
      if (word.bad_parity) errors_.raise(ERR_PARITY, now.slot, 0, Before::Read);
      if (!word.valid) continue;
      read_ = read_ || c == 0 || !shared_.empty();
      if (clashes ||
          !logs_.written(word.log, word.address)) {  // one-cycle nodes cannot name the output
        errors_.raise(ERR_UNWRITTEN, now.slot, reads_unasked ? 0 : served, Before::Read);
      }
      const Flit flit{true, word.last, clashes ? 0 : logs_.read(word.log, word.address)};
      for (Port p = 0; p < kind_.ports; ++p) {
        if (served & bit(p)) words[p] = flit;
      }
    }
  }

  /// Where a channel reads: a copy, which it may share, and a word of it; own words may stand
  /// behind others, from the end on. None: it reads nothing, or no log.
  std::optional<std::pair<unsigned, std::uint32_t>> place(const ReadList::Word& word,
                                                          unsigned c) const {
    const unsigned log = word.log & ((1u << std::bit_width(kind_.ports)) - 1);
    if (!word.valid || log > kind_.own_log()) return {};
    const unsigned pair = log * kind_.channels + c, home = shared_[pair];
    const std::uint32_t mask = (1u << std::bit_width(memory_ - 1)) - 1;
    const bool behind = home != 0 && (home - 1) / kind_.channels != log;
    return std::pair(home == 0 ? pair : home - 1, (behind ? ~word.address : word.address) & mask);
  }
  /// Does another channel read another word of the same copy?
  bool clash(const std::vector<ReadList::Word>& all, unsigned c) const {
    if (shared_.empty()) return false;
    const auto here = place(all[c], c);
    for (unsigned d = 0; here && d < all.size(); ++d) {
      const auto other = place(all[d], d);
      if (other && other->first == here->first && other->second != here->second) return true;
    }
    return false;
  }

  /// An adaptive node steps through its list in every slot, even if it only receives, and decides
  /// which outputs send the current word. Every message is a stream.
  void read_offer(const SlotCycle& now, std::uint64_t outputs, Words& words) {
    const ReadList::Word here = lists_[0].pending();
    const ReadList::Word word = now.reads() ? lists_[0].next(false) : ReadList::Word{};
    if (word.exhausted) errors_.raise(ERR_EXHAUSTED, now.slot, outputs, Before::Read);
    if (word.bad_parity) errors_.raise(ERR_PARITY, now.slot, 0, Before::Read);
    const std::uint64_t senders =
        exchange_->offer({here.address, here.same}, word.valid ? outputs : 0, now.slot);
    for (Port p = 0; p < kind_.ports; ++p) {
      if (senders & bit(p)) words[p] = {true, word.run_last, exchange_->read(now.slot)};
    }
    read_ = word.valid;
  }

  /// Returns the ports on which the node drives the link in the next cycle.
  std::uint64_t switch_flits(const Reading& reading) {
    const SlotCycle& now = reading.table;
    std::uint64_t driven = 0;
    for (Port p = 0; p < kind_.ports; ++p) {
      const bool silent = now.entry == nullptr || (reading.dead & bit(p));
      const Port from = silent ? select_none(kind_) : now.entry->select[p];
      Flit flit;
      if (from == select_local(p)) {
        if (!reading.words.empty()) flit = reading.words[p];
      } else if (from < kind_.ports) {
        flit = inputs_[from];
      }
      if (flit.valid && kind_.one_cycle) flit.last = true;  // every flit is a stream
      sent_[p] = to_link(p, flit, now);
      if (sent_[p].valid) driven |= bit(p);
    }
    return driven;
  }

  /// The same for lanes, which join what their masks name: the result is sent a cycle later.
  std::uint64_t join_flits(const Reading& reading) {
    const SlotCycle& now = reading.table;
    Joined& made = joined_.emplace_front(Joined{now, std::vector<Flit>(kind_.ports)});
    joined_.pop_back();
    for (Port o = 0; now.entry != nullptr && o < kind_.ports; ++o) {
      const bool stores = (now.entry->stores & bit(o)) != 0;
      const std::uint64_t mask = (reading.dead & bit(o)) && !stores ? 0 : now.entry->select[o];
      std::uint64_t came = 0;
      bool unknown = false;
      for (Port p = 0; p < kind_.ports; ++p) {
        if (!(mask & bit(p))) continue;
        const Flit one = p != o ? inputs_[p] : reading.words.empty() ? Flit{} : reading.words[p];
        if (!one.valid) continue;
        Flit& all = made.lanes[o];
        all.data =
            came == 0 ? one.data : combine(lane_op(*now.entry, kind_), all.data, one.data, flit_w_);
        all.last = all.last || one.last;
        all.valid = true;
        came |= bit(p);
        unknown = unknown || (zeros_unknown_ && one.data == 0);
      }
      if (unknown) made.lanes[o].data = 0;
      if (came != 0 && came != mask) made.uneven |= bit(o);
    }
    std::uint64_t driven = 0;
    const Joined& sends = joined_[1];
    for (Port o = 0; o < kind_.ports; ++o) {
      const bool none = sends.table.entry == nullptr || (sends.table.entry->stores & bit(o));
      sent_[o] = to_link(o, none ? Flit{} : sends.lanes[o], sends.table);
      if (sent_[o].valid) driven |= bit(o);
    }
    return driven;
  }

  /// What lanes have joined for the store comes there when others are on their links. Returns the
  /// lanes whose word did not fit.
  std::uint64_t store_joined() {
    std::uint64_t overflow = 0;
    for (Port o = 0; o < kind_.ports; ++o) {
      if (!(lanes_that_store() & bit(o)) || (taken_ & bit(o))) continue;
      if (!logs_.append(o, joined_[2].lanes[o].data)) overflow |= bit(o);
      stored_ |= bit(o) & ~overflow;
    }
    return overflow;
  }
  /// Lanes that have a word for the store now.
  std::uint64_t lanes_that_store() const {
    std::uint64_t lanes = 0;
    for (Port o = 0; kind_.join && joined_[2].table.entry != nullptr && o < kind_.ports; ++o) {
      if (joined_[2].lanes[o].valid) lanes |= joined_[2].table.entry->stores & bit(o);
    }
    return lanes;
  }

  /// The outputs that a fault leaves without a source are fixed when a slot begins.
  void check_faults(const SlotCycle& now) {
    if (!now.first()) return;
    dying_ = dying_ || now.slot >= dead_after_;
    dead_now_ = dying_ ? dead_ : 0;
  }

  /// The part of `flit` that goes to the link. An end of a half-duplex link sends nothing while the
  /// other end drives.
  Flit to_link(Port p, const Flit& flit, const SlotCycle& now) {
    if (senders_[p].step(flit, now.last))
      errors_.raise(ERR_CUT, now.slot, bit(p), Before::Crossbar);
    if (!kind_.half_duplex || !inputs_[p].valid) return flit.valid ? flit : Flit{};
    if (driven_ & bit(p)) {
      errors_.raise(ERR_COLLISION, now.slot, bit(p), Before::Crossbar);
    } else if (flit.valid) {
      errors_.raise(ERR_TURNAROUND, now.slot, bit(p), Before::Crossbar);
    }
    return {};
  }

  void receive_flits(std::uint64_t forwarded) {
    std::uint64_t unexpected = 0, missing = 0, cut = 0;
    taken_ = 0;
    for (Port p = 0; p < kind_.ports; ++p) {
      const SlotCycle& now = window(p);
      Flit flit = inputs_[p];
      if (kind_.half_duplex && driven_ & bit(p)) flit = {};
      if (kind_.one_cycle) flit.last = true;  // every flit is a stream
      const bool expects = now.entry != nullptr && now.entry->receive & bit(p);
      const Receiver::Verdict verdict =
          receivers_[p].step(flit, {now.first(), now.last, expects, (forwarded & bit(p)) != 0});
      if (verdict.take) taken_ |= bit(p);
      if (verdict.unexpected) unexpected |= bit(p);
      if (verdict.missing) missing |= bit(p);
      if (verdict.cut) cut |= bit(p);
    }
    raise_received(ERR_UNEXPECTED, unexpected);
    // Of lanes: something that they join, or the log, which an arrival takes in the same cycle.
    raise_received(ERR_MISSING, missing, joined_[2].uneven | (lanes_that_store() & taken_));
    raise_received(ERR_CUT, cut);
    const std::uint64_t overflow = taken_ == 0 ? 0 : exchange_ ? exchange(taken_) : append(taken_);
    stored_ = taken_ & ~overflow;
    raise_received(ERR_OVERFLOW, overflow, store_joined());
  }

  /// Windows that are open or were opened last.
  std::size_t windows() const {
    return 1 + std::ranges::max(stages_) + (kind_.join ? rtl::TIME_JOIN : 0);
  }
  const SlotCycle& window(Port p) const {
    return receiving_[stages_[p] + (kind_.join ? rtl::TIME_JOIN : 0)];
  }

  /// The first port's window says the slot, unless it is a lane's error.
  void raise_received(rtl::error_e error, std::uint64_t ports, std::uint64_t lanes = 0) {
    if ((ports | lanes) == 0) return;
    const auto first = static_cast<Port>(std::countr_zero(ports | lanes));
    const SlotCycle& slot = ports & bit(first) ? window(first) : joined_[2].table;
    errors_.raise(error, slot.slot, ports | lanes, Before::Receiver);
  }

  /// Stores arrivals in their logs. Returns the ports whose word did not fit.
  std::uint64_t append(std::uint64_t taken) {
    if (kind_.single_port) return logs_.append(0, single_word(taken)) ? 0 : taken;
    std::uint64_t overflow = 0;
    for (Port p = 0; p < kind_.ports; ++p) {
      if ((taken & bit(p)) && !logs_.append(p, inputs_[p].data)) overflow |= bit(p);
    }
    return overflow;
  }

  /// The same for an adaptive node. Its single log takes one word, at the OR of the addresses of
  /// all that come.
  std::uint64_t exchange(std::uint64_t taken) {
    std::uint64_t overflow = 0;
    std::optional<std::uint32_t> single;
    for (Port p = 0; p < kind_.ports; ++p) {
      if (!(taken & bit(p))) continue;
      const auto address = exchange_->arrive(p, window(p).slot);
      if (!address) {
        overflow |= bit(p);
      } else if (kind_.single_port) {
        single = single.value_or(0) | *address;
      } else {
        exchange_->store(p, *address, inputs_[p].data);
      }
    }
    if (single) exchange_->store(0, *single, single_word(taken));
    return overflow;
  }

  /// The word that a single log takes in a cycle: that of the highest port that the entry names,
  /// or, where links have stages, of the highest port that brings one.
  std::uint32_t single_word(std::uint64_t taken) const {
    std::uint64_t ports = taken;
    if (kind_.one_cycle || std::ranges::max(stages_) == 0) {
      ports = 0;
      for (Port p = 0; p < kind_.ports; ++p) {
        const SlotEntry* const entry = window(p).entry;
        if (entry != nullptr) ports |= entry->receive & bit(p);
      }
    }
    const Flit& flit = inputs_[static_cast<Port>(std::bit_width(ports) - 1)];
    return flit.valid ? flit.data : 0;
  }

  const NodeKind kind_;
  const std::vector<std::uint32_t> stages_;  ///< of the link at each port
  std::uint64_t dead_;                       ///< outputs without a source ...
  std::uint32_t dead_after_;                 ///< ... after so many slots
  bool dying_ = false;                       ///< these slots have passed
  std::uint64_t dead_now_ = 0;               ///< in the slot now
  const unsigned flit_w_;
  const bool zeros_unknown_;
  const std::vector<std::uint16_t> shared_;
  const std::uint32_t memory_;
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
