#include "tables/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "support/words.hpp"

namespace gossamer {
namespace {

/// A memory of rtl/node/ram_1r1w.sv.
struct Memory {
  std::uint64_t depth = 0, copies = 1;
  unsigned column = 32;             ///< bits that are written together; in them ...
  std::vector<std::uint32_t> used;  ///< ... those that a node uses, column by column
};

std::uint64_t ceil_of(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint32_t ones(unsigned bits) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
}

/// Groups of so many neighbouring bits of which one is used.
std::uint64_t groups(const Memory& m, unsigned width) {
  std::set<unsigned> found;
  for (unsigned c = 0; c < m.used.size(); ++c) {
    for (unsigned b = 0; b < m.column; ++b) {
      if (m.used[c] >> b & 1) found.insert((c * m.column + b) / width);
    }
  }
  return found.size();
}

/// Yosys makes them of flip-flops.
bool tiny(const Memory& m) { return m.depth <= 4; }

std::uint64_t blocks_4k(const Memory& m) {
  if (tiny(m)) return 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (unsigned width = 16; width >= 2; width /= 2) {
    least = std::min(least, groups(m, width) * ceil_of(m.depth, 4096 / width));
  }
  return least * m.copies;
}

/// In bytes of 9 bits, which are written together.
std::uint64_t blocks_18k(const Memory& m) {
  const std::uint64_t bytes = m.used.size() * ceil_of(m.column, 9);
  std::uint64_t least = ~std::uint64_t{0};
  for (unsigned width = 4; width >= 1; width /= 2) {
    least = std::min(least, ceil_of(bytes, width) * ceil_of(m.depth, 2048 / width));
  }
  return least * m.copies;
}

/// Slot table, segment lists, message store.
std::array<Memory, 3> memories(const NodeKind& kind, const NodeDepths& depths, bool over_axi) {
  const auto bits_of = [](std::uint32_t n) { return static_cast<unsigned>(std::bit_width(n)); };
  const unsigned address = bits_of(depths.words), log = bits_of(kind.ports);
  const std::uint64_t banks = over_axi ? 2 : 1;
  Memory slots{.depth = banks * depths.slots, .used = {}};
  for (unsigned bits = slot_bits(kind); bits > 0; bits -= std::min(bits, 32u)) {
    slots.used.push_back(ones(std::min(bits, 32u)));
  }
  Memory lists{
      .depth = banks * depths.segments, .copies = kind.in_order ? 0 : kind.channels, .used = {}};
  if (over_axi) {  // rtl/node/node_table.sv stores nothing else
    lists.column = address + log + 2;
    lists.used = {ones(lists.column), ones(address), ones(address), ones(address + 1)};
  } else {
    lists.used = {ones(address) | ones(log) << 24 | 3u << 30, ones(address), ones(address),
                  ones(address) | 1u << 31};
  }
  const Memory store{.depth = depths.words,
                     .copies = std::uint64_t{kind.channels} * (kind.own_log() + 1),
                     .used = {ones(32)}};
  return {slots, lists, store};
}

/// Fitted to what Yosys makes of 29 nodes for the iCE40 (docs/hardware/fpga.md has its errors).
std::uint64_t luts(const NodeKind& kind, const NodeDepths& depths, bool over_axi) {
  const std::uint64_t ports = kind.ports,
                      address = static_cast<unsigned>(std::bit_width(depths.words));
  const std::uint64_t reads = std::uint64_t{kind.channels} * (kind.own_log() + 1);
  std::uint64_t luts =
      700 + 34 * ports * ports - 52 * ports + 6 * kind.channels * kind.logs() * address;
  luts += 18 * reads * ((depths.words - 1) / 2048);  // which block a word comes from
  if (kind.join) luts += kind.all_ops ? 102 * ports * ports : 73 * ports;
  if (kind.half_duplex && kind.channels > 1) luts += 60 * ports;
  if (kind.one_cycle && kind.in_order) luts = luts * 3 / 4;
  if (over_axi) luts += 200 + 14 * address;
  return luts;
}

}  // namespace

NodeCost cost_of(const NodeKind& kind, const NodeDepths& depths, bool over_axi) {
  NodeCost cost;
  for (const Memory& m : memories(kind, depths, over_axi)) {
    cost.bits += groups(m, 1) * m.depth * m.copies;
    cost.blocks_4k += blocks_4k(m);
    if (tiny(m)) cost.luts += 3 * groups(m, 1) * m.depth * m.copies / 5;
    cost.blocks_18k += blocks_18k(m);
  }
  cost.luts += luts(kind, depths, over_axi);
  return cost;
}

nlohmann::ordered_json json_of(const NodeCost& node, Node nodes) {
  return {{"nodes", nodes},
          {"memory_bits", node.bits},
          {"ice40_block_rams", node.blocks_4k},
          {"ecp5_block_rams", node.blocks_18k},
          {"xilinx_block_rams", static_cast<double>(node.blocks_18k) / 2},
          {"intel_m20k", node.blocks_18k},
          {"lut4", node.luts}};
}

std::string to_string(const NodeCost& node, Node nodes) {
  std::string text =
      fmt::format("{:<14} {:>12} {:>11} {:>11} {:>13} {:>11} {:>10}\n", "cost", "memory bits",
                  "iCE40 RAMs", "ECP5 RAMs", "Xilinx 36 kb", "Intel M20K", "some LUT4");
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{nodes}}) {
    text += fmt::format("{:<14} {:>12} {:>11} {:>11} {:>13} {:>11} {:>10}\n",
                        n == 1 ? "a node" : fmt::format("{} nodes", n), grouped(n * node.bits),
                        grouped(n * node.blocks_4k), grouped(n * node.blocks_18k),
                        grouped(ceil_of(n * node.blocks_18k, 2)), grouped(n * node.blocks_18k),
                        grouped(n * node.luts));
  }
  return text;
}

}  // namespace gossamer
