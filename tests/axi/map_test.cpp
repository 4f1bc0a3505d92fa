// The AXI side's numbers: the package, docs/hardware/axi.md, and what software writes.
#include <map>
#include <regex>
#include <sstream>

#include "Vaxi_single.h"
#include "axi/bench.hpp"
#include "catch.hpp"
#include "engines/prepared.hpp"
#include "export/export.hpp"
#include "support/file.hpp"

namespace gossamer::test {
namespace {

std::map<std::string, std::string> constants_in(const std::string& file,
                                                const std::regex& line_of) {
  std::map<std::string, std::string> found;
  std::istringstream in(read_file(file));
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_search(line, match, line_of)) found[match[1]] = match[2];
  }
  return found;
}

/// What rtl/axi/axi_fabric.rdl says: numbers and texts by name, and who may access the words of a
/// node and of the control.
struct RegisterMap {
  struct Register {
    unsigned first = 0;    ///< word of its region
    std::string words;     ///< how many, if it is an array
    std::string accesses;  ///< kinds of its fields
  };
  std::map<std::string, std::string> numbers, texts;
  std::map<std::string, Register> registers;
};

RegisterMap read_map() {
  const std::regex begin(R"(^ *reg \{$)"), text(R"rx(^ *(?:(\w+)->)?desc = "(.*)";$)rx"),
      field(R"(^ *(reads|both|writes|clears) (\w+)\[\d+:(\d+)\])"),
      end(R"(^ *\} (\w+)(?:\[(\w+)\])? @0x([0-9A-F]+);$)"),
      region(R"(^ *\} (\w+).* @(\d+) \* \(1 << \(INDEX_W \+ 8\)\))");
  RegisterMap map;
  std::string of_register, accesses;
  std::istringstream in(read_file("rtl/axi/axi_fabric.rdl"));
  for (std::string line; std::getline(in, line);) {
    std::smatch m;
    if (std::regex_search(line, begin)) {
      accesses.clear();
    } else if (std::regex_search(line, m, text)) {
      (m[1].matched ? map.texts[m[1]] : of_register) = m[2];
    } else if (std::regex_search(line, m, field)) {
      accesses += m[1].str() + " ";
      if (std::isupper(m[2].str()[0])) map.numbers[m[2]] = m[3];
    } else if (std::regex_search(line, m, end)) {
      const unsigned word = std::stoul(m[3], nullptr, 16) / 4;
      map.numbers[m[1]] = std::to_string(word);
      map.texts[m[1]] = of_register;
      map.registers[m[1]] = {word, m[2], accesses};
    } else if (std::regex_search(line, m, region)) {
      map.numbers[m[1] == "control" ? "AXI_CONTROL" : m[1].str()] = m[2];
      if (m[1].str().find("_PACKET") != std::string::npos) map.texts[m[1]] = of_register;
    }
  }
  return map;
}

}  // namespace

TEST_CASE("AXI: the documented constants are those of the RTL package, all of them") {
  const auto rtl =
      constants_in("rtl/axi/axi_pkg.sv", std::regex(R"(localparam int ([A-Z][A-Z0-9_]*) = (\d+))"));
  REQUIRE(rtl.at("AXI_CONTROL") == "15");
  CHECK(rtl ==
        constants_in("docs/hardware/axi.md", std::regex(R"(^\| `([A-Z][A-Z0-9_]*)` \| (\d+) \|)")));
}

TEST_CASE("AXI: the map in SystemRDL has the numbers and texts of the packages") {
  const RegisterMap map = read_map();
  const std::regex number(R"(localparam int ([A-Z][A-Z0-9_]*) = (\d+))"),
      text(R"(localparam int ([A-Z][A-Z0-9_]*) = \d+;  // (.*))");
  auto numbers = constants_in("rtl/axi/axi_pkg.sv", number),
       texts = constants_in("rtl/axi/axi_pkg.sv", text);
  for (const char* no_register : {"AXI_INDEX_W", "AXI_PART_W", "AXI_REGION_W", "AXI_REGISTERS",
                                  "AXI_PROGRAM_KEEP", "AXI_IRQS"}) {
    REQUIRE(numbers.erase(no_register) == 1);
  }
  for (const auto& [name, value] : numbers) {
    INFO(name);
    CHECK(map.numbers.count(name) == 1);
  }
  numbers.merge(constants_in("rtl/node/gossamer_pkg.sv", number));
  texts.merge(constants_in("rtl/node/gossamer_pkg.sv", text));
  for (const auto& [name, value] : map.numbers) {
    INFO(name);
    CHECK(numbers[name] == value);
  }
  REQUIRE(map.texts.size() == 75);
  for (const auto& [name, words] : map.texts) {
    INFO(name);
    CHECK(texts[name] == words);
  }
}

TEST_CASE("AXI: what the map in SystemRDL calls readable and writable is, and nothing else") {
  const RegisterMap map = read_map();
  AxiBench<Vaxi_single> bench(1, 0);
  bench.control(rtl::AXI_BEGIN, 1);  // so that commits are taken
  // The registers of a node and of the control, by word.
  std::map<unsigned, std::string> node, control;
  for (const auto& [name, r] : map.registers) {
    const unsigned words = r.words.empty()      ? 1
                           : r.words == "LOGS"  ? 1  // a single port
                           : r.words == "PORTS" ? 2
                                                : std::stoul(r.words);
    for (unsigned i = 0; i < words; ++i) {
      CHECK((name[0] == 'A' ? control : node).try_emplace(r.first + i, r.accesses).second);
    }
  }
  REQUIRE(control.size() == rtl::AXI_REGISTERS);
  const auto compare = [&](const std::map<unsigned, std::string>& registers, unsigned word,
                           std::uint64_t address, bool always_readable) {
    const auto it = registers.find(word);
    const std::string access = it == registers.end() ? "" : it->second;
    const auto is = [&](const char* kind) { return access.find(kind) != std::string::npos; };
    const bool writable = is("writes") || is("both") || is("clears");
    INFO(std::hex << address << ": " << access);
    CHECK(bench.read(address).response ==
          (is("reads") || is("both") || is("clears") || (always_readable && is("writes"))
               ? kOkay
               : kSlverr));
    if (is("writes")) CHECK(bench.read(address).data == 0);
    // A write without strobes changes nothing; its answer says whether one could be.
    CHECK(bench.write(address, 0, 0) == (writable ? kOkay : kSlverr));
  };
  for (unsigned word = 0; word < 256; ++word) {
    compare(node, word, axi_address(3, rtl::CFG_REGISTERS, word), false);
    compare(control, word, axi_address(0, rtl::AXI_CONTROL, word), true);
  }
}

TEST_CASE("AXI: addresses are those of the page") {
  CHECK(axi_control(rtl::AXI_COMMIT) == 0xF00018);
  CHECK(axi_address(3, rtl::CFG_REGISTERS, rtl::CFG_STATUS) == 0x3000004);
  CHECK(axi_address(0, rtl::CFG_SLOTS, 2u << rtl::CFG_SLOT_LSB | 1) == 0x100104);
  CHECK(axi_address(1, rtl::CFG_LISTS, 5u << rtl::CFG_CHANNEL_LSB | 6) == 0x1214018);
  CHECK(axi_address(0, rtl::CFG_STORE, 2u << rtl::CFG_LOG_LSB | 4095) == 0x30BFFC);
  CHECK(axi_address(1, rtl::CFG_STORE, 1u << rtl::CFG_LOG_LSB | 7, 10) == 0x4C101C);
}

TEST_CASE("AXI: the checksum is the CRC-32 that everybody has") {
  // "12345678" has a well-known one.
  const AxiWrite one[] = {{0x34333231, 0x38373635}};
  CHECK(axi_checksum(one) == 0x9AE0DAAF);
  CHECK(axi_checksum({}) == 0);
}

TEST_CASE("AXI: what most nodes have in their tables is written once, then what others have") {
  FabricImage image = prepare(plan("ring:4", "ring", Duplex::Full), 2, 2);
  NodeBuild build{.kind = image.kind, .depths = {16, 16, 64}};
  const std::uint32_t packets[] = {2, 2, 2, 2}, unlike[] = {2, 2, 0, 2};
  const auto to_all = axi_table_writes(image, build, packets);
  image.programs.push_back(image.programs[0]);
  image.program_of[3] = 1;
  Segment& other = image.programs[1].channels[0][0];
  ++other.base;
  const auto writes = axi_table_writes(image, build, unlike);
  const NodeProgram& program = image.programs[0];
  const std::size_t slot_words = (slot_bits(image.kind) + 31) / 32;
  REQUIRE(to_all.size() == (program.slots.size() + 1) * slot_words +
                               (program.channels[0].size() + 1) * (rtl::SEG_W / 32) + 1);
  CHECK(to_all.front() ==
        AxiWrite{axi_address(0, rtl::AXI_ALL_SLOTS, 0), encode(program.slots[0], image.kind)[0]});
  CHECK(to_all[to_all.size() - 2].data == 0);
  CHECK(to_all.back() == AxiWrite{0xE00000, 2});
  std::vector<AxiWrite> common, alone, expected;
  for (const AxiWrite& w : writes) {
    (w.address < axi_address(1, 0, 0) ? common : alone).push_back(w);
  }
  for (std::uint32_t i = 0; i < rtl::SEG_W / 32; ++i) {
    const std::uint32_t word = encode(other)[i];
    if (word == encode(program.channels[0][0])[i]) continue;
    expected.push_back({axi_address(3, rtl::CFG_LISTS, i), word});
  }
  expected.push_back({0x2600000, 0});
  CHECK(common == to_all);
  CHECK(alone == expected);

  // Words without an address are not written.
  build.depths = {1u << 16, 1u << 16, 1u << 16};
  FabricImage long_list = image;
  NodeProgram& longer = long_list.programs[long_list.program_of[0]];
  longer.channels[0].resize(7, longer.channels[0][0]);
  CHECK_NOTHROW(axi_table_writes(long_list, build, {}, 5));
  longer.channels[0].resize(8, longer.channels[0][0]);
  CHECK_THROWS_WITH(
      axi_table_writes(long_list, build, {}, 5),
      "node 0: its segment lists are too long for AXI addresses with an index of 5 bits");
  FabricImage long_table = image;
  NodeProgram& more = long_table.programs[long_table.program_of[0]];
  more.slots.resize(63, more.slots[0]);
  CHECK_NOTHROW(axi_table_writes(long_table, build, {}, 5));
  more.slots.resize(64, more.slots[0]);
  CHECK_THROWS_WITH(axi_table_writes(long_table, build, {}, 5),
                    "node 0: its slots are too long for AXI addresses with an index of 5 bits");
}

}  // namespace gossamer::test
