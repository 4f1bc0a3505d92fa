#include "switch_node.hpp"

#include <span>

namespace gossamer::systemc {
namespace {

using enum rtl::error_e;

std::uint64_t bit(Port p) { return std::uint64_t{1} << p; }
bool several(std::uint64_t ports) { return (ports & (ports - 1)) != 0; }

/// Outputs that send from the store.
std::uint64_t local_outputs(const SlotEntry& entry) {
  std::uint64_t ports = 0;
  for (Port p = 0; p < entry.select.size(); ++p) {
    if (entry.select[p] == select_local(p)) ports |= bit(p);
  }
  return ports;
}

/// Inputs that the crossbar takes.
std::uint64_t forwarded_inputs(const SlotEntry* entry) {
  std::uint64_t ports = 0;
  if (entry == nullptr) return ports;
  for (Port p = 0; p < entry->select.size(); ++p) {
    const Port from = entry->select[p];
    if (from != p && from < entry->select.size()) ports |= bit(from);
  }
  return ports;
}

/// Ports at which an entry asks for more than the model allows.
std::uint64_t beyond_limits(const SlotEntry& entry, const NodeKind& kind) {
  const std::uint64_t local = local_outputs(entry), receive = entry.receive;
  std::uint64_t ports = 0;
  if (kind.half_duplex) {
    std::uint64_t sends = 0;
    for (Port p = 0; p < kind.ports; ++p) {
      if (entry.select[p] != select_none(kind)) sends |= bit(p);
    }
    ports |= sends & (receive | forwarded_inputs(&entry));
  }
  if (kind.single_port) {
    if (several(local)) ports |= local;
    if (several(receive)) ports |= receive;
    if (kind.half_duplex && local != 0 && receive != 0) ports |= local | receive;
  }
  return ports;
}

const NodeProgram& program_of(const FabricImage& image, Node x) {
  return image.programs[image.program_of[x]];
}

std::span<const std::uint32_t> own_words(const FabricImage& image, Node x) {
  return {image.own_words.data() + image.own_begin[x], image.own_size(x)};
}

}  // namespace

SwitchNode::SwitchNode(const sc_core::sc_module_name& name, const FabricImage& image, Node x)
    : sc_module(name),
      rx("rx", image.kind.ports),
      tx("tx", image.kind.ports),
      kind_(image.kind),
      dead_(image.dead.empty() ? 0 : image.dead[x]),
      dead_after_(image.dead_after),
      player_(program_of(image, x).slots, kind_),
      lists_(program_of(image, x).channels.begin(), program_of(image, x).channels.end()),
      logs_(kind_, own_words(image, x), image.capacity),
      senders_(kind_.ports),
      receivers_(kind_.ports, Receiver(kind_.adaptive)),
      words_(kind_.ports),
      next_words_(kind_.ports),
      inputs_(kind_.ports) {
  if (kind_.adaptive) exchange_.emplace(image, x);
  SC_METHOD(cycle);
  sensitive << clk.pos();
  dont_initialize();
}

void SwitchNode::cycle() {
  if (start.read()) {
    begin();
    return;
  }
  for (Port p = 0; p < kind_.ports; ++p) inputs_[p] = rx[p].read();
  const SlotCycle reading = player_.now();
  read_words(reading, next_words_);
  const std::uint64_t driven = switch_flits(switching_);
  receive_flits(receiving_, forwarded_inputs(switching_.entry));
  errors_.end_cycle();

  player_.advance();
  words_.swap(next_words_);
  receiving_ = switching_;
  switching_ = reading;
  driven_ = driven;
  done_ = player_.ended() && !switching_.last && !receiving_.last;
  show();
}

void SwitchNode::show() {
  const SlotCycle& now = player_.now();
  const NodeError& error = errors_.told();
  shown_ = {now.entry == nullptr ? 0 : now.slot + 1, now.cycle, error.seen, error.first_code,
            error.seen == 0 ? 0 : error.first_slot + 1, error.first_port};
}

void SwitchNode::trace(sc_core::sc_trace_file* file, const std::string& scope) const {
  const auto add = [&](const std::uint32_t& value, const char* name, int width) {
    sc_core::sc_trace(file, value, scope + "." + name, width);
  };
  add(shown_.round, "round", rtl::SLOT_REPEAT_W);
  add(shown_.cycle, "cycle", rtl::SLOT_LEN_W);
  add(shown_.errors, "errors", rtl::ERROR_CODES);
  add(shown_.first_error, "first_error", 4);
  add(shown_.error_round, "error_round", rtl::SLOT_REPEAT_W);
  add(shown_.error_port, "error_port", 8);
}

void SwitchNode::begin() {
  player_.start();
  show();
  for (ReadList& list : lists_) list.start();
  if (exchange_) exchange_->start();
  errors_.clear();
  switching_ = receiving_ = {};
  done_ = false;
}

/// What an entry alone can do wrong is told in its first cycle.
void SwitchNode::check_entry(const SlotCycle& now) {
  if (player_.malformed()) errors_.raise(ERR_MALFORMED, now.slot, 0);
  if (now.entry->length < now.entry->stream) errors_.raise(ERR_CUT, now.slot, 0);
  if (const auto ports = beyond_limits(*now.entry, kind_)) {
    errors_.raise(ERR_LIMIT, now.slot, ports);
  }
}

void SwitchNode::read_words(const SlotCycle& now, Words& words) {
  if (now.first()) check_entry(now);
  const std::uint64_t local = now.reads() ? local_outputs(*now.entry) : 0;
  words.assign(kind_.ports, {});
  exchange_ ? read_offer(now, local, words) : read_streams(now, local, words);
  if (!now.last) return;
  for (ReadList& list : lists_) list.end_slot();
}

/// A word for every output that sends from the store; a node's only channel has the same for all.
void SwitchNode::read_streams(const SlotCycle& now, std::uint64_t outputs, Words& words) {
  for (unsigned c = 0; c < kind_.channels; ++c) {
    const std::uint64_t served = kind_.channels == 1 ? outputs : outputs & bit(c);
    if (served == 0) continue;
    const ReadList::Word word = lists_[c].next(now.reads_last());
    if (word.exhausted) errors_.raise(ERR_EXHAUSTED, now.slot, served);
    if (!word.valid) continue;
    if (!logs_.written(word.log, word.address)) errors_.raise(ERR_UNWRITTEN, now.slot, served);
    const Flit flit{true, word.last, logs_.read(word.log, word.address)};
    for (Port p = 0; p < kind_.ports; ++p) {
      if (served & bit(p)) words[p] = flit;
    }
  }
}

/// An adaptive node goes through its list in every slot, also where it only listens, and itself
/// decides which outputs send the word that it has come to. Every message is a stream.
void SwitchNode::read_offer(const SlotCycle& now, std::uint64_t outputs, Words& words) {
  const ReadList::Word here = lists_[0].pending();
  const ReadList::Word word = now.reads() ? lists_[0].next(false) : ReadList::Word{};
  if (word.exhausted && outputs != 0) errors_.raise(ERR_EXHAUSTED, now.slot, outputs);
  const std::uint64_t senders =
      exchange_->offer({here.address, here.same}, word.valid ? outputs : 0, now.slot);
  for (Port p = 0; p < kind_.ports; ++p) {
    if (senders & bit(p)) words[p] = {true, word.run_last, exchange_->read(now.slot)};
  }
}

/// Returns the ports on which the node drives the link in the next cycle.
std::uint64_t SwitchNode::switch_flits(const SlotCycle& now) {
  std::uint64_t driven = 0;
  for (Port p = 0; p < kind_.ports; ++p) {
    const bool silent = now.entry == nullptr || dead(p, now);
    const Port from = silent ? select_none(kind_) : now.entry->select[p];
    Flit flit;
    if (from == select_local(p)) {
      flit = words_[p];
    } else if (from < kind_.ports) {
      flit = inputs_[from];
    }
    const Flit sent = to_link(p, flit, now);
    if (sent.valid) driven |= bit(p);
    if (sent.valid || driven_ & bit(p)) tx[p].write(sent);
  }
  return driven;
}

/// Does a fault leave the output without a source?
bool SwitchNode::dead(Port p, const SlotCycle& now) const {
  return (dead_ & bit(p)) && now.slot >= dead_after_;
}

/// What of `flit` goes to the link. An end of a half-duplex link holds it back where the other end
/// drives.
Flit SwitchNode::to_link(Port p, const Flit& flit, const SlotCycle& now) {
  if (senders_[p].step(flit, now.last)) errors_.raise(ERR_CUT, now.slot, bit(p));
  if (!kind_.half_duplex || !inputs_[p].valid) return flit.valid ? flit : Flit{};
  if (driven_ & bit(p)) {
    errors_.raise(ERR_COLLISION, now.slot, bit(p));
  } else if (flit.valid) {
    errors_.raise(ERR_TURNAROUND, now.slot, bit(p));
  }
  return {};
}

void SwitchNode::receive_flits(const SlotCycle& now, std::uint64_t forwarded) {
  std::uint64_t taken = 0, unexpected = 0, missing = 0, cut = 0;
  for (Port p = 0; p < kind_.ports; ++p) {
    Flit flit = inputs_[p];
    if (kind_.half_duplex && driven_ & bit(p)) flit = {};
    const bool expects = now.entry != nullptr && now.entry->receive & bit(p);
    const Receiver::Verdict verdict =
        receivers_[p].step(flit, {now.first(), now.last, expects, (forwarded & bit(p)) != 0});
    if (verdict.take) taken |= bit(p);
    if (verdict.unexpected) unexpected |= bit(p);
    if (verdict.missing) missing |= bit(p);
    if (verdict.cut) cut |= bit(p);
  }
  if (unexpected != 0) errors_.raise(ERR_UNEXPECTED, now.slot, unexpected);
  if (missing != 0) errors_.raise(ERR_MISSING, now.slot, missing);
  if (cut != 0) errors_.raise(ERR_CUT, now.slot, cut);
  if (taken != 0) store(taken, now.slot);
}

void SwitchNode::store(std::uint64_t taken, std::uint32_t slot) {
  std::uint64_t overflow = 0;
  if (exchange_) {
    for (Port p = 0; p < kind_.ports; ++p) {
      if ((taken & bit(p)) && !exchange_->store(p, slot, inputs_[p].data)) overflow |= bit(p);
    }
  } else {
    overflow = append(taken);
  }
  if (overflow != 0) errors_.raise(ERR_OVERFLOW, slot, overflow);
}

/// Arrivals go to their logs. A single log takes one word a cycle: should a table want more, the
/// one of the highest port. Returns the ports for whose word there was no room.
std::uint64_t SwitchNode::append(std::uint64_t taken) {
  std::uint64_t overflow = 0;
  bool stored = false;
  for (Port p = kind_.ports; p-- > 0;) {
    if (!(taken & bit(p)) || (stored && kind_.single_port)) continue;
    stored = true;
    if (!logs_.append(p, inputs_[p].data)) overflow |= kind_.single_port ? taken : bit(p);
  }
  return overflow;
}

}  // namespace gossamer::systemc
