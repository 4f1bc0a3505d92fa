#include "fabric/node_program.hpp"

#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

namespace gossamer {
namespace {

unsigned select_bits(const NodeKind& kind) {
  return kind.join ? kind.ports : static_cast<unsigned>(std::bit_width(kind.ports));
}

using Words = std::vector<std::uint32_t>;

void put(Words& words, const rtl::BitField& field, std::uint64_t value) {
  if (field.width > 64) throw std::logic_error("a table field of more than 64 bits");
  if (field.width < 64 && value >> field.width != 0) {
    throw std::overflow_error(std::string("table field ") + field.name + " holds " +
                              std::to_string(field.width) + " bits, not " + std::to_string(value));
  }
  for (unsigned b = 0; b < field.width; ++b) {
    if (value >> b & 1) words[(field.lsb + b) / 32] |= std::uint32_t{1} << (field.lsb + b) % 32;
  }
}

std::uint64_t get(const Words& words, const rtl::BitField& field) {
  if (field.width > 64) throw std::logic_error("a table field of more than 64 bits");
  std::uint64_t value = 0;
  for (unsigned b = 0; b < field.width; ++b) {
    value |= std::uint64_t{words[(field.lsb + b) / 32] >> (field.lsb + b) % 32 & 1} << b;
  }
  return value;
}

/// Makes the number of ones even; odd, if the parity is to be wrong.
void put_parity(Words& words, const rtl::BitField& field, bool bad) {
  int ones = bad;
  for (const std::uint32_t word : words) ones += std::popcount(word);
  put(words, field, ones % 2);
}

/// Writes the fields of an entry. One may have its upper bits elsewhere.
struct Put {
  Words& words;
  void operator()(const rtl::BitField& field, std::uint64_t value) const {
    put(words, field, value);
  }
  void operator()(const rtl::BitField& low, const rtl::BitField& high, std::uint32_t value) const {
    put(words, low, value & ((1u << low.width) - 1));
    put(words, high, value >> low.width);
  }
};
/// Reads them.
struct Get {
  const Words& words;
  template <class Number>
  void operator()(const rtl::BitField& field, Number& value) const {
    value = static_cast<Number>(get(words, field));
  }
  void operator()(const rtl::BitField& low, const rtl::BitField& high, std::uint32_t& value) const {
    value = static_cast<std::uint32_t>(get(words, low) | get(words, high) << low.width);
  }
};

static_assert(rtl::slot_high_t::bits == rtl::slot_t::loops.width);
constexpr rtl::BitField in_place_of_loops(const rtl::BitField& field) {
  return {rtl::slot_t::loops.lsb + field.lsb, field.width, field.name};
}

// What follows slot_t.
static_assert(rtl::slot_t::bits == rtl::SLOT_RECEIVE_LSB);

/// Every field of an entry, at its place.
template <class Entry, class Act>
void each_field(Entry& e, const NodeKind& kind, const Act& act) {
  using rtl::slot_t, rtl::slot_high_t;
  act(slot_t::begins_loop, e.begins);
  act(slot_t::ends_loop, e.loop);
  act(slot_t::ends_table, e.final);
  act(slot_t::repeats, e.repeat);
  act(slot_t::op, e.op);
  // Wide nodes keep the upper bits of lengths in entries where no loop ends.
  if (kind.wide && !e.loop) {
    act(slot_t::length, in_place_of_loops(slot_high_t::length), e.length);
    act(slot_t::stream, in_place_of_loops(slot_high_t::stream), e.stream);
  } else {
    act(slot_t::length, e.length);
    act(slot_t::stream, e.stream);
    act(slot_t::loops, e.loops);
  }
  unsigned lsb = rtl::SLOT_RECEIVE_LSB;
  const auto next = [&](unsigned width, const char* name) {
    return rtl::BitField{std::exchange(lsb, lsb + width), width, name};
  };
  act(next(kind.ports, "receive"), e.receive);
  act(next(kind.join ? kind.ports : 0, "stores"), e.stores);
  for (Port p = 0; p < kind.ports; ++p) act(next(select_bits(kind), "select"), e.select[p]);
}
template <class Entry, class Act>
void each_field_of_list(Entry& s, const NodeKind& kind, const Act& act) {
  using rtl::segment_t, rtl::flat_t;
  if (kind.flat) {
    act(flat_t::base, s.base);
    act(flat_t::log, s.log);
    act(flat_t::stop, s.stop);
    act(flat_t::stride, s.stride);
    act(flat_t::count, s.count);
    return;
  }
  act(segment_t::log, s.log);
  act(segment_t::run, s.run);
  act(segment_t::stride, s.stride);
  act(segment_t::count, s.count);
  act(segment_t::base, segment_t::base_high, s.base);
  act(segment_t::stop, s.stop);
  act(segment_t::same, s.same);
}

rtl::BitField parity_of_list(const NodeKind& kind) {
  return kind.flat ? rtl::flat_t::parity : rtl::segment_t::parity;
}

}  // namespace

NodeKind NodeKind::with_ports(Port n) const {
  NodeKind same = *this;
  same.ports = n;
  if (channels > 1) same.channels = n;
  same.single_port = single_port || n == 1;
  return same;
}

std::uint32_t model_register(const NodeKind& kind) {
  std::uint32_t model = 0;
  for (const NodeParameter& p : kNodeParameters) {
    if (p.bits != 0) model |= std::uint32_t{kind.*p.value} << p.lsb;
  }
  return model;
}

unsigned slot_bits(const NodeKind& kind) {
  return rtl::SLOT_RECEIVE_LSB + kind.ports * ((kind.join ? 2 : 1) + select_bits(kind));
}

Words encode(const SlotEntry& e, const NodeKind& kind) {
  Words words((slot_bits(kind) + 31) / 32);
  each_field(e, kind, Put{words});
  put_parity(words, rtl::slot_t::parity, e.bad_parity);
  return words;
}

Words encode(const Segment& s, const NodeKind& kind) {
  static_assert(rtl::segment_t::bits == rtl::SEG_W);
  Words words((kind.flat ? rtl::flat_t::bits : rtl::SEG_W) / 32);
  each_field_of_list(s, kind, Put{words});
  put_parity(words, parity_of_list(kind), s.bad_parity);
  return words;
}

void write_program(const NodeProgram& program, const NodeKind& kind, const WriteWords& write,
                   std::uint32_t entry, std::uint32_t segment) {
  for (const SlotEntry& e : program.slots) {
    write(rtl::CFG_SLOTS, entry++ << rtl::CFG_SLOT_LSB, encode(e, kind));
  }
  write(rtl::CFG_SLOTS, entry << rtl::CFG_SLOT_LSB, Words((slot_bits(kind) + 31) / 32));
  for (std::uint32_t c = 0; c < kind.channels; ++c) {
    std::uint32_t address = c << rtl::CFG_CHANNEL_LSB | segment << rtl::CFG_SEG_LSB;
    for (const Segment& s : program.channels[c]) {
      write(rtl::CFG_LISTS, address, encode(s, kind));
      address += 1u << rtl::CFG_SEG_LSB;
    }
    write(rtl::CFG_LISTS, address, encode(Segment{.count = 0}, kind));
  }
}

SlotEntry decode_slot(const Words& words, const NodeKind& kind) {
  SlotEntry e;
  e.select.resize(kind.ports);
  each_field(e, kind, Get{words});
  e.bad_parity = get(words, rtl::slot_t::parity) != get(encode(e, kind), rtl::slot_t::parity);
  return e;
}

Segment decode_segment(const Words& words, const NodeKind& kind) {
  Segment s{.run = 1};  // of a flat list
  each_field_of_list(s, kind, Get{words});
  s.bad_parity = get(words, parity_of_list(kind)) != get(encode(s, kind), parity_of_list(kind));
  return s;
}

}  // namespace gossamer
