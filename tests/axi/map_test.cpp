// The AXI side's numbers: the package, docs/hardware/axi.md, and what software writes.
#include <map>
#include <regex>
#include <sstream>

#include "catch.hpp"
#include "engines/prepared.hpp"
#include "support/file.hpp"
#include "tables/axi_tables.hpp"

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

}  // namespace

TEST_CASE("AXI: the documented constants are those of the RTL package, all of them") {
  const auto rtl =
      constants_in("rtl/axi/axi_pkg.sv", std::regex(R"(localparam int ([A-Z][A-Z0-9_]*) = (\d+))"));
  REQUIRE(rtl.at("AXI_CONTROL") == "15");
  CHECK(rtl == constants_in("docs/hardware/axi.md", std::regex(R"(^\| `([A-Z][A-Z0-9_]*)` \| (\d+) \|)")));
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

TEST_CASE("AXI: tables are written entry by entry, each list with the zeros that end it") {
  const FabricImage image = prepare(plan("ring:4", "ring", Duplex::Full), 2, 2);
  NodeBuild build{.kind = image.kind, .depths = {16, 16, 64}};
  const auto writes = axi_table_writes(image, build);
  const NodeProgram& program = image.programs[image.program_of[0]];
  const std::size_t slot_words = (slot_bits(image.kind) + 31) / 32;
  const std::size_t node_words = (program.slots.size() + 1) * slot_words +
                                 (program.channels[0].size() + 1) * (rtl::SEG_W / 32);
  REQUIRE(writes.size() == 4 * node_words);
  CHECK(writes.front() ==
        AxiWrite{axi_address(0, rtl::CFG_SLOTS, 0), encode(program.slots[0], image.kind)[0]});
  CHECK(writes[node_words].address == axi_address(1, rtl::CFG_SLOTS, 0));
  CHECK(writes.back().data == 0);

  // Words without an address are not written.
  build.depths = {1u << 16, 1u << 16, 1u << 16};
  FabricImage long_list = image;
  NodeProgram& longer = long_list.programs[long_list.program_of[0]];
  longer.channels[0].resize(7, longer.channels[0][0]);
  CHECK(axi_table_writes(long_list, build, 5).size() == writes.size() + 4 * (6 * rtl::SEG_W / 32));
  longer.channels[0].resize(8, longer.channels[0][0]);
  CHECK_THROWS_WITH(
      axi_table_writes(long_list, build, 5),
      "node 0: its segment lists are too long for AXI addresses with an index of 5 bits");
  FabricImage long_table = image;
  NodeProgram& more = long_table.programs[long_table.program_of[0]];
  more.slots.resize(63, more.slots[0]);
  CHECK_NOTHROW(axi_table_writes(long_table, build, 5));
  more.slots.resize(64, more.slots[0]);
  CHECK_THROWS_WITH(axi_table_writes(long_table, build, 5),
                    "node 0: its slots are too long for AXI addresses with an index of 5 bits");
}

}  // namespace gossamer::test
