#include "fabric/node_program.hpp"

#include <bit>
#include <stdexcept>
#include <string>

namespace gossamer {
namespace {

unsigned select_bits(const NodeKind& kind) { return std::bit_width(kind.ports); }

void put(std::vector<std::uint32_t>& words, unsigned lsb, unsigned width, std::uint64_t value) {
  if (width > 64) throw std::logic_error("a table field of more than 64 bits");
  if (width < 64 && value >> width != 0) {
    throw std::overflow_error("table field at bit " + std::to_string(lsb) + " holds " +
                              std::to_string(width) + " bits, not " + std::to_string(value));
  }
  for (unsigned b = 0; b < width; ++b) {
    if (value >> b & 1) words[(lsb + b) / 32] |= std::uint32_t{1} << (lsb + b) % 32;
  }
}

std::uint64_t get(const std::vector<std::uint32_t>& words, unsigned lsb, unsigned width) {
  if (width > 64) throw std::logic_error("a table field of more than 64 bits");
  std::uint64_t value = 0;
  for (unsigned b = 0; b < width; ++b) {
    value |= std::uint64_t{words[(lsb + b) / 32] >> (lsb + b) % 32 & 1} << b;
  }
  return value;
}

std::uint32_t get32(const std::vector<std::uint32_t>& words, unsigned lsb, unsigned width) {
  return static_cast<std::uint32_t>(get(words, lsb, width));
}

/// The position of each number of an entry, for both directions.
template <class Entry>
struct Field {
  unsigned lsb, width;
  std::uint32_t Entry::*value;
};

constexpr Field<SlotEntry> kSlotFields[] = {
    {rtl::SLOT_REPEAT_LSB, rtl::SLOT_REPEAT_W, &SlotEntry::repeat},
};

constexpr Field<Segment> kSegmentFields[] = {
    {rtl::SEG_LOG_LSB, rtl::SEG_LOG_W, &Segment::log},
    {rtl::SEG_RUN_LSB, rtl::SEG_RUN_W, &Segment::run},
    {rtl::SEG_STRIDE_LSB, rtl::SEG_STRIDE_W, &Segment::stride},
    {rtl::SEG_COUNT_LSB, rtl::SEG_COUNT_W, &Segment::count},
};

/// A length. Wide nodes keep its upper bits elsewhere, in entries where no loop ends.
struct LengthField {
  unsigned lsb, width, high_lsb;
  std::uint32_t SlotEntry::*value;
};

constexpr LengthField kLengthFields[] = {
    {rtl::SLOT_LEN_LSB, rtl::SLOT_LEN_W, rtl::SLOT_LEN_HIGH_LSB, &SlotEntry::length},
    {rtl::SLOT_STREAM_LSB, rtl::SLOT_STREAM_W, rtl::SLOT_STREAM_HIGH_LSB, &SlotEntry::stream},
};

bool has_high_bits(const SlotEntry& e, const NodeKind& kind) { return kind.wide && !e.loop; }

unsigned select_lsb(const NodeKind& kind, Port p) {
  return rtl::SLOT_RECEIVE_LSB + kind.ports + p * select_bits(kind);
}

}  // namespace

std::uint32_t model_register(const NodeKind& kind) {
  const auto bit = [](bool is, unsigned at) { return std::uint32_t{is} << at; };
  return bit(kind.single_port, rtl::MODEL_SINGLE_PORT) |
         bit(kind.half_duplex, rtl::MODEL_HALF_DUPLEX) | bit(kind.adaptive, rtl::MODEL_ADAPTIVE) |
         bit(kind.one_cycle, rtl::MODEL_ONE_CYCLE) | bit(kind.in_order, rtl::MODEL_IN_ORDER);
}

unsigned slot_bits(const NodeKind& kind) {
  return rtl::SLOT_RECEIVE_LSB + kind.ports + kind.ports * select_bits(kind);
}

std::vector<std::uint32_t> encode(const SlotEntry& e, const NodeKind& kind) {
  std::vector<std::uint32_t> words((slot_bits(kind) + 31) / 32);
  for (const auto& f : kSlotFields) put(words, f.lsb, f.width, e.*f.value);
  for (const auto& f : kLengthFields) {
    const std::uint32_t value = e.*f.value;
    if (has_high_bits(e, kind)) {
      put(words, f.lsb, f.width, value & ((1u << f.width) - 1));
      put(words, f.high_lsb, rtl::SLOT_HIGH_W, value >> f.width);
    } else {
      put(words, f.lsb, f.width, value);
    }
  }
  if (!has_high_bits(e, kind)) put(words, rtl::SLOT_LOOPS_LSB, rtl::SLOT_LOOPS_W, e.loops);
  put(words, rtl::SLOT_BEGIN_LSB, 1, e.begins);
  put(words, rtl::SLOT_LOOP_LSB, 1, e.loop);
  put(words, rtl::SLOT_FINAL_LSB, 1, e.final);
  put(words, rtl::SLOT_RECEIVE_LSB, kind.ports, e.receive);
  for (Port p = 0; p < kind.ports; ++p) {
    put(words, select_lsb(kind, p), select_bits(kind), e.select[p]);
  }
  return words;
}

SlotEntry decode_slot(const std::vector<std::uint32_t>& words, const NodeKind& kind) {
  SlotEntry e;
  for (const auto& f : kSlotFields) e.*f.value = get32(words, f.lsb, f.width);
  e.begins = get(words, rtl::SLOT_BEGIN_LSB, 1) != 0;
  e.loop = get(words, rtl::SLOT_LOOP_LSB, 1) != 0;
  for (const auto& f : kLengthFields) {
    e.*f.value = get32(words, f.lsb, f.width);
    if (has_high_bits(e, kind)) e.*f.value |= get32(words, f.high_lsb, rtl::SLOT_HIGH_W) << f.width;
  }
  if (!has_high_bits(e, kind)) e.loops = get32(words, rtl::SLOT_LOOPS_LSB, rtl::SLOT_LOOPS_W);
  e.final = get(words, rtl::SLOT_FINAL_LSB, 1) != 0;
  e.receive = get(words, rtl::SLOT_RECEIVE_LSB, kind.ports);
  for (Port p = 0; p < kind.ports; ++p) {
    e.select.push_back(get32(words, select_lsb(kind, p), select_bits(kind)));
  }
  return e;
}

std::vector<std::uint32_t> encode(const Segment& s) {
  std::vector<std::uint32_t> words(rtl::SEG_W / 32);
  for (const auto& f : kSegmentFields) put(words, f.lsb, f.width, s.*f.value);
  put(words, rtl::SEG_BASE_LSB, rtl::SEG_BASE_W, s.base & ((1u << rtl::SEG_BASE_W) - 1));
  put(words, rtl::SEG_BASE_HIGH_LSB, rtl::SEG_BASE_HIGH_W, s.base >> rtl::SEG_BASE_W);
  put(words, rtl::SEG_STOP_LSB, 1, s.stop);
  put(words, rtl::SEG_SAME_LSB, 1, s.same);
  return words;
}

Segment decode_segment(const std::vector<std::uint32_t>& words) {
  Segment s;
  for (const auto& f : kSegmentFields) s.*f.value = get32(words, f.lsb, f.width);
  s.base = get32(words, rtl::SEG_BASE_LSB, rtl::SEG_BASE_W) |
           get32(words, rtl::SEG_BASE_HIGH_LSB, rtl::SEG_BASE_HIGH_W) << rtl::SEG_BASE_W;
  s.stop = get(words, rtl::SEG_STOP_LSB, 1) != 0;
  s.same = get(words, rtl::SEG_SAME_LSB, 1) != 0;
  return s;
}

}  // namespace gossamer
