// Designs for any topology: the testbench passes under Icarus, and notices what is wrong.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "driver/report.hpp"
#include "export/export.hpp"
#include "plans.hpp"
#include "scratch.hpp"
#include "support/error.hpp"
#include "support/file.hpp"

using namespace gossamer;
using export_test::asked;

namespace {

struct Design {
  Scratch scratch;

  explicit Design(const Case& c) {
    const Plan plan = make_plan(c);
    const Facts report = examine(c, plan);
    REQUIRE(report.passed());
    export_rtl(plan.schedule, c.flits, c.seed, report.cycles_predicted().value(),
               scratch.folder().string(), c.stages.on(plan.schedule));
  }

  /// What the testbench says; the target must end with this status.
  std::string make(const std::string& target, bool passes) const {
    const std::string log = scratch.path("log");
    const int status = std::system(fmt::format("make -C '{}' RTL=\"$PWD/rtl\" {} > '{}' 2>&1",
                                               scratch.folder().string(), target, log)
                                       .c_str());
    const std::string said = read_file(log);
    CAPTURE(said);
    CHECK((status == 0) == passes);
    return said;
  }
};

Case from(const std::string& file) {
  Case c;
  c.file = "tests/data/" + file + ".jsonl";
  c.flits_given = !file.starts_with("sizes-");
  return c;
}

constexpr auto kGossip = Collective::Gossip, kExchange = Collective::TotalExchange,
               kReduce = Collective::Reduce, kAll = Collective::AllReduce;
constexpr auto kFull = Duplex::Full, kHalf = Duplex::Half;
constexpr auto kOne = PortModel::Single, kEach = PortModel::All;
const std::string kStar = "edges:tests/data/star-9.json", kBoard = "edges:tests/data/board-8.json";

Case star_gossip() { return asked(kStar, kGossip, kEach, kFull, 3, "0", "any-graph"); }

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an exported rtl design runs its schedule under Icarus and lints clean") {
  Case codes;  // circuits and "everything"
  codes.topology = "ring:9";
  codes.algorithm = "lee-code";
  codes.flits = 1;
  Case groups = asked(kBoard, kAll, kOne, kFull, 3);
  groups.members = "0-3/4-7";
  groups.op = Operator::OP_MAX;
  for (const Case& c :
       {star_gossip(), codes, groups, from("sizes-everything-ring-6"), from("sizes-circuit-path-4"),
        from("members-everything-ring-6"), from("pieces-gossip-ring-4"),
        asked(kBoard, kExchange, kOne, kHalf, 2), asked(kBoard, kGossip, kEach, kFull, 2),
        asked("path:5", kExchange, kEach, kFull, 2), asked("path:2", kExchange, kEach, kHalf, 2),
        asked("torus:2x3", Collective::Scatter, kEach, kFull, 1),
        // In a mesh port 1 of one node is along the first dimension, port 1 of another along the
        // second.
        asked("torus:3x4", kGossip, kOne, kFull, 2, "0,2", "product"),
        asked("torus:2x3", kGossip, kOne, kHalf, 2, "3,1", "product"),
        asked("mesh:3x2", kGossip, kOne, kFull, 2, "1,4", "product"),
        asked("mesh:3x3", kGossip, kOne, kFull, 2, "2,2", "product"),
        // Nodes of one port among others; the last sum is written after the last flit has come.
        asked(kStar, kReduce, kEach, kFull, 3), asked("mesh:3x2", kReduce, kEach, kFull, 3, "2,1"),
        asked("mesh:3x2", kAll, kEach, kHalf, 3),
        asked("path:4", Collective::ReduceScatter, kEach, kFull, 3),
        asked("ring:3", kAll, kEach, kFull, 1)}) {
    CAPTURE(c.topology, c.file);
    const Design design(c);
    CHECK(mentions(design.make("icarus", true), "PASS: "));
    design.make("lint", true);
  }
}

TEST_CASE("an exported rtl design takes the same cycles under Icarus and Verilator") {
  Case c = star_gossip();
  c.topology = "path:3";  // small, for Verilator's C++ takes long to compile; one and two ports
  c.flits = 1;
  const Design design(c);
  const std::string said =
      design.make("OPTIONS='-CFLAGS -O0' OBJCACHE=\"$(command -v ccache)\"", true);
  const std::size_t first = said.find("PASS: 6 cycles, 8 words compared");
  REQUIRE(first != std::string::npos);
  CHECK(said.find("PASS: 6 cycles, 8 words compared", first + 1) != std::string::npos);
  CHECK(mentions(read_file(design.scratch.path("fabric.sv")), "32'd1, 32'd2, 32'd1}"));
  CHECK(said.find("Warning") == std::string::npos);
  CHECK(mentions(design.make("RTL=elsewhere icarus", false),
                 "there is no elsewhere/files.f: make RTL=GOSSAMER/rtl"));
}

TEST_CASE("the testbench of an exported rtl design notices what is wrong") {
  Case pieces = from("pieces-ring-5");  // of two lengths
  pieces.flits = 5;
  const Case star = star_gossip(),
             mesh = asked("mesh:3x2", kGossip, kOne, kFull, 2, "1,4", "product"),
             sums = asked(kStar, kReduce, kEach, kFull, 3);
  // Of a file a line is another, or changes places with the next one, or a text is another.
  struct Row {
    Case asked;
    std::string file, line, text, says;
    std::size_t number = 0;
  };
  const Row rows[] = {
      {star, "expected_words.mem", "", "0badc0de", "expected 0badc0de"},
      {star, "fabric_test.sv", "EXPECTED = 26;", "EXPECTED = 25;",
       "arrived in cycle 26, expected 25"},
      // Links that are a stage longer than tables and nodes know.
      {mesh, "fabric.sv", "link_stages #(.STAGES(4)", "link_stages #(.STAGES(5)", "FAIL: "},
      {pieces, "node_0000_own.mem", "", "", ", expected "},
      {sums, "expected_words.mem", "", "0badc0de", "expected 0badc0de", 1},
      {sums, "fabric_test.sv", "EXPECTED = 12;", "EXPECTED = 13;",
       "sum was written in cycle 12, expected 13"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.asked.topology, row.file, row.text);
    const Design design(row.asked);
    if (row.line.empty()) {
      std::vector<std::string> lines;
      std::istringstream in(read_file(design.scratch.path(row.file)));
      for (std::string line; std::getline(in, line);) lines.push_back(line);
      std::string& line = lines.at(row.number);
      if (row.text.empty()) {
        line.swap(lines.at(row.number + 1));
      } else {
        line = row.text;
      }
      write_file(design.scratch.path(row.file), fmt::format("{}\n", fmt::join(lines, "\n")));
    } else {
      std::string content = read_file(design.scratch.path(row.file));
      REQUIRE(mentions(content, row.line));
      for (std::size_t at; (at = content.find(row.line)) != std::string::npos;) {
        content.replace(at, row.line.size(), row.text);
      }
      write_file(design.scratch.path(row.file), content);
    }
    CHECK(mentions(design.make("icarus", false), row.says));
  }
}

TEST_CASE("rtl designs of adaptive schedules are refused") {
  Case c;
  c.topology = "hypercube:3";
  c.algorithm = "chau-fu";
  const Plan plan = make_plan(c);
  const Scratch scratch;
  CHECK_THROWS_AS(export_rtl(plan.schedule, 1, 1, 10, scratch.path("design")), InputError);
}
