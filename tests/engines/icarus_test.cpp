// Small fabrics under Icarus, from their .mem images, against the tile engine: every flit in every
// cycle, every word in every log. Icarus simulates unknown values, so it shows registers that are
// used before they have a value.
#include "engines/icarus_bench.hpp"

namespace gossamer::test {
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

}  // namespace gossamer::test
