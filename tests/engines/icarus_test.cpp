#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "catch.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "export/export.hpp"
#include "fabric/torus_shape.hpp"
#include "scratch.hpp"
#include "support/file.hpp"

namespace gossamer::test {

/// What tests/icarus/fabric_test.sv prints of one run.
inline std::string expected(const FabricImage& image) {
  const auto fabric = tb::make_tile_fabric(image.kind, false, 5, image.most_stages() != 0);
  fabric->load(image);
  std::string text;
  while (!fabric->done()) {
    fabric->run(1);
    for (Node x = 0; x < image.topology.nodes(); ++x) {
      for (Port p = 0; p < image.topology.ports(); ++p) {
        const Flit f = fabric->link(x, p);
        if (f.valid) {
          text += fmt::format("flit {} {} {} {:d} {:08x}\n", fabric->cycle(), x, p, f.last, f.data);
        }
      }
    }
  }
  text += fmt::format("done {}\n", fabric->cycle());
  const auto errors = fabric->errors();
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    for (const NodeError& e : errors) {
      if (e.node != x) continue;
      text += fmt::format("error {} {:08x} {} {} {}\n", x, e.seen, e.first_code, e.first_slot,
                          e.first_port);
    }
    text += fmt::format("model {} {:08x}\n", x, model_register(image.kind));
    for (unsigned g = 0; g < image.kind.logs(); ++g) {
      const auto words = fabric->log(x, g);
      for (std::size_t i = 0; i < words.size(); ++i) {
        text += fmt::format("word {} {} {} {:08x}\n", x, g, i, words[i]);
      }
    }
  }
  return text;
}

/// What it prints at its end: every node holds as many own words as its image says, then two.
inline std::string own_words(const FabricImage& image) {
  std::string text;
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    text += fmt::format("own {} {} 2 2\n", x, image.own_size(x));
  }
  return text;
}

inline void run_command(const std::string& command) {
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
}

/// A testbench of tests/icarus, compiled by Icarus for a fabric and its images.
class IcarusBench {
 public:
  IcarusBench(const FabricImage& image, const std::string& top, const std::string& parameters)
      : IcarusBench(image, depths_for(image), top, parameters) {}
  IcarusBench(const FabricImage& image, const NodeDepths& depths, const std::string& top,
              const std::string& parameters) {
    write_mem_images(image, build_for(image, depths), scratch_.path("images"));
    run_command(fmt::format(
        "iverilog -g2012 -o {0} -I {1} -s {2} -P{2}.NODES={3} -P{2}.PORTS={4} -P{2}.LOGS={5} {6} "
        "-f rtl/files.f tests/icarus/{2}.sv > {7} 2>&1",
        scratch_.path("fabric.vvp"), scratch_.path("images"), top, image.topology.nodes(),
        image.topology.ports(), image.kind.logs(), parameters, scratch_.path("log")));
  }
  /// Replaces a file of the images, which are read when it runs.
  void replace(const std::string& name, const std::string& text) const {
    write_file(scratch_.path("images") + "/" + name, text);
  }
  /// A file for it to read.
  std::string file(const std::string& text) const { return scratch_.file("file", text); }
  /// What it prints.
  std::string run(const std::string& arguments = "") const {
    run_command(fmt::format("vvp -n {} {} > {} 2>&1", scratch_.path("fabric.vvp"), arguments,
                            scratch_.path("out")));
    return read_file(scratch_.path("out"));
  }

 private:
  Scratch scratch_;
};

inline std::string icarus(const FabricImage& image, unsigned tree = 0) {
  return IcarusBench(image, "fabric_test", fmt::format("-Pfabric_test.TREE={}", tree)).run();
}

/// Compares and shows only the first lines that differ, because whole outputs are long.
inline void check_equal(const std::string& found, const std::string& wanted) {
  std::size_t at = 0;
  while (at < found.size() && at < wanted.size() && found[at] == wanted[at]) ++at;
  const std::size_t line = at == 0 ? 0 : wanted.rfind('\n', at - 1) + 1;
  CHECK(found.substr(line, 200) == wanted.substr(line, 200));
  CHECK((found == wanted));
}

// Small fabrics under Icarus, from their .mem images, against the tile engine: every flit in every
// cycle, every word in every log. Icarus simulates unknown values, so it shows registers that are
// used before they have a value.

namespace {

/// `fit` is applied to the image, for the tile engine and for the nodes under Icarus; these are
/// `tree` register stages away.
template <class Fit>
void check_icarus(const Schedule& schedule, unsigned flits, Fit fit, unsigned tree = 0) {
  INFO(schedule.topology().spec() << ", " << to_string(schedule.model().duplex));
  const Port ports = schedule.topology().ports();
  FabricImage image = prepare(schedule, flits, ports);
  FabricImage for_tiles = prepare(schedule, flits, tb::tile_ports(ports));
  fit(image);
  fit(for_tiles);
  const std::string once = expected(for_tiles);
  REQUIRE(once.find("word ") != std::string::npos);
  check_equal(icarus(image, tree), once + once + own_words(image));
}
void check_icarus(const Schedule& schedule, unsigned flits, unsigned tree = 0) {
  check_icarus(
      schedule, flits, [](FabricImage&) {}, tree);
}

}  // namespace

TEST_CASE("a ring under Icarus, from its images, does what the tile engine does, twice") {
  check_icarus(plan("ring:4", "ring", GENERATE(Duplex::Full, Duplex::Half)), 3);
}

TEST_CASE("a node under Icarus whose image has more own words than a log starts with a full log") {
  const FabricImage image = prepare(plan("ring:4", "ring", Duplex::Full), 3, 2);
  const IcarusBench ring(image, "fabric_test", "-DGOSSAMER_SIM");
  ring.replace("node_0000_own_words.mem", "ffff\n");
  const std::string text = ring.run();
  CHECK(text.find(fmt::format("\nown 0 {} 2 2\nown 1 {} 2 2\n", depths_for(image).words,
                              image.own_size(1))) != std::string::npos);
}

TEST_CASE("nodes at the leaves of a tree do in their cycles what the tile engine does, twice") {
  check_icarus(plan("torus:3x3", "product", Duplex::Full), 2, GENERATE(1u, 2u, 5u));
}

TEST_CASE(
    "small nodes under Icarus, from their images, do what full ones do, and say what they are") {
  check_icarus(plan("ring:4", "ring", Duplex::Full), 1, [](FabricImage& image) {
    fit_one_cycle_nodes(image);
    fit_in_order_nodes(image);
  });
}

TEST_CASE("an all-port mesh with links of radix 2 under Icarus does what the tile engine does") {
  Schedule s(Topology::parse("product:path:2,path:3"), Collective::Gossip,
             {PortModel::All, Duplex::Full, Switching::Packet, true});
  for (unsigned round = 1; round <= 3; ++round) {
    for (Node x = 0; x < s.topology().nodes(); ++x) {
      for (Port p = 0; p < s.topology().ports(); ++p) {
        if (!s.topology().peer(x, p).connected()) continue;
        const Node path[] = {x, s.topology().peer(x, p).node};
        s.add_everything(round, path);
      }
    }
  }
  check_icarus(s, 1);
}

/// The node of node_test.sv, built with these parameters, compiled and run by Icarus.
std::string icarus_node(const std::string& parameters) {
  const Scratch scratch;
  run_command(fmt::format(
      "iverilog -g2012 -o {0} -s node_test {1} -f rtl/files.f tests/icarus/node_test.sv > {2} 2>&1",
      scratch.path("node.vvp"), parameters, scratch.path("log")));
  run_command(fmt::format("vvp -n {} > {} 2>&1", scratch.path("node.vvp"), scratch.path("out")));
  return read_file(scratch.path("out"));
}

TEST_CASE("a node of any flit width is filled, run and read through its configuration port",
          "[.icarus]") {
  const int width = GENERATE(1, 8, 32, 64, 96);
  const int single = GENERATE(0, 1);
  INFO("FLIT_W = " << width << ", SINGLE_PORT = " << single);
  CHECK(icarus_node(fmt::format("-Pnode_test.FLIT_W={} \"-Pnode_test.SINGLE_PORT=1'b{}\"", width,
                                single)) == "PASS\n");
}

TEST_CASE(
    "what an entry does wrong is reported, and what a malformed one does then, for 1 to 9 ports of "
    "every kind") {
  const Scratch scratch;
  run_command(
      fmt::format("iverilog -g2012 -o {0} -s entry_test -f rtl/files.f tests/icarus/entry_test.sv "
                  "> {1} 2>&1 && "
                  "vvp -n {0} > {1} 2>&1",
                  scratch.path("entry.vvp"), scratch.path("out")));
  CHECK(read_file(scratch.path("out")) == "PASS\n");
}

TEST_CASE("what a node of any kind sends and says is never X, from the reset on, in both texts",
          "[.icarus]") {
  const std::string kind = GENERATE("full_duplex", "half_duplex", "one_cycle", "adaptive");
  const int variant = GENERATE(range(0, 16));
  const bool adaptive = kind == "adaptive";
  const bool single = variant & 1, staged = variant & 2, large = variant & 4,
             simulation = variant & 8;
  const std::string parameters = fmt::format(
      "{} '-Pnode_test.KIND=\"{}\"' -Pnode_test.STAGES={} -Pnode_test.CHANNELS={} "
      "\"-Pnode_test.SINGLE_PORT=1'b{:d}\" "
      "\"-Pnode_test.DOUBLE_BUFFERED=1'b{:d}\" \"-Pnode_test.IN_ORDER=1'b{:d}\" "
      "\"-Pnode_test.BARE=1'b{:d}\"",
      simulation ? "-DGOSSAMER_SIM -gno-assertions" : "", kind, staged ? 3 : 0,
      large && !single && !adaptive ? 2 : 1, single, large, !large && !adaptive, !large);
  INFO(parameters);
  CHECK(icarus_node(parameters) == "PASS\n");
}

TEST_CASE("what a host or a neighbour must not do trips an assertion, in simulation alone",
          "[.icarus]") {
  const Scratch scratch;
  for (const bool simulation : {false, true}) {
    run_command(
        fmt::format("iverilog -g2012 {} -o {} -s misuse_test -f rtl/files.f "
                    "tests/icarus/misuse_test.sv > {} 2>&1",
                    simulation ? "-DGOSSAMER_SIM" : "", scratch.path(simulation ? "sim" : "hw"),
                    scratch.path("log")));
  }
  // Where the first assertion is that each misuse of the bench trips.
  std::istringstream wanted(
      "nothing node_table node_table node_table node_table message_store message_store config_port "
      "config_port config_port config_port config_port core link core core core node aw aw w w ar "
      "ar stream stream stream link");
  std::string where;
  for (std::size_t misuse = 0; wanted >> where; ++misuse) {
    INFO("misuse " << misuse);
    const auto said = [&](const std::string& text) {
      run_command(fmt::format("vvp -n {} +misuse={} > {} 2>&1", scratch.path(text), misuse,
                              scratch.path("out")));
      return read_file(scratch.path("out"));
    };
    const std::string found = said("sim");
    std::string scope =
        found.substr(0, found.find('\n', std::min(found.size(), found.find("Scope: "))));
    if (scope.ends_with(".gen_assertions")) scope.resize(scope.rfind('.'));
    CHECK(scope.substr(scope.rfind('.') + 1) == (misuse == 0 ? "" : "i_" + where));
    CHECK(said("hw").empty());
  }
}

// Tori whose parts have clocks of their own, under Icarus, against the tile engine: each flit in
// its part's predicted cycle, every word, and what is reported if a part does not start.

namespace {

/// The lines about flits and words, sorted.
std::vector<std::string> flits_and_words(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("flit ") || line.starts_with("word ")) lines.push_back(line);
  }
  std::ranges::sort(lines);
  return lines;
}

/// What a run of parts_test says: the part before its second run, and that.
std::array<std::string, 2> both_runs(const std::string& text) {
  const std::size_t again = text.find("again\n");
  REQUIRE(again != std::string::npos);
  return {text.substr(0, again), text.substr(again)};
}

/// A torus of several torus_part, each with its own images and, unless all have one, its own clock
/// (parts_test.sv).
class TorusInParts {
 public:
  TorusInParts(const FabricImage& image, const std::vector<Node>& sizes, bool common_clock) {
    const TorusShape shape = torus_shape(image.topology);
    const std::string size = fmt::format("{}", fmt::join(sizes, "x"));
    std::vector<Node> corner(sizes.size());
    // The parts count as nodes do, dimension 0 fastest.
    for (unsigned part = 0;; ++part) {
      write_mem_images(image, build_for(image), scratch_.path(fmt::format("part_{}", part)),
                       torus_part(shape, fmt::format("{}@{}", size, fmt::join(corner, ","))));
      std::size_t d = 0;
      while (d < sizes.size() && (corner[d] += sizes[d]) == shape.dimensions[d].radix)
        corner[d++] = 0;
      if (d == sizes.size()) break;
    }
    const std::string text = read_file(scratch_.path("part_0/fabric.vh"));
    const std::regex parameter(R"rx(\.([A-Z_]+)\(([^()]*)\))rx");
    std::string chosen;
    for (std::sregex_iterator it(text.begin(), text.end(), parameter), end; it != end; ++it) {
      if ((*it)[1] == "WRAP") continue;
      const std::string value =
          (*it)[1] == "IMAGES" ? fmt::format("\"{}\"", scratch_.path("part_")) : (*it)[2].str();
      chosen += fmt::format(" \"-Pparts_test.{}={}\"", (*it)[1].str(),
                            std::regex_replace(value, std::regex("\""), "\\\""));
    }
    run_command(fmt::format(
        "iverilog -g2012 -o {0}/vvp -s parts_test {1} \"-Pparts_test.COMMON=1'b{2:d}\" "
        "-Pparts_test.K={3} -f rtl/files.f tests/icarus/parts_test.sv > {0}/log 2>&1",
        scratch_.path(""), chosen, common_clock, common_clock ? 1 : image.most_stages() - 5));
  }
  std::string run(const std::string& arguments = "") const {
    run_command(fmt::format("vvp -n {0}/vvp {1} > {0}/out 2>&1", scratch_.path(""), arguments));
    return read_file(scratch_.path("out"));
  }

 private:
  Scratch scratch_;
};

/// Every flit in its part's own cycle, every word and the last cycle are those of the whole torus,
/// in both runs; if parts have clocks of their own, links say so when the start of part 1 is lost,
/// and no other word arrives.
void check_parts(const Schedule& schedule, unsigned flits, const std::vector<Node>& sizes,
                 const std::string& stages) {
  INFO(schedule.topology().spec() << ", " << to_string(schedule.collective()) << ", parts of "
                                  << fmt::format("{}", fmt::join(sizes, "x")));
  const Port ports = schedule.topology().ports();
  const PortStages registers = LinkStages::parse(stages).on(schedule);
  const FabricImage for_tiles =
      prepare(schedule, flits, reduces(schedule.collective()) ? ports : tb::tile_ports(ports),
              nullptr, registers);
  const std::string whole = expected(for_tiles);
  const auto once = flits_and_words(whole);
  const std::string done = whole.substr(
      whole.find("done "), whole.find('\n', whole.find("done ")) - whole.find("done ") + 1);
  REQUIRE(whole.find("word ") != std::string::npos);
  const bool common_clock = stages.size() == 1 && stages[0] < '6';
  const TorusInParts parts(prepare(schedule, flits, ports, nullptr, registers), sizes,
                           common_clock);
  const std::string text = parts.run();
  for (const std::string& said : both_runs(text)) {
    CHECK((flits_and_words(said) == once));
    CHECK(said.find(done) != std::string::npos);
  }
  CHECK(text.find("skew ") == std::string::npos);
  CHECK(text.find("error ") == std::string::npos);
  if (common_clock) return;
  const auto [first, second] = both_runs(parts.run("+lost=1 +seed=2"));
  CHECK((flits_and_words(first) == once));
  CHECK(second.find("skew 0\n") != std::string::npos);
  CHECK(second.find("stalled\n") != std::string::npos);
  const bool sums = for_tiles.kind.join;  // some lack what never came, and their node has said so
  if (sums) CHECK(second.find("error ") != std::string::npos);
  for (const std::string& line : flits_and_words(second)) {
    if (line.starts_with("word ") && !sums) CHECK(std::ranges::binary_search(once, line));
  }
}

}  // namespace

TEST_CASE("two parts with clocks of their own are a torus: each flit in its predicted cycle") {
  check_parts(plan("torus:4x2", "product", Duplex::Full), 1, {2, 2}, "8");
}

TEST_CASE("two parts with clocks of their own add up: each sum and each flit as of one torus",
          "[.icarus]") {
  check_parts(plan_any("torus:4x2", "reversed", Collective::AllReduce, PortModel::All, 4), 4,
              {2, 2}, "8");
}

TEST_CASE(
    "two and four parts with clocks of their own are a torus of 8x4: gossip, total exchange, sums",
    "[.long]") {
  for (const std::vector<Node>& sizes : {std::vector<Node>{4, 4}, std::vector<Node>{4, 2}}) {
    check_parts(plan("torus:8x4", "product", Duplex::Full), 1, sizes, "8");
    check_parts(plan_any("torus:8x4", "edge-colouring", Collective::TotalExchange, PortModel::All),
                1, sizes, "6");
    for (const char* how : {"reversed", "ring-reduce"}) {
      check_parts(plan_any("torus:8x4", how, Collective::AllReduce, PortModel::All, 8), 8, sizes,
                  "8");
    }
  }
}

TEST_CASE("parts with one clock are a torus, whichever dimensions are split") {
  check_parts(plan("torus:4x3", "product", Duplex::Half), 2, {2, 1}, "0");
  check_parts(plan_any("torus:3x2", "reversed", Collective::AllReduce, PortModel::All, 2), 2,
              {3, 1}, "0");
  check_parts(plan("torus:3x2", "hamiltonian", Duplex::Full), 1, {3, 1}, "2");
  check_parts(plan("torus:2x3", "hamiltonian", Duplex::Full), 1, {1, 1}, "1");
}

}  // namespace gossamer::test
