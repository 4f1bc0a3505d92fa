#include "tables/axi_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/error.hpp"

namespace gossamer {
namespace {

constexpr std::uint32_t kPolynomial = 0xEDB88320;  // CRC-32, the least significant bit first

std::uint32_t crc_step(std::uint32_t crc, std::uint32_t word) {
  crc ^= word;
  for (int b = 0; b < 32; ++b) crc = crc >> 1 ^ (crc & 1 ? kPolynomial : 0);
  return crc;
}

/// Appends all writes to a node's memories to `writes`.
class Writer {
 public:
  Writer(std::vector<AxiWrite>& writes, Node node, bool to_all, unsigned index_w)
      : writes_(writes), node_(node), to_all_(to_all), index_w_(index_w) {}

  void write(unsigned region, std::uint32_t address, const std::vector<std::uint32_t>& words) {
    const std::uint64_t last = address + words.size() - 1;
    const bool list = region == rtl::CFG_LISTS;
    const std::uint64_t index = list ? last & ((1u << rtl::CFG_LOG_LSB) - 1) : last;
    if (index >> (list ? index_w_ : index_w_ + rtl::AXI_PART_W) != 0) {
      throw InputError(
          fmt::format("node {}: its {} are too long for AXI addresses with an index of "
                      "{} bits",
                      node_, list ? "segment lists" : "slots", index_w_));
    }
    if (to_all_) region = list ? rtl::AXI_ALL_LISTS : rtl::AXI_ALL_SLOTS;
    for (const std::uint32_t word : words) {
      writes_.push_back({axi_address(node_, region, address++, index_w_), word});
    }
  }

 private:
  std::vector<AxiWrite>& writes_;
  const Node node_;
  const bool to_all_;
  const unsigned index_w_;
};

void write_program(Writer& writer, const NodeProgram& program, const NodeKind& kind) {
  std::uint32_t entry = 0;
  for (const SlotEntry& e : program.slots) {
    writer.write(rtl::CFG_SLOTS, entry++ << rtl::CFG_SLOT_LSB, encode(e, kind));
  }
  writer.write(rtl::CFG_SLOTS, entry << rtl::CFG_SLOT_LSB,
               std::vector<std::uint32_t>((slot_bits(kind) + 31) / 32));
  for (std::uint32_t c = 0; c < kind.channels; ++c) {
    std::uint32_t address = c << rtl::CFG_CHANNEL_LSB;
    for (const Segment& s : program.channels[c]) {
      writer.write(rtl::CFG_LISTS, address, encode(s));
      address += 1u << rtl::CFG_SEG_LSB;
    }
    writer.write(rtl::CFG_LISTS, address, std::vector<std::uint32_t>(rtl::SEG_W / 32));
  }
}

bool all_equal(std::span<const std::uint32_t> numbers) {
  return numbers.size() > 1 && std::ranges::count(numbers, numbers[0]) == std::ssize(numbers);
}

}  // namespace

unsigned axi_index_w(const NodeDepths& depths) {
  unsigned bits = rtl::AXI_INDEX_W;
  while (std::max(depths.words, depths.segments << rtl::CFG_SEG_LSB) > 1u << bits ||
         depths.slots << rtl::CFG_SLOT_LSB > 1u << (bits + rtl::AXI_PART_W)) {
    ++bits;
  }
  return bits;
}

std::vector<AxiWrite> axi_table_writes(const FabricImage& image, const NodeBuild& build,
                                       std::span<const std::uint32_t> packets, unsigned index_w) {
  check_fits(image, build);
  std::vector<AxiWrite> writes;
  const bool one = all_equal(image.program_of), same = all_equal(packets);
  for (Node x = 0; x < (one ? 1 : image.topology.nodes()); ++x) {
    Writer writer(writes, x, one, index_w);
    write_program(writer, image.programs[image.program_of[x]], image.kind);
  }
  for (Node x = 0; x < (same ? 1 : packets.size()); ++x) {
    const unsigned region = same ? rtl::AXI_ALL_PACKETS : rtl::AXI_PACKET;
    writes.push_back({axi_address(x, region, 0, index_w), packets[x]});
  }
  return writes;
}

std::uint32_t axi_checksum(std::span<const AxiWrite> writes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const AxiWrite& w : writes) {
    crc = crc_step(crc_step(crc, static_cast<std::uint32_t>(w.address)), w.data);
  }
  return ~crc;
}

}  // namespace gossamer
