#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <utility>
#include <vector>

#include "export/export.hpp"
#include "schedule/chunks.hpp"
#include "support/file.hpp"
#include "support/job.hpp"
#include "support/refuse.hpp"
#include "tables/compiler.hpp"
#include "tables/mem_image.hpp"

namespace gossamer {
namespace {

constexpr std::uint32_t kPolynomial = 0xEDB88320;  // CRC-32, the least significant bit first

std::uint32_t crc_step(std::uint32_t crc, std::uint32_t word) {
  crc ^= word;
  for (int b = 0; b < 32; ++b) crc = crc >> 1 ^ (crc & 1 ? kPolynomial : 0);
  return crc;
}

/// Refuses words of which one has no address.
void check_address(Node node, unsigned region, std::uint64_t last, unsigned index_w) {
  const bool list = region == rtl::CFG_LISTS;
  const std::uint64_t index = list ? last & ((1u << rtl::CFG_LOG_LSB) - 1) : last;
  if (index >> (list ? index_w : index_w + rtl::AXI_PART_W) == 0) return;
  refuse("node {}: its {} are too long for AXI addresses with an index of {} bits", node,
         list ? "segment lists" : "slots", index_w);
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
  for (const auto& [node, region, address, word] : table_writes(image, build.depths, packets)) {
    const bool all = node == kNoNode;
    check_address(all ? 0 : node, region, address, index_w);
    const unsigned to = all ? region + rtl::AXI_ALL_SLOTS - rtl::CFG_SLOTS : region;
    writes.push_back({axi_address(all ? 0 : node, to, address, index_w), word});
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

namespace {

struct Tables {
  std::vector<AxiWrite> writes = {};
  Programs programs;
  std::vector<std::uint64_t> dead = {};  ///< by node, the outputs that the schedule does not use
  std::string title = {};                ///< the schedule
  std::vector<std::string> parameters = {};  ///< of axi_fabric, a line each
  unsigned index_w = 0;                      ///< of those
  NodeBuild build = {};
  NodeCost cost = {};
  /// As comments, which begin so.
  std::string notes(std::string_view begin) const {
    const std::string next = fmt::format("\n{}", begin);
    return fmt::format("{0}{1}{2}axi_fabric #({2}{3}{2})\n", begin, title, next,
                       fmt::join(parameters, next));
  }
  std::uint32_t packet(std::size_t k, Node x) const {
    return programs.packets[k * programs.image.topology.nodes() + x];
  }
};

/// Bits of the index, with which 32 bits of address must reach all nodes.
unsigned index_bits(Node nodes, const NodeDepths& depths) {
  const unsigned index_w = axi_index_w(depths);
  const std::uint64_t reached = (std::uint64_t{1} << 32) / axi_address(1, 0, 0, index_w);
  if (nodes <= reached) return index_w;
  const std::string deep =
      fmt::format(" with logs of {} words, lists of {} segments and tables of {} slots",
                  depths.words, depths.segments, depths.slots);
  refuse("axi: 32 bits of address reach {} nodes{}; there are {}", reached,
         index_w > rtl::AXI_INDEX_W ? deep : "", nodes);
}

Programs programs_over_axi(std::span<const Program> programs) {
  Programs all = programs_of(programs, programs[0].schedule->topology().ports(), true);
  if (all.image.kind.adaptive) throw InputError("axi: axi_fabric has no adaptive nodes");
  all.image.capacity = std::max(all.image.capacity, std::ranges::max(all.packets));
  return all;
}

/// `sets`: other tables that the nodes must hold; `index_w`: the fewest bits of index; `tight`:
/// nodes for these tables alone.
Tables tables_of(std::span<const Program> programs, std::span<const Program> sets = {},
                 unsigned index_w = 0, bool tight = false) {
  const Schedule& first = *programs[0].schedule;
  const Node nodes = first.topology().nodes();
  index_bits(nodes, {});
  Tables tables{.programs = programs_over_axi(programs)};
  FabricImage& image = tables.programs.image;
  tables.build = build_for(image);
  NodeDepths& depths = tables.build.depths;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const FabricImage other = programs_over_axi(sets.subspan(s, 1)).image;
    if (other.kind != image.kind) {
      refuse("around {} the nodes must be of another kind than without faults",
             to_string(sets[s].schedule->faults));
    }
    depths = depths_for(other, depths);
  }
  if (tight) {
    if (!sets.empty()) refuse("--tight is for one set of tables, not for those around each fault");
    tighten(image, tables.build, std::ranges::max(tables.programs.packets));
  }
  tables.index_w = std::max(index_w, index_bits(nodes, depths));
  const unsigned flits = programs[0].flits;
  tables.title = programs.size() > 1
                     ? fmt::format("{} programs on {}", image.held(), first.topology().spec())
                     : fmt::format("{} on {}, messages of {}{} {}", both_names(first.collective()),
                                   first.topology().spec(), first.sizes.equal() ? "" : "up to ",
                                   flits, flits == 1 ? "flit" : "flits");
  if (!image.dead.empty() && !first.works_out()) {
    tables.title += " around " + to_string(first.faults);
    tables.dead = image.dead;
  }
  if (tables.index_w > rtl::AXI_INDEX_W) {
    tables.parameters.push_back(fmt::format("  .INDEX_W({}),", tables.index_w));
  }
  std::istringstream parameters(fabric_parameters(image, tables.build));
  for (std::string line; std::getline(parameters, line);) tables.parameters.push_back("  " + line);
  tables.cost = cost_of(tables.build, true);
  tables.writes = axi_table_writes(image, tables.build, tables.programs.packets, tables.index_w);
  return tables;
}

/// What names a program in AXI_PROGRAMS.
unsigned entry_of(std::span<const Program> programs, const Programs& all, std::size_t k) {
  return static_cast<unsigned>(k) | unsigned{programs[all.starts[k][0]].after.has_value()}
                                        << rtl::AXI_PROGRAM_KEEP;
}

/// The messages that a node's stream brings, in order: their destinations, or `all`; with their
/// flits, if they are not equally long. Of a reduction the members whose blocks they are, or
/// `vector`;
/// `-` for words of another group, which do not matter.
std::string own_line(const Schedule& schedule, Node x) {
  const std::vector<Message> own = own_messages(schedule, x);
  if (own.empty()) return "";
  std::string line = fmt::format("# own {}:", x);
  const auto add = [&](const std::string& name, const Message& m) {
    line += " " + name;
    if (schedule.sizes.equal()) return;
    line += fmt::format(":{}", schedule.sizes.of(m.origin, m.destination));
  };
  if (reduces(schedule.collective())) {
    const bool vector = has_root(schedule.collective());
    for (const Node origin : origins_of_sums(schedule)) {
      const bool mine = schedule.members.together(origin, x);  // and not another group's
      add(!mine ? "-" : vector ? "vector" : fmt::format("{}", origin), {origin});
    }
    return line + "\n";
  }
  for (const Message& m : own) {
    if (m.piece > 0) continue;  // a message comes whole
    add(m.destination == kNoNode ? "all" : fmt::format("{}", m.destination), m);
  }
  return line + "\n";
}

constexpr std::array<std::pair<const char*, unsigned>, 7> kNodeRegisters = {
    {{"OWN_WORDS", rtl::CFG_OWN_WORDS},
     {"ERRORS", rtl::CFG_ERRORS},
     {"FIRST_CODE", rtl::CFG_FIRST_CODE},
     {"FIRST_SLOT", rtl::CFG_FIRST_SLOT},
     {"FIRST_PORT", rtl::CFG_FIRST_PORT},
     {"DEAD", rtl::CFG_DEAD},
     {"LOG_LENGTH", rtl::CFG_LOG_LENGTH}}};

/// #define LARGE_KIND_NAME for each number of axi_pkg.sv from one on and before another: its name
/// without AXI_, and what `value` makes of it.
template <typename Value>
std::string defines(std::string_view large, const char* kind, std::string_view first,
                    std::string_view end, const Value& value) {
  std::string text;
  const auto* at = std::ranges::find(rtl::axi_numbers, first, [](auto& n) { return n.first; });
  for (; at->first != end; ++at) {
    text += fmt::format("#define {}_{}_{} 0x{:08x}u\n", large, kind, at->first.substr(4),
                        value(at->second));
  }
  return text;
}

/// A C identifier in lower and upper case.
std::string lower(std::string name) {
  for (char& c : name) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0
            ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
            : '_';
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = "t" + name;
  return name;
}
std::string upper(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

/// The tables of a header whose names begin with `name`, called `small` and in capitals `large`.
std::string tables_text(const Tables& tables, std::span<const Program> programs,
                        const std::string& name, const std::string& small,
                        const std::string& large) {
  std::string text = fmt::format(
      "\n#define {0}_LENGTH {1}u\n#define {0}_CHECKSUM 0x{2:08x}u\n"
      "#define {0}_LOAD_CYCLES {3}u  // a write a cycle, with BEGIN, LENGTH, CHECKSUM and "
      "COMMIT\n\n",
      large, tables.writes.size(), axi_checksum(tables.writes),
      tables.writes.size() + kLoadControl);
  text += fmt::format("static const struct {}_word {}[{}_LENGTH] = {{\n", name, small, large);
  for (const AxiWrite& w : tables.writes) {
    stop_if_interrupted();
    text += fmt::format("  {{0x{:08x}u, 0x{:08x}u}},\n", w.address, w.data);
  }
  text += "};\n\n// The words that each node's packet brings.\n";
  for (std::size_t k = 0; k < tables.programs.starts.size(); ++k) {
    const std::string number = programs.size() > 1 ? fmt::format("{}", k) : "";
    if (programs.size() > 1)
      text += fmt::format("#define {}_PROGRAM{} {}u\n", large, k,
                          entry_of(programs, tables.programs, k));
    text += fmt::format("static const uint32_t {}_packets{}[{}_NODES] = {{", small, number,
                        upper(name));
    for (Node x = 0; x < tables.programs.image.topology.nodes(); ++x)
      text += fmt::format("{}{}u,", x % 16 == 0 ? "\n  " : " ", tables.packet(k, x));
    text += "\n};\n\n";
    const std::vector<HeldWords> results = results_of(programs, tables.programs, k);
    if (results.empty()) continue;
    text += fmt::format(
        "// What each node has at the end: words of a log, of a node's message from a flit on.\n"
        "#define {1}_AT{2} {3}u\nstatic const struct {{\n"
        "  uint32_t node, log, first, words, origin, flit;\n}} {0}_at{2}[{1}_AT{2}] = {{\n",
        small, large, number, results.size());
    for (const auto& [x, log, first, words, origin, flit] : results)
      text +=
          fmt::format("  {{{}u, {}u, {}u, {}u, {}u, {}u}},\n", x, log, first, words, origin, flit);
    text += "};\n\n";
  }
  return text;
}

/// With @ and $ for the name: what was planned around, and whether that is all that is dead.
std::string dead_text(const Tables& tables) {
  std::string text =
      "// What the table was planned around: bit p is output p of the node.\n"
      "static const uint64_t @_dead[$_NODES] = {";
  for (std::size_t x = 0; x < tables.dead.size(); ++x)
    text += fmt::format("{}0x{:x}u,", x % 16 == 0 ? "\n  " : " ", tables.dead[x]);
  return text +
         "\n};\n// Is nothing dead but that? If not, the table does not fit the fabric.\n"
         "static inline int @_fits(const uint64_t dead[$_NODES]) {\n"
         "  for (uint32_t x = 0; x < $_NODES; ++x)\n"
         "    if (dead[x] & ~@_dead[x]) return 0;\n  return 1;\n}\n\n";
}

/// A text with @ and $ for the name, in lower and upper case.
std::string named(const std::string& text, const std::string& small) {
  std::string all;
  for (const char c : text) all += c == '@' ? small : c == '$' ? upper(small) : std::string(1, c);
  return all;
}

std::string parameters_text(const Tables& tables) {
  return fmt::format("// axi_fabric: {}\n{}", tables.title, fmt::join(tables.parameters, "\n"));
}

std::string writes_text(const Tables& tables, std::span<const Program> programs) {
  std::string text = tables.notes("# ");
  text += fmt::format("# length {}\n# checksum 0x{:08x}\n# load {} cycles\n", tables.writes.size(),
                      axi_checksum(tables.writes), tables.writes.size() + kLoadControl);
  for (std::size_t k = 0; k < tables.programs.starts.size(); ++k) {
    text += fmt::format("# program {}: entry {}, {} cycles\n", k,
                        entry_of(programs, tables.programs, k), tables.programs.cycles(k));
    for (Node x = 0; x < tables.programs.image.topology.nodes(); ++x) {
      const Program& program = programs[tables.programs.runs[k][x]];
      if (!program.takes) text += own_line(*program.schedule, x);
      const std::uint32_t words = tables.packet(k, x);
      if (words != 0)
        text += fmt::format("# packet {}: {} {}\n", x, words, words == 1 ? "word" : "words");
    }
    for (const HeldWords& r : results_of(programs, tables.programs, k))
      text += fmt::format("# {}\n", to_string(r));
  }
  text += "# address data\n";
  for (const AxiWrite& w : tables.writes) {
    stop_if_interrupted();
    text += fmt::format("0x{:08x} 0x{:08x}\n", w.address, w.data);
  }
  return text;
}

}  // namespace

std::string axi_text(std::span<const Program> programs) {
  return writes_text(tables_of(programs), programs);
}

std::string axi_header(std::span<const Program> programs, const std::string& name,
                       std::span<const Program> sets, bool tight) {
  const Tables tables = tables_of(programs, sets, 0, tight);
  const unsigned index_w = tables.index_w;
  const std::string small = lower(name), large = upper(small);
  std::string text = "// SPDX-License-Identifier: Apache-2.0\n" + tables.notes("// ");
  text += fmt::format("#ifndef {0}_H\n#define {0}_H\n\n#include <stdint.h>\n\n", large);
  text += "// Addresses of registers: write BEGIN, then the table, LENGTH, CHECKSUM and COMMIT.\n";
  const auto bit = [](unsigned number) { return 1u << number; };
  text += defines(large, "REG", "AXI_RUN", "AXI_REGISTERS",
                  [&](unsigned number) { return axi_control(number, index_w); });
  text += fmt::format(
      "// Bits of RUN, STATUS and HOLDER.\n#define {0}_RUN_START 0x00000001u\n"
      "#define {0}_RUN_REPEAT 0x00000002u\n#define {0}_RUN_ABORT 0x{1:08x}u\n",
      large, bit(rtl::AXI_ABORT));
  text += defines(large, "STATUS", "AXI_RUNNING", "AXI_BAD_NODE", bit);
  const unsigned node_lsb = 2 + index_w + rtl::AXI_PART_W + rtl::AXI_REGION_W;
  text += "// Addresses in node x: registers, and words of the logs.\n";
  for (const auto& [register_name, number] : kNodeRegisters) {
    text +=
        fmt::format("#define {}_NODE_{}(x) (0x{:08x}u + ((uint32_t)(x) << {}))\n", large,
                    register_name, axi_address(0, rtl::CFG_REGISTERS, number, index_w), node_lsb);
  }
  text += fmt::format(
      "#define {}_LOG(x, log, word) (0x{:08x}u + ((uint32_t)(x) << {}) + ((uint32_t)(log) << {}) + "
      "4u * (word))\n",
      large, axi_address(0, rtl::CFG_STORE, 0, index_w), node_lsb, 2 + index_w);
  const FabricImage& image = tables.programs.image;
  text += fmt::format(
      "#define {0}_OWN_LOG {1}u\n\n#define {0}_NODES {2}u\nstruct {3}_word {{\n  uint32_t address, "
      "data;\n}};\n",
      large, image.kind.own_log(), image.topology.nodes(), small);
  text += tables_text(tables, programs, small, small, large);
  if (!tables.dead.empty()) text += named(dead_text(tables), small);
  text += named(axi_suspects(*programs[0].schedule, *tables.programs.alone[0].timed), small);
  std::string rows;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const std::span<const Program> set = sets.subspan(s, 1);
    const FaultSet& faults = set[0].schedule->faults;
    const Node from = faults.nodes.empty() ? faults.arcs[0].from : faults.nodes[0];
    const Node to = faults.nodes.empty() ? faults.arcs[0].to : faults.nodes[0];
    const std::string one = fmt::format("{}_{}", small, s + 1);
    text += fmt::format("\n// Around {}.", to_string(faults)) +
            tables_text(tables_of(set, {}, index_w), set, small, one, upper(one));
    rows +=
        fmt::format("  {{{0}, {1}_LENGTH, {2}u, {3}u, {0}_packets}},\n", one, upper(one), from, to);
  }
  if (!sets.empty()) text += named(axi_sets(rows, sets.size() + 1, index_w), small);
  return text + fmt::format("\n#endif  // {}_H\n", large);
}

std::string axi_wrapper(std::span<const Program> programs, const std::string& name, bool tight) {
  const Tables tables = tables_of(programs, {}, 0, tight);
  const Node nodes = programs[0].schedule->topology().nodes();
  struct Signal {
    const char* name;
    unsigned bits;
    bool output;
  };
  constexpr Signal kLite[] = {
      {"awaddr", 32, false}, {"awprot", 3, false},  {"awvalid", 1, false}, {"awready", 1, true},
      {"wdata", 32, false},  {"wstrb", 4, false},   {"wvalid", 1, false},  {"wready", 1, true},
      {"bresp", 2, true},    {"bvalid", 1, true},   {"bready", 1, false},  {"araddr", 32, false},
      {"arprot", 3, false},  {"arvalid", 1, false}, {"arready", 1, true},  {"rdata", 32, true},
      {"rresp", 2, true},    {"rvalid", 1, true},   {"rready", 1, false}};
  constexpr Signal kIn[] = {
      {"tdata", 32, false}, {"tlast", 1, false}, {"tvalid", 1, false}, {"tready", 1, true}};
  constexpr Signal kOut[] = {{"tdata", 32, true},
                             {"tuser", 8, true},
                             {"tlast", 1, true},
                             {"tvalid", 1, true},
                             {"tready", 1, false}};

  const auto declare = [](const std::string& bundle, std::span<const Signal> ports) {
    std::string text;
    for (const Signal& p : ports) {
      text += fmt::format(",\n  {} wire {}{}_{}", p.output ? "output" : "input ",
                          p.bits == 1 ? "" : fmt::format("[{}:0] ", p.bits - 1), bundle, p.name);
    }
    return text;
  };
  std::string bundles, declared = declare("s_axi", kLite), connected;
  for (const Signal& p : kLite) {
    if (!std::string_view(p.name).ends_with("prot")) {
      connected += fmt::format(",\n    .s_axi_{0}_{1}(s_axi_{0})", p.name, p.output ? 'o' : 'i');
    }
  }
  for (Node x = 0; x < nodes; ++x) {
    bundles += fmt::format(":s_axis_{0}:m_axis_{0}", x);
    declared +=
        declare(fmt::format("s_axis_{}", x), kIn) + declare(fmt::format("m_axis_{}", x), kOut);
  }
  const auto connect = [&](const char* bundle, std::span<const Signal> ports) {
    for (const Signal& p : ports) {
      connected += fmt::format(",\n    .{}_{}_{}({{", bundle, p.name, p.output ? 'o' : 'i');
      for (Node x = nodes; x-- > 0;)
        connected += fmt::format("{}_{}_{}{}", bundle, x, p.name, x > 0 ? ", " : "");
      connected += "})";
    }
  };
  connect("s_axis", kIn);
  connect("m_axis", kOut);

  return fmt::format(
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// An axi_fabric with its interfaces by their usual names.\n"
      "module {}_axi (\n  (* X_INTERFACE_PARAMETER = \"ASSOCIATED_BUSIF s_axi{}, "
      "ASSOCIATED_RESET aresetn\" *)\n"
      "  input  wire aclk,\n  (* X_INTERFACE_PARAMETER = \"POLARITY ACTIVE_LOW\" *)\n"
      "  input  wire aresetn,  // low for three cycles at least\n"
      "  (* X_INTERFACE_INFO = \"xilinx.com:signal:interrupt:1.0 irq INTERRUPT\" *)\n"
      "  (* X_INTERFACE_PARAMETER = \"SENSITIVITY LEVEL_HIGH\" *)\n"
      "  output wire irq,\n  input  wire start{}\n);\n\n  axi_fabric #(\n{}\n  ) i_fabric (\n"
      "    .clk_i(aclk),\n    .rst_ni(aresetn),\n    .start_i(start),\n    .irq_o(irq){}\n  "
      ");\n\n"
      "  wire unused;\n  assign unused = ^{{s_axi_awprot, s_axi_arprot}};\n\nendmodule\n",
      lower(name), bundles, declared, parameters_text(tables), connected);
}

NodeCost export_axi(std::span<const Program> programs, std::span<const Program> sets,
                    const std::string& output, bool tight) {
  const Tables tables = tables_of(programs, sets, 0, tight);
  const std::filesystem::path file = output;
  const std::string name = file.stem().string();
  if (output.ends_with('/')) {
    write_mem_images(
        tables.programs.image, tables.build, output, {},
        {{"fabric.vh", parameters_text(tables)}, {"tables.txt", writes_text(tables, programs)}},
        tables.programs.packets);
  } else {
    write_file(output, file.extension() == ".h"    ? axi_header(programs, name, sets, tight)
                       : file.extension() == ".v"  ? axi_wrapper(programs, name, tight)
                       : file.extension() == ".vh" ? "// SPDX-License-Identifier: Apache-2.0\n" +
                                                         parameters_text(tables) + "\n"
                                                   : writes_text(tables, programs));
  }
  return tables.cost;
}

}  // namespace gossamer
