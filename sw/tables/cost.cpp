#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "support/words.hpp"
#include "tables/node_build.hpp"

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

/// A word of which rtl/node/node_table.sv stores so many bits, in bytes of 9.
void add_bytes(Memory& m, unsigned bits) {
  for (; bits > 0; bits -= std::min(bits, 9u)) m.used.push_back(ones(std::min(bits, 9u)));
}

/// Slot table, segment lists, logs, own words.
std::array<Memory, 4> memories(const NodeBuild& build, bool over_axi) {
  const auto bits_of = [](std::uint32_t n) { return static_cast<unsigned>(std::bit_width(n)); };
  const auto& [kind, depths, flit_bits, length, count, messages, stages] = build;
  const unsigned address = bits_of(depths.words), log = bits_of(kind.ports);
  const std::uint64_t banks = over_axi ? 2 : 1;
  Memory slots{.depth = banks * depths.slots, .used = {}};
  unsigned bits = slot_bits(kind);
  if (over_axi && (length < rtl::SLOT_LEN_W || count < rtl::SLOT_REPEAT_W)) {
    slots.column = 9;
    for (int i = 0; i < 2; ++i) add_bytes(slots, length + 8 + (length < rtl::SLOT_LEN_W));
    add_bytes(slots, count + (count > 8 ? count - 8 : 0) + (count < rtl::SLOT_REPEAT_W));
    bits -= rtl::SLOT_RECEIVE_LSB;
    for (; bits > 0; bits -= std::min(bits, 32u)) add_bytes(slots, std::min(bits, 32u));
  }
  for (; bits > 0; bits -= std::min(bits, 32u)) slots.used.push_back(ones(std::min(bits, 32u)));
  Memory lists{
      .depth = banks * depths.segments, .copies = kind.in_order ? 0 : kind.channels, .used = {}};
  if (over_axi) {  // rtl/node/node_table.sv stores nothing else
    lists.column = address + (kind.flat ? 8 : log + 2);
    lists.used = {ones(address + log + 2), ones(address), ones(address), ones(address + 1)};
    if (kind.flat) lists.used = {ones(address + log + 2), ones(address + 8)};
  } else {
    const std::uint32_t first = ones(address) | ones(log) << 24 | 3u << 30;
    lists.used = {first, ones(address), ones(address), ones(address) | 1u << 31};
    if (kind.flat) lists.used = {first, ones(address) | ones(8) << 24};
  }
  Memory logs{.depth = depths.words, .copies = 0, .used = {ones(32)}};
  Memory own{.depth = build.own_depth(), .copies = 0, .used = {ones(32)}};
  for (unsigned i = 0; i < kind.channels * (kind.own_log() + 1); ++i) {
    if (i < depths.shared.size() && depths.shared[i] != 0) continue;
    ++(i < kind.channels * kind.logs() ? logs : own).copies;
  }
  return {slots, lists, logs, own};
}

/// Fitted to what Yosys makes of 29 nodes for the iCE40 (docs/hardware/fpga.md has its errors).
std::uint64_t luts(const NodeBuild& build, bool over_axi) {
  const NodeKind& kind = build.kind;
  const NodeDepths& depths = build.depths;
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
  luts -=
      3 * (rtl::SLOT_LEN_W - build.length_bits) + 5 * (rtl::SLOT_REPEAT_W - build.count_bits) / 2;
  if (kind.flat) luts -= 6 * kind.channels * address;
  const auto shared = std::ranges::count_if(depths.shared, [](auto home) { return home != 0; });
  luts += static_cast<std::uint64_t>(shared) * address * 5 / 2;
  return luts;
}

}  // namespace

NodeCost cost_of(const NodeBuild& build, bool over_axi) {
  NodeCost cost;
  for (const Memory& m : memories(build, over_axi)) {
    cost.bits += groups(m, 1) * m.depth * m.copies;
    cost.blocks_4k += blocks_4k(m);
    if (tiny(m)) cost.luts += 3 * groups(m, 1) * m.depth * m.copies / 5;
    cost.blocks_18k += blocks_18k(m);
  }
  cost.luts += luts(build, over_axi);
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

std::string to_string(const NodeCost& node, Node nodes, const NodeCost* tight) {
  std::string text =
      fmt::format("{:<14} {:>12} {:>11} {:>11} {:>13} {:>11} {:>10}\n", "cost", "memory bits",
                  "iCE40 RAMs", "ECP5 RAMs", "Xilinx 36 kb", "Intel M20K", "some LUT4");
  const auto add = [&](const NodeCost& of, const char* how) {
    for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{nodes}}) {
      text += fmt::format("{:<14} {:>12} {:>11} {:>11} {:>13} {:>11} {:>10}\n",
                          (n == 1 ? "a node" : fmt::format("{} nodes", n)) + how,
                          grouped(n * of.bits), grouped(n * of.blocks_4k),
                          grouped(n * of.blocks_18k), grouped(ceil_of(n * of.blocks_18k, 2)),
                          grouped(n * of.blocks_18k), grouped(n * of.luts));
    }
  };
  add(node, "");
  if (tight != nullptr) add(*tight, ", tight");
  return text;
}

}  // namespace gossamer
