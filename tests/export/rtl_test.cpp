// Designs for any topology: the testbench passes under Icarus, and notices what is wrong.
#include "export/rtl.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "driver/report.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

namespace {

struct Design {
  Scratch scratch;

  explicit Design(const Case& c) {
    const Plan plan = make_plan(c);
    const Report report = examine(c, plan);
    REQUIRE(report.passed());
    export_rtl(plan.schedule, c.flits, c.seed, report.cycles_predicted.value(),
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

  void replace(const std::string& file, const std::string& old_text,
               const std::string& text) const {
    std::string content = read_file(scratch.path(file));
    const std::size_t at = content.find(old_text);
    REQUIRE(at != std::string::npos);
    content.replace(at, old_text.size(), text);
    write_file(scratch.path(file), content);
  }
};

Case star_gossip() {
  Case c;
  c.topology = "edges:tests/data/star-9.json";
  c.collective = Collective::Gossip;
  c.algorithm = "any-graph";
  c.ports = PortModel::All;
  c.flits = 3;
  return c;
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an exported rtl design runs its schedule under Icarus and lints clean") {
  const auto on = [](const std::string& topology, Collective collective, PortModel ports,
                     Duplex duplex, unsigned flits) {
    Case c;
    c.topology = topology;
    c.collective = collective;
    c.ports = ports;
    c.duplex = duplex;
    c.flits = flits;
    return c;
  };
  Case codes;  // circuits and "everything"
  codes.topology = "ring:9";
  codes.algorithm = "lee-code";
  codes.flits = 1;
  const auto from = [](const std::string& file) {
    Case c;
    c.file = file;
    c.flits_given = file.find("/sizes-") == std::string::npos;
    return c;
  };
  for (const Case& c :
       {star_gossip(), codes, from("tests/data/sizes-everything-ring-6.jsonl"),
        from("tests/data/sizes-circuit-path-4.jsonl"),
        from("tests/data/members-everything-ring-6.jsonl"),
        from("tests/data/pieces-gossip-ring-4.jsonl"),
        on("edges:tests/data/board-8.json", Collective::TotalExchange, PortModel::Single,
           Duplex::Half, 2),
        on("edges:tests/data/board-8.json", Collective::Gossip, PortModel::All, Duplex::Full, 2),
        on("path:5", Collective::TotalExchange, PortModel::All, Duplex::Full, 2),
        on("path:2", Collective::TotalExchange, PortModel::All, Duplex::Half, 2),
        on("torus:2x3", Collective::Scatter, PortModel::All, Duplex::Full, 1)}) {
    CAPTURE(c.topology);
    const Design design(c);
    CHECK(mentions(design.make("icarus", true), "PASS: "));
    design.make("lint", true);
  }
}

TEST_CASE(
    "the view of an exported rtl design names signals of its waveform, each as wide as there") {
  Case c;
  c.topology = "ring:3";
  c.algorithm = "ring";
  c.flits = 2;
  const Design design(c);
  design.make("WAVES=+waves icarus", true);
  std::set<std::string> there;
  std::istringstream wave(read_file(design.scratch.path("waves.vcd")));
  std::string scope;
  for (std::string line; std::getline(wave, line) && !line.starts_with("$enddefinitions");) {
    std::istringstream words(line);
    std::string word, kind, name, range;
    words >> word >> kind >> name;  // of a variable the width and its short name come between
    if (word == "$scope") scope += name + ".";
    if (word == "$upscope") scope.erase(scope.rfind('.', scope.size() - 2) + 1);
    if (word != "$var") continue;
    words >> word >> name >> range;
    there.insert(scope + name + (range == "$end" ? "" : range));
  }
  std::istringstream view(read_file(design.scratch.path("waves.gtkw")));
  unsigned rows = 0;
  for (std::string line; std::getline(view, line);) {
    if (!line.starts_with("+{")) continue;
    std::string signal = line.substr(line.find("} ") + 2);
    if (signal[0] == '(') signal.erase(0, signal.find(')') + 1);
    CAPTURE(signal);
    CHECK(there.count(signal) == 1);
    ++rows;
  }
  CHECK(rows > 30);
}

TEST_CASE("an exported rtl design has links of its dimensions' register stages") {
  const auto staged = [](const std::string& topology, const std::string& stages, Duplex duplex) {
    Case c;
    c.topology = topology;
    c.algorithm = "product";
    c.collective = Collective::Gossip;
    c.ports = PortModel::Single;
    c.duplex = duplex;
    c.flits = 2;
    c.stages = LinkStages::parse(stages);
    return c;
  };
  // In a mesh port 1 of one node is along the first dimension, port 1 of another along the second.
  for (const Case& c :
       {staged("torus:3x4", "0,2", Duplex::Full), staged("torus:2x3", "3,1", Duplex::Half),
        staged("mesh:3x2", "1,4", Duplex::Full), staged("mesh:3x3", "2,2", Duplex::Full)}) {
    CAPTURE(c.topology);
    const Design design(c);
    CHECK(mentions(design.make("icarus", true), "PASS: "));
    design.make("lint", true);
  }
  const Design mesh(staged("mesh:3x2", "1,4", Duplex::Full));
  const std::string text = read_file(mesh.scratch.path("fabric.sv"));
  CHECK(mentions(text,
                 "{\n    8'd4, 8'd1, 8'd4, 8'd1, 8'd1, 8'd4, 8'd1, 8'd4, 8'd1, 8'd4, 8'd1, 8'd1, "
                 "8'd4, 8'd1}"));
  // Tables and nodes follow links that are one stage longer, or they notice.
  for (int link = 0; link < 6; ++link) {
    mesh.replace("fabric.sv", "link_stages #(.STAGES(4)", "link_stages #(.STAGES(5)");
  }
  CHECK(mentions(mesh.make("icarus", false), "FAIL: "));
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

TEST_CASE("the testbench of an exported rtl design notices wrong words and wrong cycles") {
  const Design design(star_gossip());
  const std::string words = read_file(design.scratch.path("expected_words.mem"));
  design.replace("expected_words.mem", words.substr(0, 8), "0badc0de");
  CHECK(mentions(design.make("icarus", false), "0badc0de is missing"));
  write_file(design.scratch.path("expected_words.mem"), words);
  design.replace("fabric_test.sv", "EXPECTED = 26;", "EXPECTED = 25;");
  CHECK(mentions(design.make("icarus", false), "arrived in cycle 26, expected 25"));
}

TEST_CASE("the testbench of an exported rtl design notices flits in another order") {
  Case c;
  c.file = "tests/data/pieces-ring-5.jsonl";  // pieces of two lengths
  c.flits = 5;
  c.flits_given = true;
  const Design design(c);
  design.make("icarus", true);
  const std::string own = read_file(design.scratch.path("node_0000_own.mem"));
  const std::string first = own.substr(0, own.find('\n') + 1);
  const std::string second =
      own.substr(first.size(), own.find('\n', first.size()) + 1 - first.size());
  design.replace("node_0000_own.mem", first + second, second + first);
  CHECK(mentions(design.make("icarus", false), " is missing"));
}

TEST_CASE("an exported rtl design of a reduction brings each sum, and its testbench reads it") {
  const auto on = [](const std::string& topology, Collective collective, PortModel ports,
                     Duplex duplex, const std::string& stages = "0", unsigned flits = 3) {
    Case c;
    c.topology = topology;
    c.collective = collective;
    c.ports = ports;
    c.duplex = duplex;
    c.stages = LinkStages::parse(stages);
    c.flits = flits;
    return c;
  };
  constexpr auto kReduce = Collective::Reduce, kAll = Collective::AllReduce;
  Case groups = on("edges:tests/data/board-8.json", kAll, PortModel::Single, Duplex::Full);
  groups.members = "0-3/4-7";
  groups.op = Operator::Max;
  for (const Case& c :
       {groups,
        // Nodes of one port among others; the last sum is written after the last flit has come.
        on("edges:tests/data/star-9.json", kReduce, PortModel::All, Duplex::Full),
        on("mesh:3x2", kReduce, PortModel::All, Duplex::Full, "2,1"),
        on("mesh:3x2", kAll, PortModel::All, Duplex::Half),
        on("path:4", Collective::ReduceScatter, PortModel::All, Duplex::Full),
        on("ring:3", kAll, PortModel::All, Duplex::Full, "0", 1)}) {
    CAPTURE(c.topology);
    const Design design(c);
    CHECK(mentions(design.make("icarus", true), "PASS: "));
    design.make("lint", true);
  }
  const Design star(on("edges:tests/data/star-9.json", kReduce, PortModel::All, Duplex::Full));
  const std::string words = read_file(star.scratch.path("expected_words.mem"));
  star.replace("expected_words.mem", words.substr(9, 8), "0badc0de");
  CHECK(mentions(star.make("icarus", false), ", the sum is 0badc0de"));
  write_file(star.scratch.path("expected_words.mem"), words);
  star.replace("fabric_test.sv", "EXPECTED = 39;", "EXPECTED = 40;");
  CHECK(mentions(star.make("icarus", false), "sum was written in cycle 39, expected 40"));
}

TEST_CASE("rtl designs of adaptive schedules are refused") {
  Case c;
  c.topology = "hypercube:3";
  c.algorithm = "chau-fu";
  const Plan plan = make_plan(c);
  const Scratch scratch;
  CHECK_THROWS_AS(export_rtl(plan.schedule, 1, 1, 10, scratch.path("design")), InputError);
}
