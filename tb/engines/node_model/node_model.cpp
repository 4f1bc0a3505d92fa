#include "engines/node_model/node_model.hpp"

#include <algorithm>
#include <bit>

#include "fabric/operators.hpp"

namespace gossamer::model {
namespace {

using enum rtl::error_e;

/// The end is reported when the last slot's receive window has been closed for so many cycles, so
/// that its errors are counted; a malformed entry ends the table as if it were a slot of one cycle.
std::uint64_t closed_for(const NodeKind& kind) { return kind.one_cycle ? 1 : 3; }

std::uint64_t bit(Port p) { return std::uint64_t{1} << p; }
bool several(std::uint64_t ports) { return (ports & (ports - 1)) != 0; }

/// Outputs that send from the store.
std::uint64_t local_outputs(const SlotEntry& entry, bool join) {
  std::uint64_t ports = 0;
  for (Port p = 0; p < entry.select.size(); ++p) {
    if (join ? (entry.select[p] >> p & 1) != 0 : entry.select[p] == select_local(p))
      ports |= bit(p);
  }
  return ports;
}

/// Inputs that the crossbar forwards. Where the number of ports is a power of two, a code above it
/// counts for the input that its lower bits name, but for input 0 (docs/hardware/table-format.md).
std::uint64_t forwarded_inputs(const SlotEntry* entry, bool join) {
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
std::uint64_t beyond_limits(const SlotEntry& entry, const NodeKind& kind) {
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
std::vector<std::uint32_t> all_stages(std::vector<std::uint32_t> stages, Port ports) {
  stages.resize(ports);
  return stages;
}

}  // namespace

NodeModel::NodeModel(const NodeSetup& setup)
    : kind_(setup.kind),
      stages_(all_stages(setup.stages, kind_.ports)),
      dead_(setup.dead),
      dead_after_(setup.dead_after),
      flit_w_(setup.flit_w),
      zeros_unknown_(setup.zeros_unknown),
      player_(setup),
      logs_(kind_, setup.own_words, setup.capacity),
      errors_(kind_),
      senders_(kind_.ports),
      receivers_(kind_.ports, Receiver(kind_.adaptive)),
      sent_(kind_.ports) {
  receiving_.resize(windows());
  joined_.resize(3);
  for (unsigned c = 0; c < kind_.channels; ++c) lists_.emplace_back(setup, c);
  if (kind_.adaptive) exchange_.emplace(setup);
}

std::size_t NodeModel::windows() const {
  return 1 + std::ranges::max(stages_) + (kind_.join ? rtl::TIME_JOIN : 0);
}

void NodeModel::start() {
  player_.start();
  for (ReadList& list : lists_) list.start();
  if (exchange_) exchange_->start();
  before_ = {};
  receiving_.assign(windows(), {});
  joined_.assign(3, {});
  dying_ = done_ = false;
  since_end_ = since_windows_ = 0;
}

void NodeModel::cycle(std::span<const Flit> inputs) {
  inputs_ = inputs;
  stored_ = 0;
  read_ = false;
  reading_ = {player_.now()};
  check_faults(reading_.table);
  reading_.dead = dead_now_;
  read_words(reading_.table, reading_.words);
  const std::uint64_t driven = kind_.join ? join_flits(before_) : switch_flits(before_);
  receive_flits(forwarded_inputs(before_.table.entry, kind_.join));
  if (kind_.join) store_joined();
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

/// Errors that the entry alone shows are reported in its first cycle; in one-cycle nodes, in the
/// next cycle.
void NodeModel::check_entry(const SlotCycle& now) {
  const Before before = kind_.one_cycle ? Before::Crossbar : Before::Read;
  if (now.malformed) errors_.raise(ERR_MALFORMED, now.slot, 0, before);
  if (now.bad_parity) errors_.raise(ERR_PARITY, now.slot, 0, before);
  if (const auto ports = beyond_limits(*now.entry, kind_)) {
    errors_.raise(ERR_LIMIT, now.slot, ports, before);
  }
}

void NodeModel::read_words(const SlotCycle& now, Words& words) {
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

/// A word for every output that sends from the store; a node with one channel has one word for all.
void NodeModel::read_streams(const SlotCycle& now, std::uint64_t outputs, Words& words) {
  const bool reads_unasked = kind_.one_cycle && kind_.channels == 1;  // such an entry is malformed
  for (unsigned c = 0; c < kind_.channels; ++c) {
    const std::uint64_t served = kind_.channels == 1 ? outputs : outputs & bit(c);
    if (served == 0 && !(reads_unasked && now.reads())) continue;
    const ReadList::Word word = lists_[c].next(kind_.one_cycle || now.reads_last());
    if (word.exhausted) errors_.raise(ERR_EXHAUSTED, now.slot, served, Before::Read);
    if (word.bad_parity) errors_.raise(ERR_PARITY, now.slot, 0, Before::Read);
    if (!word.valid) continue;
    read_ = read_ || c == 0;
    if (!logs_.written(word.log, word.address)) {  // one-cycle nodes cannot name the output
      errors_.raise(ERR_UNWRITTEN, now.slot, reads_unasked ? 0 : served, Before::Read);
    }
    const Flit flit{true, word.last, logs_.read(word.log, word.address)};
    for (Port p = 0; p < kind_.ports; ++p) {
      if (served & bit(p)) words[p] = flit;
    }
  }
}

/// An adaptive node steps through its list in every slot, even if it only receives, and decides
/// which outputs send the current word. Every message is a stream.
void NodeModel::read_offer(const SlotCycle& now, std::uint64_t outputs, Words& words) {
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
std::uint64_t NodeModel::switch_flits(const Reading& reading) {
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

/// How lanes join: what they cannot, they add.
static rtl::op_e lane_op(const SlotEntry& entry, const NodeKind& kind) {
  const auto op = static_cast<rtl::op_e>(entry.op);
  return op > rtl::op_e::OP_SUM8 && !kind.all_ops ? rtl::op_e::OP_SUM : op;
}

/// The same for lanes, which join what their masks name: the result is sent a cycle later.
std::uint64_t NodeModel::join_flits(const Reading& reading) {
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

/// What lanes have joined for the store comes there when others are on their links.
void NodeModel::store_joined() {
  const Joined& past = joined_[2];
  if (past.table.entry == nullptr) return;
  std::uint64_t overflow = 0, missing = past.uneven;
  for (Port o = 0; o < kind_.ports; ++o) {
    if (!(past.table.entry->stores & bit(o)) || !past.lanes[o].valid) continue;
    if (taken_ & bit(o)) {  // an arrival comes to the same log
      missing |= bit(o);
      continue;
    }
    stored_ |= bit(o);
    if (!logs_.append(o, past.lanes[o].data)) overflow |= bit(o);
  }
  if (missing != 0) errors_.raise(ERR_MISSING, past.table.slot, missing, Before::Receiver);
  if (overflow != 0) errors_.raise(ERR_OVERFLOW, past.table.slot, overflow, Before::Receiver);
  stored_ &= ~overflow;
}

/// The outputs that a fault leaves without a source are fixed when a slot begins.
void NodeModel::check_faults(const SlotCycle& now) {
  if (!now.first()) return;
  dying_ = dying_ || now.slot >= dead_after_;
  dead_now_ = dying_ ? dead_ : 0;
}

void NodeModel::set_faults(std::uint64_t dead, std::uint32_t dead_after) {
  dead_ = dead;
  dead_after_ = dead_after;
}

void NodeModel::write_own(std::uint32_t address, std::uint32_t word) {
  exchange_ ? exchange_->write_own(address, word) : logs_.write_own(address, word);
}

/// The part of `flit` that goes to the link. An end of a half-duplex link sends nothing while the
/// other end drives.
Flit NodeModel::to_link(Port p, const Flit& flit, const SlotCycle& now) {
  if (senders_[p].step(flit, now.last)) errors_.raise(ERR_CUT, now.slot, bit(p), Before::Crossbar);
  if (!kind_.half_duplex || !inputs_[p].valid) return flit.valid ? flit : Flit{};
  if (driven_ & bit(p)) {
    errors_.raise(ERR_COLLISION, now.slot, bit(p), Before::Crossbar);
  } else if (flit.valid) {
    errors_.raise(ERR_TURNAROUND, now.slot, bit(p), Before::Crossbar);
  }
  return {};
}

void NodeModel::receive_flits(std::uint64_t forwarded) {
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
  raise_received(ERR_MISSING, missing);
  raise_received(ERR_CUT, cut);
  if (taken_ != 0) store(taken_);
}

/// The first port's window says the slot.
void NodeModel::raise_received(rtl::error_e error, std::uint64_t ports) {
  if (ports == 0) return;
  const SlotCycle& first = window(static_cast<Port>(std::countr_zero(ports)));
  errors_.raise(error, first.slot, ports, Before::Receiver);
}

void NodeModel::store(std::uint64_t taken) {
  const std::uint64_t overflow = exchange_ ? exchange(taken) : append(taken);
  stored_ = taken & ~overflow;
  raise_received(ERR_OVERFLOW, overflow);
}

/// The word that a single log takes in a cycle: that of the highest port that the entry names, or,
/// where links have stages, of the highest port that brings one.
std::uint32_t NodeModel::single_word(std::uint64_t taken) const {
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

/// Stores arrivals in their logs. Returns the ports whose word did not fit.
std::uint64_t NodeModel::append(std::uint64_t taken) {
  if (kind_.single_port) return logs_.append(0, single_word(taken)) ? 0 : taken;
  std::uint64_t overflow = 0;
  for (Port p = 0; p < kind_.ports; ++p) {
    if ((taken & bit(p)) && !logs_.append(p, inputs_[p].data)) overflow |= bit(p);
  }
  return overflow;
}

/// The same for an adaptive node. Its single log takes one word, at the OR of the addresses of all
/// that come.
std::uint64_t NodeModel::exchange(std::uint64_t taken) {
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

}  // namespace gossamer::model
