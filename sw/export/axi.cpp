#include "export/axi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <sstream>
#include <vector>

#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "tables/axi_tables.hpp"
#include "tables/compiler.hpp"
#include "tables/mem_image.hpp"

namespace gossamer {
namespace {

struct Tables {
  std::vector<AxiWrite> writes;
  std::vector<std::string> notes;  ///< the schedule, and the parameters of axi_fabric
};

/// The words with which a node starts, at most: they come as streams, so the image holds none.
std::uint64_t most_own_words(const Schedule& schedule, unsigned flits) {
  std::uint64_t most = 0;
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    most = std::max<std::uint64_t>(most, own_messages(schedule, x).size());
  }
  return most * flits;
}

void check_addresses(const std::vector<AxiWrite>& writes, Node nodes) {
  if (writes.empty() || writes.back().address >> 32 == 0) return;
  throw InputError(fmt::format("axi: 32 bits of address reach {} nodes; there are {}",
                               (std::uint64_t{1} << 32) / axi_address(1, 0, 0), nodes));
}

FabricImage image_of(const Schedule& schedule, unsigned flits, const PortStages& stages) {
  FabricImage image =
      compile(schedule, flits, schedule.topology().ports(), false, nullptr, nullptr, stages).image;
  if (image.kind.adaptive) throw InputError("axi: axi_fabric has no adaptive nodes");
  image.capacity = static_cast<std::uint32_t>(
      std::max<std::uint64_t>(image.capacity, most_own_words(schedule, flits)));
  return image;
}

Tables tables_of(const Schedule& schedule, unsigned flits, const PortStages& stages,
                 std::span<const Schedule> also) {
  const FabricImage image = image_of(schedule, flits, stages);
  std::vector<FabricImage> others;
  for (const Schedule& other : also) others.push_back(image_of(other, flits, stages));
  const NodeDepths depths = common_depths(image, others);
  Tables tables;
  tables.notes = {fmt::format("{} on {}, messages of {} {}", both_names(schedule.collective()),
                              schedule.topology().spec(), flits, flits == 1 ? "flit" : "flits"),
                  "axi_fabric #("};
  std::istringstream parameters(fabric_parameters(image, depths));
  for (std::string line; std::getline(parameters, line);) tables.notes.push_back("  " + line);
  tables.notes.emplace_back(")");
  tables.writes = axi_table_writes(
      image, NodeBuild{.kind = image.kind, .depths = depths, .stages = image.stages});
  check_addresses(tables.writes, schedule.topology().nodes());
  return tables;
}

/// The messages that a node's stream brings, in order: their destinations, or `all`.
std::string own_line(const Schedule& schedule, Node x) {
  const std::vector<Message> own = own_messages(schedule, x);
  if (own.empty()) return "";
  std::string line = fmt::format("# own {}:", x);
  for (const Message& m : own) {
    line += m.destination == kNoNode ? " all" : fmt::format(" {}", m.destination);
  }
  return line + "\n";
}

struct Register {
  const char* name;
  unsigned number;
};
constexpr std::array<Register, 10> kRegisters = {{{"RUN", rtl::AXI_RUN},
                                                  {"STATUS", rtl::AXI_STATUS},
                                                  {"BEGIN", rtl::AXI_BEGIN},
                                                  {"LENGTH", rtl::AXI_LENGTH},
                                                  {"CHECKSUM", rtl::AXI_CHECKSUM},
                                                  {"COMMIT", rtl::AXI_COMMIT},
                                                  {"IRQ", rtl::AXI_IRQ},
                                                  {"IRQ_ENABLE", rtl::AXI_IRQ_ENABLE},
                                                  {"CYCLES", rtl::AXI_CYCLES},
                                                  {"FLITS", rtl::AXI_FLITS}}};

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

}  // namespace

std::string axi_text(const Schedule& schedule, unsigned flits, const PortStages& stages,
                     std::span<const Schedule> also) {
  const Tables tables = tables_of(schedule, flits, stages, also);
  std::string text;
  for (const std::string& note : tables.notes) text += "# " + note + "\n";
  text += fmt::format("# length {}\n# checksum 0x{:08x}\n", tables.writes.size(),
                      axi_checksum(tables.writes));
  for (Node x = 0; x < schedule.topology().nodes(); ++x) text += own_line(schedule, x);
  text += "# address data\n";
  for (const AxiWrite& w : tables.writes) {
    stop_if_interrupted();
    fmt::format_to(std::back_inserter(text), "0x{:08x} 0x{:08x}\n", w.address, w.data);
  }
  return text;
}

std::string axi_header(const Schedule& schedule, unsigned flits, const std::string& name,
                       const PortStages& stages, std::span<const Schedule> also) {
  const Tables tables = tables_of(schedule, flits, stages, also);
  const std::string small = lower(name), large = upper(small);
  std::string text;
  for (const std::string& note : tables.notes) text += "// " + note + "\n";
  text += fmt::format("#ifndef {0}_H\n#define {0}_H\n\n#include <stdint.h>\n\n", large);
  text += "// Addresses of registers: write BEGIN, then the table, LENGTH, CHECKSUM and COMMIT.\n";
  for (const Register& r : kRegisters) {
    text += fmt::format("#define {}_REG_{} 0x{:08x}u\n", large, r.name, axi_control(r.number));
  }
  text += fmt::format("\n#define {0}_LENGTH {1}u\n#define {0}_CHECKSUM 0x{2:08x}u\n\n", large,
                      tables.writes.size(), axi_checksum(tables.writes));
  text += fmt::format("static const struct {{\n  uint32_t address, data;\n}} {}[{}_LENGTH] = {{\n",
                      small, large);
  for (const AxiWrite& w : tables.writes) {
    stop_if_interrupted();
    fmt::format_to(std::back_inserter(text), "  {{0x{:08x}u, 0x{:08x}u}},\n", w.address, w.data);
  }
  text += fmt::format("}};\n\n#endif  // {}_H\n", large);
  return text;
}

}  // namespace gossamer
