#include "fabric/node_program.hpp"

#include <bit>
#include <stdexcept>
#include <string>

namespace gossamer {
namespace {

unsigned select_bits(const NodeKind& kind) {
  return kind.join ? kind.ports : static_cast<unsigned>(std::bit_width(kind.ports));
}
/// Bits before the selects.
unsigned selects(const NodeKind& kind) {
  return rtl::SLOT_RECEIVE_LSB + (kind.join ? 2 : 1) * kind.ports;
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

std::uint32_t get32(const Words& words, const rtl::BitField& field) {
  return static_cast<std::uint32_t>(get(words, field));
}

/// Makes the number of ones even; odd, if the parity is to be wrong.
void put_parity(Words& words, const rtl::BitField& field, bool bad) {
  int ones = bad;
  for (const std::uint32_t word : words) ones += std::popcount(word);
  put(words, field, ones % 2);
}

/// The position of each number of an entry, for both directions.
template <class Entry>
struct Field {
  rtl::BitField bits;
  std::uint32_t Entry::*value;
};

constexpr Field<SlotEntry> kSlotFields[] = {
    {rtl::slot_t::repeats, &SlotEntry::repeat},
    {rtl::slot_t::op, &SlotEntry::op},
};

constexpr Field<Segment> kSegmentFields[] = {
    {rtl::segment_t::log, &Segment::log},
    {rtl::segment_t::run, &Segment::run},
    {rtl::segment_t::stride, &Segment::stride},
    {rtl::segment_t::count, &Segment::count},
};

/// A length. Wide nodes keep its upper bits elsewhere, in entries where no loop ends.
struct LengthField {
  rtl::BitField bits, high;
  std::uint32_t SlotEntry::*value;
};

static_assert(rtl::slot_high_t::bits == rtl::slot_t::loops.width);
constexpr rtl::BitField in_place_of_loops(const rtl::BitField& field) {
  return {rtl::slot_t::loops.lsb + field.lsb, field.width, field.name};
}

constexpr LengthField kLengthFields[] = {
    {rtl::slot_t::length, in_place_of_loops(rtl::slot_high_t::length), &SlotEntry::length},
    {rtl::slot_t::stream, in_place_of_loops(rtl::slot_high_t::stream), &SlotEntry::stream},
};

bool has_high_bits(const SlotEntry& e, const NodeKind& kind) { return kind.wide && !e.loop; }

// What follows slot_t.
static_assert(rtl::slot_t::bits == rtl::SLOT_RECEIVE_LSB);

rtl::BitField receive_field(const NodeKind& kind) {
  return {rtl::SLOT_RECEIVE_LSB, kind.ports, "receive"};
}

rtl::BitField stores_field(const NodeKind& kind) {
  return {rtl::SLOT_RECEIVE_LSB + kind.ports, kind.join ? kind.ports : 0, "stores"};
}

rtl::BitField select_field(const NodeKind& kind, Port p) {
  return {selects(kind) + p * select_bits(kind), select_bits(kind), "select"};
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

unsigned slot_bits(const NodeKind& kind) { return selects(kind) + kind.ports * select_bits(kind); }

Words encode(const SlotEntry& e, const NodeKind& kind) {
  Words words((slot_bits(kind) + 31) / 32);
  for (const auto& f : kSlotFields) put(words, f.bits, e.*f.value);
  for (const auto& f : kLengthFields) {
    const std::uint32_t value = e.*f.value;
    if (has_high_bits(e, kind)) {
      put(words, f.bits, value & ((1u << f.bits.width) - 1));
      put(words, f.high, value >> f.bits.width);
    } else {
      put(words, f.bits, value);
    }
  }
  if (!has_high_bits(e, kind)) put(words, rtl::slot_t::loops, e.loops);
  put(words, rtl::slot_t::begins_loop, e.begins);
  put(words, rtl::slot_t::ends_loop, e.loop);
  put(words, rtl::slot_t::ends_table, e.final);
  put(words, receive_field(kind), e.receive);
  put(words, stores_field(kind), e.stores);
  for (Port p = 0; p < kind.ports; ++p) put(words, select_field(kind, p), e.select[p]);
  put_parity(words, rtl::slot_t::parity, e.bad_parity);
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
  for (const auto& f : kSlotFields) e.*f.value = get32(words, f.bits);
  e.begins = get(words, rtl::slot_t::begins_loop) != 0;
  e.loop = get(words, rtl::slot_t::ends_loop) != 0;
  for (const auto& f : kLengthFields) {
    e.*f.value = get32(words, f.bits);
    if (has_high_bits(e, kind)) e.*f.value |= get32(words, f.high) << f.bits.width;
  }
  if (!has_high_bits(e, kind)) e.loops = get32(words, rtl::slot_t::loops);
  e.final = get(words, rtl::slot_t::ends_table) != 0;
  e.receive = get(words, receive_field(kind));
  e.stores = get(words, stores_field(kind));
  for (Port p = 0; p < kind.ports; ++p) e.select.push_back(get32(words, select_field(kind, p)));
  e.bad_parity = get(words, rtl::slot_t::parity) != get(encode(e, kind), rtl::slot_t::parity);
  return e;
}

Words encode(const Segment& s) {
  constexpr rtl::BitField kBase = rtl::segment_t::base;
  static_assert(rtl::segment_t::bits == rtl::SEG_W);
  Words words(rtl::SEG_W / 32);
  for (const auto& f : kSegmentFields) put(words, f.bits, s.*f.value);
  put(words, kBase, s.base & ((1u << kBase.width) - 1));
  put(words, rtl::segment_t::base_high, s.base >> kBase.width);
  put(words, rtl::segment_t::stop, s.stop);
  put(words, rtl::segment_t::same, s.same);
  put_parity(words, rtl::segment_t::parity, s.bad_parity);
  return words;
}

Words encode(const Segment& s, const NodeKind& kind) {
  if (!kind.flat) return encode(s);
  Words words(rtl::flat_t::bits / 32);
  put(words, rtl::flat_t::base, s.base);
  put(words, rtl::flat_t::log, s.log);
  put(words, rtl::flat_t::stop, s.stop);
  put(words, rtl::flat_t::stride, s.stride);
  put(words, rtl::flat_t::count, s.count);
  put_parity(words, rtl::flat_t::parity, s.bad_parity);
  return words;
}

Segment decode_segment(const Words& words, const NodeKind& kind) {
  if (!kind.flat) return decode_segment(words);
  Segment s{.log = get32(words, rtl::flat_t::log),
            .base = get32(words, rtl::flat_t::base),
            .run = 1,
            .stride = get32(words, rtl::flat_t::stride),
            .count = get32(words, rtl::flat_t::count),
            .stop = get(words, rtl::flat_t::stop) != 0};
  s.bad_parity = get(words, rtl::flat_t::parity) != get(encode(s, kind), rtl::flat_t::parity);
  return s;
}

Segment decode_segment(const Words& words) {
  Segment s;
  for (const auto& f : kSegmentFields) s.*f.value = get32(words, f.bits);
  s.base = get32(words, rtl::segment_t::base) | get32(words, rtl::segment_t::base_high)
                                                    << rtl::segment_t::base.width;
  s.stop = get(words, rtl::segment_t::stop) != 0;
  s.same = get(words, rtl::segment_t::same) != 0;
  s.bad_parity = get(words, rtl::segment_t::parity) != get(encode(s), rtl::segment_t::parity);
  return s;
}

}  // namespace gossamer
