#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "export/export.hpp"
#include "fabric/torus_shape.hpp"
#include "support/job.hpp"
#include "tables/timing.hpp"

namespace gossamer {
namespace {

/// In these texts @ is the name of the tables, $ in capitals.
constexpr const char* kMoves = R"(
// The node to which a translation leads that leads node 0 to `by`.
static inline uint32_t @_moved(uint32_t node, uint32_t by) {
  uint32_t moved = 0, stride = 1;
  for (uint32_t d = 0; d < $_DIMS; ++d) {
    moved += (node / stride + by / stride) % @_radices[d] * stride;
    stride *= @_radices[d];
  }
  return moved;
}
)";

constexpr const char* kSuspects = R"(
// The first error of a node, from its registers.
struct @_error {
  uint32_t node, code, slot, port;
};

// Do just these errors come if link a-b is dead from the first round on, or node a, if b is a?
static inline int @_explains(uint32_t a, uint32_t b, const struct @_error* errors,
                             uint32_t count) {
  const uint64_t none = ~(uint64_t)0;
  uint64_t first[$_NODES];
  uint32_t nodes = 0;
  for (uint32_t x = 0; x < $_NODES; ++x) first[x] = none;
  for (uint32_t o = 0; o < 2 * $_PORTS; ++o) {
    const uint32_t p = o / 2, x = o % 2 ? b : a, other = o % 2 ? a : b;
    const uint32_t peer = @_peers[x * $_PORTS + p];
    if (peer == $_NODES || (a != b && peer != other)) continue;
    const uint32_t list = ($_ALIKE ? 0 : x * $_PORTS) + p;
    for (uint32_t i = @_missed_at[list]; i < @_missed_at[list + 1]; ++i) {
      const uint32_t node = @_moved((uint32_t)(@_missed[i] >> 56), $_ALIKE ? x : 0);
      const uint64_t when = @_missed[i] & none >> 8;
      if (first[node] == none) ++nodes;
      if (first[node] > when) first[node] = when;
    }
  }
  for (uint32_t e = 0; e < count; ++e) {
    const uint64_t when = first[errors[e].node], round = when >> 24;
    if (when == none) return 0;
    if (errors[e].code == $_ERR_MISSING) {
      if (errors[e].slot + 1 != round || errors[e].port != (when & 255)) return 0;
    } else if (errors[e].code != $_ERR_UNWRITTEN || errors[e].slot != round) {
      return 0;
    }
  }
  return nodes == count;
}

// Which link, or node (twice), raises all of them: how many there are, of which `found` has room
// for so many.
static inline uint32_t @_suspects(const struct @_error* errors, uint32_t count,
                                  uint32_t found[][2], uint32_t room) {
  uint32_t named = 0;
  for (uint32_t i = 0; count > 0 && i < $_NODES * ($_PORTS + 1); ++i) {
    const uint32_t link = i - $_NODES, a = i < $_NODES ? i : link / $_PORTS;
    const uint32_t b = i < $_NODES ? i : @_peers[link];
    if (b < a || b == $_NODES || !@_explains(a, b, errors, count)) continue;
    if (named < room) {
      found[named][0] = a;
      found[named][1] = b;
    }
    ++named;
  }
  return named;
}
)";

/// Why a set that is moved needs no other tables: let t be a translation of the torus. It maps the
/// link at port p of node x to that at port p of t(x), so paths to paths, links that differ to
/// links that differ, and the port by which something comes to the same port. Apply t to all nodes
/// that a schedule around a fault f names: sources, ways, origins, destinations, root. What x held
/// in a round, t(x) holds with its origins moved, so every rule is kept, and no path crosses t(f).
/// An entry of a table names slots, ports and places in logs, and no node. So t(x) has the table of
/// x; only the address at which it is loaded changes. A reflection would exchange ports.
constexpr const char* kChoice = R"(
// The set around a dead link, or node (twice), and how far to move it; -1 if there is none.
static inline int @_around(uint32_t from, uint32_t to, uint32_t* by) {
  for (*by = 0; *by < $_NODES; ++*by) {
    for (int s = 1; s < (int)$_SETS; ++s) {
      const uint32_t a = @_moved(@_sets[s].from, *by), b = @_moved(@_sets[s].to, *by);
      if ((a == from && b == to) || (a == to && b == from)) return s;
    }
  }
  return -1;
}

// Where to write a word of a set that is moved: at another node, unless it is for all.
static inline uint32_t @_placed(uint32_t address, uint32_t by) {
  const uint32_t region = address >> $_REGION_LSB & 15u;
  if (region == $_ALL_SLOTS || region == $_ALL_LISTS || region == $_ALL_PACKETS) return address;
  return @_moved(address >> $_NODE_LSB, by) << $_NODE_LSB | (address & ((1u << $_NODE_LSB) - 1));
}

// The checksum after another address or word: begin with ~0u, and in the end write its complement.
static inline uint32_t @_crc(uint32_t crc, uint32_t word) {
  crc ^= word;
  for (int b = 0; b < 32; ++b) crc = crc >> 1 ^ (crc & 1u ? 0xedb88320u : 0u);
  return crc;
}
)";

// A node's number is in the upper 8 bits of what it misses.
static_assert(2 + rtl::AXI_INDEX_W + rtl::AXI_PART_W + rtl::AXI_REGION_W + 8 >= 32);

std::string numbers_text(std::span<const std::uint64_t> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += fmt::format("{}{}u,", i % 8 == 0 ? "\n  " : " ", numbers[i]);
  }
  return text;
}

}  // namespace

std::string axi_sets(const std::string& rows, std::size_t sets, unsigned index_w) {
  const unsigned region_lsb = 2 + index_w + rtl::AXI_PART_W;
  return fmt::format(
      "// Sets of tables: number 0 if nothing is dead, the others if link from-to is, or that "
      "node.\n"
      "#define $_SETS {}u\n#define $_REGION_LSB {}\n#define $_NODE_LSB {}\n"
      "#define $_ALL_SLOTS {}u\n#define $_ALL_LISTS {}u\n#define $_ALL_PACKETS {}u\n"
      "static const struct {{\n  const struct @_word* words;\n  uint32_t length, from, to;\n"
      "  const uint32_t* packets;\n}} @_sets[$_SETS] = {{\n"
      "  {{@, $_LENGTH, $_NODES, $_NODES, @_packets}},\n{}}};\n{}",
      sets, region_lsb, region_lsb + rtl::AXI_REGION_W, rtl::AXI_ALL_SLOTS, rtl::AXI_ALL_LISTS,
      rtl::AXI_ALL_PACKETS, rows, kChoice);
}

std::string axi_suspects(const Schedule& schedule, const ScheduleTiming& timed) {
  const Topology& topology = schedule.topology();
  const std::vector<MissedBy> by_arc = missed_by_arc(without_orbits(schedule), timed);
  const bool alike = schedule.symmetry().order() == topology.nodes();
  std::vector<std::uint64_t> at = {0}, missed, peers;
  for (std::size_t arc = 0; arc < by_arc.size(); ++arc) {
    stop_if_interrupted();
    const Endpoint to = topology.peer(static_cast<Node>(arc / topology.ports()),
                                      static_cast<Port>(arc % topology.ports()));
    peers.push_back(to.connected() ? to.node : topology.nodes());
    if (alike && arc >= topology.ports()) continue;
    for (const auto& [node, when] : by_arc[arc]) {
      missed.push_back(std::uint64_t{node} << 56 | std::uint64_t{when.round} << 24 | when.port);
    }
    at.push_back(missed.size());
  }
  if (missed.empty()) missed.push_back(0);
  std::vector<std::uint64_t> radices;
  for (const auto& dimension : torus_shape(topology).dimensions) radices.push_back(dimension.radix);
  return fmt::format(
             "#define $_DIMS {}u\nstatic const uint32_t @_radices[$_DIMS] = {{{}\n}};\n{}\n",
             radices.size(), numbers_text(radices), kMoves) +
         fmt::format(
             "// What is dead, by the first errors. The node at the end of each output:\n"
             "#define $_PORTS {}u\n#define $_ERR_MISSING {}u\n#define $_ERR_UNWRITTEN {}u\n"
             "static const uint16_t @_peers[$_NODES * $_PORTS] = {{{}\n}};\n"
             "// What nodes miss if nothing comes over an output{}, from the number in\n"
             "// @_missed_at on: node << 56 | round << 24 | port.\n"
             "#define $_ALIKE {}\nstatic const uint32_t @_missed_at[] = {{{}\n}};\n"
             "static const uint64_t @_missed[] = {{{}\n}};\n",
             topology.ports(), static_cast<int>(rtl::error_e::ERR_MISSING),
             static_cast<int>(rtl::error_e::ERR_UNWRITTEN), numbers_text(peers),
             alike ? " of node 0; the others are like it" : "", alike ? 1 : 0, numbers_text(at),
             numbers_text(missed)) +
         kSuspects;
}

}  // namespace gossamer
