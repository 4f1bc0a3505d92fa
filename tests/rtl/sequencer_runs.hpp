#pragma once

#include <fmt/format.h>

#include "block.hpp"
#include "catch.hpp"
#include "fabric/node_program.hpp"

namespace gossamer::test {

/// The sequencers under test (blocks.mk) have four ports.
inline constexpr Port kPorts = 4;
inline const NodeKind kKind{kPorts, false, false, 1};

/// The sequencer's outputs in one cycle.
struct Cycle {
  bool read = false;
  unsigned local = 0;
  bool last = false;  ///< of interest only while a word is read
  bool close = false;
  unsigned select = 0, forward = 0;
  bool tx_close = false;
  unsigned expect = 0;
  bool rx_open_next = false, rx_close = false;
  unsigned rx_begin_next = 0;
  std::uint32_t slot = 0;
  bool done = false, malformed = false, parity = false, cut = false;
  unsigned limit = 0;

  std::string text() const {
    return fmt::format(
        "{} local {:04b}{} {} | select {:03x} forward {:04b} {} | expect {:04b} {} {:04b} {} | "
        "slot {} {} "
        "{} "
        "{}{} limit {:04b}",
        read ? "read" : "-", local, read && last ? " last" : "", close ? "close" : "-", select,
        forward, tx_close ? "close" : "-", expect, rx_open_next ? "opens" : "-", rx_begin_next,
        rx_close ? "close" : "-", slot, done ? "done" : "-", malformed ? "malformed" : "-",
        parity ? " parity" : "", cut ? "cut" : "-", limit);
  }
};

/// Runs a table for some cycles, from the start pulse on. There are more start pulses after that
/// one, which must change nothing.
template <class Model>
class Sequencer {
 public:
  explicit Sequencer(std::uint32_t seed, const NodeKind& kind = kKind)
      : block_(seed), random_(seed), kind_(kind) {
    fail(0, 0);
  }

  /// These outputs transmit nothing after so many slots.
  void fail(unsigned outputs, std::uint32_t after) {
    block_->dead_i = outputs;
    block_->dead_after_i = after;
  }

  std::vector<Cycle> run(const std::vector<SlotEntry>& table, std::size_t cycles) {
    table_.clear();
    for (const SlotEntry& e : table) table_.push_back(encode(e, kind_));
    block_->start_i = 0;
    block_.reset_with([this] { clock(); });
    std::vector<Cycle> seen;
    for (std::size_t t = 0; t < cycles; ++t) {
      block_->start_i = t == 0 || random_.chance(30);
      block_.settle();
      seen.push_back(look());
      clock();
    }
    return seen;
  }

 private:
  /// A clock edge; the table's memory takes the address.
  void clock() {
    block_.settle();
    const bool enable = block_->slot_en_o;
    const std::size_t address = block_->slot_addr_o;
    block_.edge();
    if (!enable) return;
    const auto entry = address < table_.size() ? table_[address] : std::vector<std::uint32_t>(4);
    std::copy(entry.begin(), entry.end(), tb::words(block_->slot_data_i));
  }

  Cycle look() {
    Cycle c;
    c.read = block_->read_o;
    c.local = block_->local_o;
    c.last = block_->stream_last_o;
    c.close = block_->slot_close_o;
    for (Port o = 0; o < kPorts; ++o) {  // all codes from PORTS on mean nothing
      c.select |= std::min(block_->select_o >> 3 * o & 7u, unsigned{kPorts}) << 3 * o;
    }
    c.forward = block_->forward_o;
    c.tx_close = block_->tx_close_o;
    c.expect = block_->expect_o;
    c.rx_open_next = block_->rx_open_next_o;
    c.rx_begin_next = block_->rx_begin_next_o;
    c.rx_close = block_->rx_close_o;
    c.slot = block_->slot_o;
    c.done = block_->done_o;
    c.malformed = block_->malformed_o;
    c.parity = block_->parity_o;
    c.cut = block_->cut_o;
    c.limit = block_->limit_o;
    return c;
  }

  Block<Model> block_;
  Random random_;
  NodeKind kind_;
  std::vector<std::vector<std::uint32_t>> table_;
};

inline unsigned select_bits(const SlotEntry& e) {
  unsigned bits = 0;
  for (Port o = 0; o < kPorts; ++o) bits |= e.select[o] << (3 * o);
  return bits;
}
inline unsigned local_outputs(const SlotEntry& e) {
  unsigned outputs = 0;
  for (Port o = 0; o < kPorts; ++o) outputs |= (e.select[o] == o) << o;
  return outputs;
}
inline unsigned forwarded_inputs(const SlotEntry& e) {
  unsigned inputs = 0;
  for (Port o = 0; o < kPorts; ++o) {
    if (e.select[o] != o && e.select[o] < kPorts) inputs |= 1u << e.select[o];
  }
  return inputs;
}

/// The expected outputs for a list of slots, cycle by cycle from the start pulse on: reads in the
/// slot's own cycles, the select one cycle later, the receive window two cycles later. Adaptive
/// nodes read through the whole stream, others only if an output sends the words.
inline std::vector<Cycle> expected(const std::vector<SlotEntry>& slots, std::size_t tail,
                                   bool adaptive = false, bool one_cycle = false) {
  std::size_t length = rtl::TIME_START;
  for (const SlotEntry& e : slots) length += e.length;
  std::vector<Cycle> cycles(length + tail);
  const SlotEntry nothing{.select = std::vector<Port>(kPorts, kPorts)};
  for (Cycle& c : cycles) c.select = select_bits(nothing);

  std::size_t begin = rtl::TIME_START;
  for (const SlotEntry& e : slots) {
    const std::size_t end = begin + e.length;
    for (std::size_t t = begin; t < end; ++t) {
      if (t - begin < e.stream) {
        cycles[t].local = local_outputs(e);
        cycles[t].read = adaptive || cycles[t].local != 0;
      }
      cycles[t].last = t - begin + 1 == e.stream;
      cycles[t + 1].select = select_bits(e);
      cycles[t + 1].forward = forwarded_inputs(e);
      cycles[t + 2].expect = static_cast<unsigned>(e.receive);
    }
    cycles[end - 1].close = true;
    cycles[end].tx_close = true;
    cycles[begin + 1].rx_open_next = true;
    cycles[begin + 1].rx_begin_next = cycles[begin + 2].expect;
    cycles[end + 1].rx_close = true;
    for (std::size_t t = end; t < cycles.size(); ++t) ++cycles[t].slot;
    begin = end;
  }
  // Done once the last receive window has closed, and its errors have been counted.
  for (std::size_t t = begin + (one_cycle ? 2 : 4); t < cycles.size(); ++t) cycles[t].done = true;
  return cycles;
}

inline void compare(const std::vector<Cycle>& seen, const std::vector<Cycle>& wanted) {
  for (std::size_t t = 0; t < wanted.size(); ++t) {
    CAPTURE(t);
    REQUIRE(seen[t].text() == wanted[t].text());
  }
}

inline SlotEntry slot(std::uint32_t length, std::uint32_t stream = 0) {
  SlotEntry e;
  e.length = length;
  e.stream = stream;
  e.select.assign(kPorts, kPorts);
  return e;
}

}  // namespace gossamer::test
