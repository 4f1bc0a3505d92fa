// The writes for an AXI host: the same words as the driver's, in text and in C.
#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "catch.hpp"
#include "export/export.hpp"
#include "fabric/payload.hpp"
#include "fabric/torus_shape.hpp"
#include "plans.hpp"
#include "schedule/chunks.hpp"
#include "schedule/jsonl.hpp"
#include "scratch.hpp"
#include "support/error.hpp"
#include "tables/compiler.hpp"
#include "tables/mem_image.hpp"

using namespace gossamer;
using export_test::alone;
using export_test::planned;

namespace {

bool is_torus(const Topology& topology) {
  try {
    torus_shape(topology);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::vector<AxiWrite> writes_of(const Schedule& schedule, unsigned flits) {
  FabricImage image = compile(schedule, flits, schedule.topology().ports()).image;
  std::vector<std::uint32_t> packets;
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {  // those come as a stream
    packets.push_back(
        static_cast<std::uint32_t>(own_words(schedule, x, schedule.chunk_flits(flits))));
    image.capacity = std::max(image.capacity, packets.back());
  }
  return axi_table_writes(image, {.kind = image.kind, .depths = depths_for(image)}, packets);
}

/// The comments of a text whose other lines are the writes of the schedule's tables.
std::string comments_of(const Schedule& schedule, unsigned flits) {
  const std::vector<AxiWrite> expected = writes_of(schedule, flits);
  std::istringstream text(axi_text(alone(schedule, flits)));
  std::vector<AxiWrite> writes;
  std::string comments;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("#")) {
      comments += line + "\n";
      continue;
    }
    AxiWrite w;
    std::istringstream words(line);
    words >> std::hex >> w.address >> w.data;
    CHECK(!words.fail());
    writes.push_back(w);
  }
  CHECK(writes == expected);
  CHECK(comments.find(fmt::format("# length {}\n", expected.size())) != std::string::npos);
  CHECK(comments.find(fmt::format("# checksum 0x{:08x}\n", axi_checksum(expected))) !=
        std::string::npos);
  return comments;
}

}  // namespace

TEST_CASE("axi text: the tables of every algorithm and model") {
  for (const Schedule& schedule : export_test::of_every_model()) {
    if (schedule.topology().nodes() > 256 || !is_torus(schedule.topology())) continue;
    CAPTURE(export_test::title(schedule));
    comments_of(schedule, 1);
  }
}

TEST_CASE("axi text: parameters, what each node's packet brings, and how many words it has") {
  const Schedule product = planned("torus:3x3", "product", "gossip");
  // All ports: 8 own words a node; no port receives more than 4.
  const Schedule exchange = planned("torus:3x3", "a2", "total-exchange");
  const Schedule ring = planned("ring:4", "ring", "gossip");
  const Schedule rooted = planned("ring:4", "any-graph", "broadcast");
  const Schedule sums = planned("ring:4", "reversed", "reduce-scatter");
  const auto file = [](std::string name) { return read_jsonl("tests/data/" + name + ".jsonl"); };
  const Schedule everything = file("sizes-everything-ring-6");
  const Schedule cube = file("all-reduce-doubling-cube-3");
  std::vector<std::string> own, sixteen, five;
  for (Node x = 0; x < 9; ++x) {
    own.push_back(fmt::format("\n# own {}:", x));
    for (const auto& m : own_messages(exchange, x)) own.back() += fmt::format(" {}", m.destination);
    own.back() += "\n";
    sixteen.push_back(fmt::format("\n# packet {}: 16 words\n", x));
    if (x < 4) five.push_back(fmt::format("\n# packet {}: 5 words\n", x));
  }
  sixteen.push_back(".STORE_DEPTH(16)");
  using Lines = std::vector<std::string>;
  struct Row {
    Schedule schedule;
    unsigned flits;
    Lines has, lacks = {};
    PortStages stages = {};
  };
  const Row rows[] = {
      {product, 2, {"# gossip (all-gather) on torus:3x3, messages of 2 flits\n"}},
      {product, 2, {".DIMS(2), .RADICES(32'h00030003), .WRAP(2'b11)"}},
      {product, 1, {".LINK_STAGES(16'h0201)"}, {}, {1, 1, 2, 2}},
      {exchange, 1, {".STORE_DEPTH(8)"}},
      {exchange, 1, own},
      {exchange, 2, sixteen},
      {ring, 1, {"\n# own 3: all\n"}},
      {rooted, 8, {"\n# packet 0: 8 words\n"}, {"\n# packet 1"}},
      {file("pieces-gossip-ring-4"), 5, five},
      {file("sizes-circuit-path-4"), 7, {"\n# own 0: 1:2 3:7\n# packet 0: 9 words\n# at 1 "}},
      {everything, 5, {"\n# own 3: all:1\n# packet 3: 1 word\n# own 5: all:2\n"}},
      {cube, 2, {"\n# own 7: vector\n# packet 7: 2 words\n"}},
      {cube, 2, {"\n# at 0 0 2 2 0 0\n# at 1 ", ".MODEL(32'h00000080)"}},
      {sums, 3, {"\n# own 2: 0 1 2 3\n# packet 2: 12 words\n"}},
      // Longer logs have more bits of index, in addresses (AXI_ALL_SLOTS, AXI_ALL_PACKETS), too.
      {ring, 1024, {}, {"INDEX_W"}},
      {ring, 1025, {"# axi_fabric #(\n#   .INDEX_W(13),\n", "\n0x01200000 0x"}},
      {ring, 1025, {"\n0x01c00000 0x00000401\n"}},
  };
  for (const Row& row : rows) {
    const std::string text = axi_text(alone(row.schedule, row.flits, row.stages));
    CAPTURE(text.substr(0, 200));
    for (const std::string& part : row.has) {
      INFO(part);
      CHECK(text.find(part) != std::string::npos);
    }
    for (const std::string& part : row.lacks) CHECK(text.find(part) == std::string::npos);
  }
  CHECK(axi_header(alone(ring, 1025), "t").find("#define T_REG_COMMIT 0x01e00018u\n") !=
        std::string::npos);
}

TEST_CASE("axi text: schedules of one fabric are for the same topology and links") {
  const Schedule all = planned("torus:3x3", "a2", "total-exchange");
  const Schedule gossip = planned("torus:3x3", "translation", "gossip");
  const Schedule ring = planned("ring:4", "translation", "gossip");
  const auto both = [&](const Schedule& other, const PortStages& stages) {
    std::vector<Program> programs = alone(all, 1);
    programs.push_back({.name = "b", .schedule = &other, .stages = stages});
    return axi_text(programs);
  };
  CHECK_THROWS_WITH(both(ring, {}), Catch::Matchers::StartsWith("b is for another topology than "));
  CHECK_THROWS_WITH(both(gossip, {2, 2, 2, 2}),
                    Catch::Matchers::StartsWith("b is for other link stages than "));
}

TEST_CASE("axi text: of a reduction, where each sum is in the end") {
  for (const char* what : {"reduce", "reduce-scatter", "all-reduce"}) {
    for (const char* how : {"reversed", "ring-reduce"}) {
      const Request request{.topology = Topology::parse("torus:3x3"),
                            .collective = parse_collective(what),
                            .ports = PortModel::All,
                            .flits = 40};
      if (algorithm(how).refuses(request)) continue;
      CAPTURE(what, how);
      const Schedule schedule = algorithm(how).plan(request);
      const std::string text = comments_of(schedule, 40);
      for (Node x = 0; x < 9; ++x) {
        std::uint64_t wanted = 0, named = 0;
        for_each_expected(schedule, x, [&](const Message& m) {
          wanted += schedule.chunk_flits(40).of(m);
          return true;
        });
        const std::string begin = fmt::format("# at {} ", x);
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
          if (!line.starts_with(begin)) continue;
          unsigned log = 9;
          std::uint64_t first = 0, words = 0;
          std::istringstream(line.substr(begin.size())) >> log >> first >> words;
          CHECK(log <= 4);
          named += words;
        }
        CHECK(named == wanted);
      }
    }
  }
}

TEST_CASE("axi header: a C compiler takes it, and the program finds length and checksum right") {
  const Scratch scratch;
  const Schedule schedule = planned("ring:4", "ring", "gossip");
  scratch.file("my-tables.h", axi_header(alone(schedule, 3), "my-tables"));
  // The table is written to a bus that is a file; the CRC is computed bit by bit.
  const std::string source = scratch.file("host.c", R"(
#include <stdio.h>
#include "my-tables.h"
static uint32_t step(uint32_t crc, uint32_t word) {
  for (int i = 0; i < 32; ++i, word >>= 1) crc = crc >> 1 ^ ((crc ^ word) & 1u ? 0xEDB88320u : 0u);
  return crc;
}
int main(void) {
  uint32_t crc = 0xFFFFFFFFu;
  for (uint32_t i = 0; i < MY_TABLES_LENGTH; ++i) {
    crc = step(step(crc, my_tables[i].address), my_tables[i].data);
    printf("%08x %08x\n", my_tables[i].address, my_tables[i].data);
  }
  printf("commit %08x\n", MY_TABLES_REG_COMMIT);
  for (uint32_t i = 0; i < MY_TABLES_NODES; ++i) {
    printf("%u\n", my_tables_packets[i]);
  }
  printf("%08x %08x %08x\n", MY_TABLES_REG_LIMIT, MY_TABLES_REG_CANCEL, MY_TABLES_REG_HOLDER);
  printf("%x %x\n", MY_TABLES_RUN_ABORT, MY_TABLES_STATUS_UNENDED);
  return ~crc != MY_TABLES_CHECKSUM;
}
)");
  const std::string program = scratch.path("host"), out = scratch.path("out");
  REQUIRE(std::system(fmt::format("'{}' -x c -std=c99 -Wall -Wextra -Werror -o '{}' '{}'",
                                  CXX_COMPILER, program, source)
                          .c_str()) == 0);
  CHECK(std::system(fmt::format("'{}' > '{}'", program, out).c_str()) == 0);
  std::string expected;
  for (const AxiWrite& w : writes_of(schedule, 3)) {
    expected += fmt::format("{:08x} {:08x}\n", w.address, w.data);
  }
  std::ifstream written(out);
  CHECK(std::string(std::istreambuf_iterator<char>(written), {}) ==
        expected + fmt::format("commit {:08x}\n", axi_control(rtl::AXI_COMMIT)) +
            "3\n3\n3\n3\n00f0007c 00f00080 00f00090\n4 800\n");
}

TEST_CASE("axi wrapper: every tool reads it, and each node's streams are those of the fabric") {
  const Scratch scratch;
  const std::string wrapper = scratch.file(
      "wrapper.v", axi_wrapper(alone(planned("torus:3x3", "product", "gossip"), 2), "my-fabric"));
  std::string bench = "module bench;\nreg wrong = 0;\n", ports, check;
  for (Node x = 0; x < 9; ++x) {
    bench += fmt::format(
        "wire ready_{0}, last_{0}, valid_{0};\nwire [31:0] data_{0};\nwire [7:0] user_{0};\n", x);
    ports += fmt::format(
        ", .s_axis_{0}_tdata(32'd{1}), .s_axis_{0}_tlast({2}), .s_axis_{0}_tvalid({2}), "
        ".s_axis_{0}_tready(ready_{0}), "
        ".m_axis_{0}_tdata(data_{0}), .m_axis_{0}_tuser(user_{0}), .m_axis_{0}_tlast(last_{0}), "
        ".m_axis_{0}_tvalid(valid_{0}), .m_axis_{0}_tready({2})",
        x, 100 + x, x == 2 ? "1'b1" : "1'b0");
    check += fmt::format(
        "if (dut.i_fabric.s_axis_tdata_i[{0}*32+:32] !== {1} || data_{0} !== {1} || user_{0} !== "
        "{1} || "
        "{{ready_{0}, last_{0}, valid_{0}}} !== {{3{{1'b{2}}}}}) wrong = 1;\n",
        x, 100 + x, x == 2 ? 1 : 0);
  }
  bench += "my_fabric_axi dut (.aclk(1'b0), .aresetn(1'b0)" + ports + ");\ninitial begin\n";
  for (const char* bits : {"s_axis_tready_o", "m_axis_tlast_o", "m_axis_tvalid_o"}) {
    bench += fmt::format("force dut.i_fabric.{} = 9'b000000100;\n", bits);
  }
  std::string data, user;
  for (unsigned x = 108; x >= 100; --x) {
    data += fmt::format("32'd{}{}", x, x > 100 ? ", " : "");
    user += fmt::format("8'd{}{}", x, x > 100 ? ", " : "");
  }
  bench += "force dut.i_fabric.m_axis_tdata_o = {" + data +
           "};\nforce dut.i_fabric.m_axis_tuser_o = {" + user + "};\n#1;\n" + check +
           "for (int b = 0; b < 9; b++) if ({dut.i_fabric.s_axis_tlast_i[b], "
           "dut.i_fabric.s_axis_tvalid_i[b], "
           "dut.i_fabric.m_axis_tready_i[b]} !== {3{b == 2}}) wrong = 1;\n"
           "if (!wrong) $display(\"PASS\");\n$finish(0);\nend\nendmodule\n";
  const std::string test = scratch.file("bench.sv", bench), out = scratch.path("out"),
                    program = scratch.path("bench");
  for (const std::string& command :
       {fmt::format("verilator --lint-only -Wall -Wno-DECLFILENAME --top-module my_fabric_axi -f "
                    "rtl/files.f '{}'",
                    wrapper),
        fmt::format("yosys -q -p \"read_verilog -sv $(grep -v // rtl/files.f | tr '\\n' ' ') {}; "
                    "hierarchy -check -top my_fabric_axi; "
                    "proc; check -assert\"",
                    wrapper),
        fmt::format("iverilog -g2012 -Wall -Wno-portbind -o '{}' -s bench -f rtl/files.f '{}' '{}'",
                    program, wrapper, test)}) {
    INFO(command);
    CHECK(std::system(fmt::format("{} > '{}' 2>&1", command, out).c_str()) == 0);
    std::ifstream said(out);
    CHECK(std::string(std::istreambuf_iterator<char>(said), {}) == "");
  }
  REQUIRE(std::system(fmt::format("vvp -n '{}' > '{}' 2>&1", program, out).c_str()) == 0);
  std::ifstream said(out);
  CHECK(std::string(std::istreambuf_iterator<char>(said), {}) == "PASS\n");
}

TEST_CASE("axi header: whatever it is called, its names are names in C") {
  const Schedule schedule = planned("ring:4", "ring", "gossip");
  const std::vector<std::pair<std::string, std::string>> names = {
      {"ring", "ring"}, {"My-Ring.4", "my_ring_4"}, {"4", "t4"}, {"9x9", "t9x9"}, {"-4", "_4"},
      {"", "t"}};
  for (const auto& [name, small] : names) {
    CAPTURE(name);
    std::string large = small;
    for (char& c : large) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const std::string text = axi_header(alone(schedule, 1), name);
    CHECK(text.find(fmt::format("#ifndef {0}_H\n#define {0}_H\n", large)) != std::string::npos);
    CHECK(text.find(fmt::format("#define {}_LENGTH ", large)) != std::string::npos);
    CHECK(text.find(fmt::format("_word {}[{}_LENGTH] = {{\n", small, large)) != std::string::npos);
  }
}

TEST_CASE("axi: what axi_fabric cannot be is refused") {
  CHECK_THROWS_AS(axi_text(alone(planned("complete:4", "hamiltonian", "gossip"), 1)), InputError);
  CHECK_THROWS_WITH(axi_text(alone(planned("torus:17x16", "product", "gossip"), 1)),
                    "axi: 32 bits of address reach 256 nodes; there are 272");
  CHECK_THROWS_WITH(axi_text(alone(planned("torus:3x3", "a2", "total-exchange"), 1 << 16)),
                    "axi: 32 bits of address reach 2 nodes with logs of 524288 words, lists of 4 "
                    "segments and tables of 2 slots; there are 9");
}
