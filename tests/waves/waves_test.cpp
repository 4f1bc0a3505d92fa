// Waveforms of real runs, read back and compared with the runs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "driver/case.hpp"
#include "gossamer_constants.hpp"
#include "runner/fabric_runner.hpp"
#include "scratch.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "tables/compiler.hpp"
#include "views/rows.hpp"
#include "waves/wave.hpp"
#include "waves/wave_view.hpp"

namespace gossamer::test {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kFlits = 4;

Schedule ring_gossip(Node n, Duplex duplex) {
  Request request{.topology = Topology::parse(fmt::format("ring:{}", n)), .cycle = {}};
  request.duplex = duplex;
  return algorithm("ring").plan(request);
}

RunOptions traced(const Scratch& scratch, const std::string& engine = "tile") {
  RunOptions options;
  options.flits = kFlits;
  options.engine = engine;
  options.trace = scratch.path("run" + std::string(wave_extension(engine)));
  return options;
}

RunResult run(const Schedule& schedule, const RunOptions& options) {
  tb::FabricRunner runner;
  return runner.run(schedule, options);
}

std::vector<std::string> lines_of(const std::string& file) {
  std::istringstream text(read_file(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// "+{out} a.b.c[3:0]" names a.b.c[3:0], and so does "+{bit} (2)a.b.c[3:0]".
std::vector<std::string> signals_of_view(const std::string& file) {
  std::vector<std::string> signals;
  for (const std::string& line : lines_of(file)) {
    if (line.rfind("+{", 0) != 0) continue;
    std::string signal = line.substr(line.find("} ") + 2);
    if (signal[0] == '(') signal.erase(0, signal.find(')') + 1);
    signals.push_back(signal);
  }
  return signals;
}

/// The names that the .flits file has for words with their valid bit.
std::map<std::uint64_t, std::string> names_of_flits(const std::string& file) {
  std::map<std::uint64_t, std::string> names;
  for (const std::string& line : lines_of(file)) {
    if (line[0] == '#') continue;
    const std::size_t name = line.rfind('?') + 1;  // behind the colour
    names[std::stoull(line.substr(0, 9), nullptr, 16)] = line.substr(name);
  }
  return names;
}

std::string core(Node x) { return fmt::format("node_{}.switch_tile.i_core.", x); }
std::string flit(Node x, Port p, const char* direction) {
  return core(x) + fmt::format("i_view.gen_port[{}].{}_flit[32:0]", p, direction);
}

std::string expected(Node x, Port p) {
  return fmt::format("node_{}.switch_tile.gen_expected[{}].flit[32:0]", x, p);
}

/// SystemC may be missing.
bool has_engine(const std::string& engine) { return engine != "systemc" || GOSSAMER_SYSTEMC; }

/// Gossip on a square whose classes are the nodes 0 and 1, and 2 and 3: a representative is not the
/// number of its class.
Schedule square_in_classes() {
  const Topology square = Topology::parse("hypercube:2");
  Schedule schedule(square, Collective::Gossip, Model{}, Symmetry(square, std::vector<Node>{1}));
  for (const Node x : {0u, 2u}) schedule.add_hop(1, x, x ^ 1, x);
  for (const Node x : {0u, 2u}) schedule.add_hop(2, x, x ^ 2, x);
  for (const Node x : {0u, 2u}) schedule.add_hop(3, x, x ^ 2, x ^ 1);
  return schedule;
}

/// On a half-duplex ring of 4 both ends of the link between nodes 1 and 2 drive it in round 2.
Schedule two_drivers() {
  Schedule schedule(Topology::parse("ring:4"), Collective::Gossip, {.duplex = Duplex::Half});
  schedule.add_hop(1, 0, 1, 0);
  schedule.add_hop(2, 1, 2, 1);
  schedule.add_hop(2, 2, 1, 2);
  return schedule;
}

}  // namespace

TEST_CASE("every signal of a view is in the waveform") {
  const Scratch scratch;
  const auto [engine, duplex] = GENERATE(table<const char*, Duplex>({{"tile", Duplex::Half},
                                                                     {"tile", Duplex::Full},
                                                                     {"flat", Duplex::Half},
                                                                     {"systemc", Duplex::Half}}));
  if (!has_engine(engine)) return;
  CAPTURE(engine, to_string(duplex));
  RunOptions options = traced(scratch, engine);
  if (engine != std::string("tile")) options.trace_nodes = {1, 3};
  REQUIRE(run(ring_gossip(4, duplex), options).passed());

  const Wave wave(options.trace);
  const auto signals = signals_of_view(scratch.path("run.gtkw"));
  // At least the round, and the flits sent and received; in the RTL also the states of sequencer,
  // links and receivers.
  const std::size_t of_a_node = engine == std::string("systemc") ? 6 : 9;
  const std::size_t nodes = options.trace_nodes.empty() ? 4 : options.trace_nodes.size();
  REQUIRE(signals.size() >= of_a_node * nodes);
  for (const std::string& signal : signals) {
    INFO(signal);
    CHECK(wave.has(signal));
  }
}

TEST_CASE("a waveform of a reduction shows operators, and names every sum that is on a link") {
  const Scratch scratch;
  const auto [engine, topology, collective] = GENERATE(
      table<const char*, const char*, Collective>({{"tile", "torus:3x3", Collective::AllReduce},
                                                   {"flat", "ring:5", Collective::ReduceScatter}}));
  CAPTURE(engine, to_string(collective));
  Request request{.topology = Topology::parse(topology),
                  .collective = collective,
                  .ports = PortModel::All,
                  .cycle = {}};
  request.flits = kFlits;
  const Schedule schedule = algorithm("reversed").plan(request);
  const RunOptions options = traced(scratch, engine);
  REQUIRE(run(schedule, options).passed());

  const Wave wave(options.trace);
  std::size_t operators = 0;
  for (const std::string& signal : signals_of_view(scratch.path("run.gtkw"))) {
    INFO(signal);
    CHECK(wave.has(signal));
    if (signal.find("lane_op[3:0]") == std::string::npos) continue;
    ++operators;
    std::set<std::uint64_t> values;
    for (std::uint64_t c = 0; c < wave.last_cycle(); ++c) values.insert(wave.value(signal, c));
    CHECK(values.contains(static_cast<unsigned>(rtl::op_e::OP_SUM)));
  }
  CHECK(operators >= request.topology.nodes());
  CHECK(read_file(scratch.path("run.operators")).starts_with("1 sum\n"));
  const auto names = names_of_flits(scratch.path("run.flits"));
  std::size_t flits = 0;
  for (const std::string& signal : signals_of_view(scratch.path("run.gtkw"))) {
    if (signal.find("out_flit") == std::string::npos) continue;
    for (std::uint64_t c = 0; c < wave.last_cycle(); ++c) {
      const std::uint64_t word = wave.value(signal, c);
      if (word == 0) continue;
      ++flits;
      CHECK(names.contains(word));
    }
  }
  CHECK(flits >= 40);
}

TEST_CASE("a waveform has the chosen nodes and no others") {
  const Scratch scratch;
  const std::string engine = GENERATE("tile", "flat");
  CAPTURE(engine);
  RunOptions options = traced(scratch, engine);
  options.trace_nodes = {0, 2};
  REQUIRE(run(ring_gossip(4, Duplex::Half), options).passed());
  const Wave wave(options.trace);
  std::set<std::string> scopes;  // "node_2." of tiles, ".gen_node[2]." of a flat fabric
  const std::regex node("(node_|gen_node\\[)[0-9]+");
  for (const std::string& signal : wave.signals()) {
    std::smatch match;
    if (std::regex_search(signal, match, node)) scopes.insert(match.str());
  }
  const std::string before = engine == "tile" ? "node_" : "gen_node[";
  CHECK(scopes == std::set<std::string>{before + "0", before + "2"});
}

TEST_CASE("a waveform holds the window asked for") {
  const Scratch scratch;
  RunOptions options = traced(scratch);
  options.trace_first = 20;
  options.trace_last = 29;
  REQUIRE(run(ring_gossip(8, Duplex::Half), options).passed());
  const Wave wave(options.trace);
  CHECK(wave.first_cycle() == 20);
  CHECK(wave.last_cycle() == 29);
}

TEST_CASE("a window behind the end of the run is refused, and leaves no file") {
  const Scratch scratch;
  RunOptions options = traced(scratch);
  options.trace_first = 1000;
  CHECK_THROWS_AS(run(ring_gossip(8, Duplex::Half), options), InputError);
  CHECK_FALSE(fs::exists(options.trace));
  CHECK_FALSE(fs::exists(scratch.path("run.gtkw")));
}

TEST_CASE("a waveform names every flit that is on a link") {
  const Scratch scratch;
  const RunOptions options = traced(scratch);
  const Schedule schedule = ring_gossip(8, Duplex::Half);
  REQUIRE(run(schedule, options).passed());
  const Wave wave(options.trace);
  const auto names = names_of_flits(scratch.path("run.flits"));
  const Payload payload(schedule, kFlits, options.seed);
  unsigned seen = 0;
  for (Node x = 0; x < 8; ++x) {
    for (const std::uint64_t value : wave.values(flit(x, 0, "out"))) {
      if (value == 0) continue;
      ++seen;
      const auto id = payload.identify(static_cast<std::uint32_t>(value));
      REQUIRE(id);
      REQUIRE(names.count(value) == 1);
      CHECK(names.at(value) == fmt::format("{}.{}", id->message.origin, id->index));
    }
  }
  CHECK(seen == 8 * 7 * kFlits);  // every node forwards every message except its neighbour's own
}

TEST_CASE("a waveform shows beside each output what should be there") {
  const Scratch scratch;
  // Adaptive nodes have more ports than links.
  const Request cube{.topology = Topology::parse("hypercube:3"), .cycle = {}};
  const Schedule schedule = GENERATE_COPY(
      ring_gossip(8, Duplex::Half), ring_gossip(8, Duplex::Full), algorithm("chau-fu").plan(cube));
  const Port ports = schedule.topology().ports() == 2 ? 2 : 8;
  const RunOptions options = traced(scratch);
  const RunResult result = run(schedule, options);
  const Wave wave(options.trace);
  std::uint64_t flits = 0;
  for (std::uint64_t c = 0; c <= result.cycles_measured; ++c) {
    for (Node x = 0; x < 8; ++x) {
      for (Port p = 0; p < ports; ++p) {
        CAPTURE(c, x, p);
        REQUIRE(wave.value(expected(x, p), c) == wave.value(flit(x, p, "out"), c));
        flits += wave.value(expected(x, p), c) != 0;
      }
    }
  }
  CHECK(flits == result.flits_moved);
  CHECK(read_file(scratch.path("run.gtkw")).find("+{expected} ") != std::string::npos);
}

TEST_CASE(
    "of a run that went wrong the waveform shows what should be there, and first at the marker "
    "something else") {
  const Scratch scratch;
  const RunOptions options = traced(scratch);
  const RunResult result = run(two_drivers(), options);
  REQUIRE(result.has_difference);
  const Wave wave(options.trace);
  for (std::uint64_t c = 0; c <= result.difference_cycle; ++c) {
    bool alike = true;
    for (Node x = 0; x < 4; ++x) {
      for (Port p = 0; p < 2; ++p)
        alike &= wave.value(expected(x, p), c) == wave.value(flit(x, p, "out"), c);
    }
    CAPTURE(c);
    REQUIRE(alike == (c < result.difference_cycle));
  }
}

TEST_CASE("a view has no row of expected flits where nobody knows them") {
  const Scratch scratch;
  Schedule schedule(Topology::parse("ring:4"), Collective::Gossip, {});
  schedule.add_everything(1, std::array<Node, 2>{0, 1});
  const RunOptions options = traced(scratch);
  run(schedule, options);
  CHECK(read_file(scratch.path("run.gtkw")).find("+{out} ") != std::string::npos);
  CHECK(read_file(scratch.path("run.gtkw")).find("+{expected} ") == std::string::npos);
}

TEST_CASE("a waveform shows the entry of the slot table that is in use") {
  const Scratch scratch;
  const std::string engine = GENERATE("tile", "flat");
  CAPTURE(engine);
  const RunOptions options = traced(scratch, engine);
  // Tiles: phases of unequal length, each an entry that repeats, 2 entries for the 7 rounds of each
  // ring. Flat: two entries in a loop.
  Request request{.topology = Topology::parse("torus:4x4"), .cycle = {}};
  const Schedule schedule =
      engine == "tile" ? algorithm("product").plan(request) : ring_gossip(4, Duplex::Half);
  const RunResult result = run(schedule, options);
  REQUIRE(result.passed());
  const Wave wave(options.trace);
  const CompiledSchedule compiled = compile(schedule, kFlits, schedule.topology().ports());
  const FabricImage& image = compiled.image;
  std::set<std::uint64_t> seen;
  for (const Node x : {Node{0}, schedule.topology().nodes() / 2}) {
    // The rounds that each entry stands for, from the table alone.
    std::vector<std::uint64_t> entry_of_round = {0};
    const auto& slots = image.programs[image.program_of[x]].slots;
    std::vector<std::uint32_t> passes(slots.size());
    std::size_t begin = 0;  // of the loop
    for (std::size_t e = 0;;) {
      if (slots[e].begins) begin = e;
      entry_of_round.insert(entry_of_round.end(), slots[e].repeat, e);
      if (slots[e].loop && ++passes[e] < slots[e].loops) {
        e = begin;
      } else if (slots[e].final) {
        break;
      } else {
        passes[e] = 0;
        ++e;
      }
    }
    const NodeSignals node = tb::WaveSignals(engine, false).node(x);
    for (std::uint64_t c = 0; c <= result.cycles_measured; ++c) {
      CAPTURE(x, c);
      const std::uint64_t round = wave.value(node.round, c), entry = wave.value(node.entry, c);
      REQUIRE(round < entry_of_round.size());
      REQUIRE(entry == entry_of_round[round]);
      seen.insert(entry);
    }
  }
  CHECK(seen.size() >= 2);
  CHECK(read_file(scratch.path("run.gtkw")).find("+{table entry} ") != std::string::npos);
}

TEST_CASE("the states of links and receivers say what is on the link in the same cycle") {
  const Scratch scratch;
  const RunOptions options = traced(scratch);
  const RunResult result = run(ring_gossip(8, Duplex::Full), options);
  const Wave wave(options.trace);
  const tb::WaveSignals signals("tile", false);
  constexpr std::uint64_t kStream = 1, kReceive = 2;
  std::uint64_t flits = 0;
  for (std::uint64_t c = 1; c <= result.cycles_measured; ++c) {
    for (Node x = 0; x < 8; ++x) {
      CAPTURE(c, x);
      const bool sends = wave.value(flit(x, 0, "out"), c) != 0;
      const bool receives = wave.value(flit(x, 1, "in"), c) != 0;
      flits += sends;
      REQUIRE((wave.value(signals.port(x, 0).link, c) == kStream) == sends);
      REQUIRE((wave.value(signals.port(x, 1).receiver, c) == kReceive) == receives);
    }
  }
  CHECK(flits == result.flits_moved);
}

TEST_CASE("the SystemC model's waveform shows what that of the RTL shows") {
  if (!has_engine("systemc")) return;
  const Scratch scratch;
  const auto [duplex, stages] = GENERATE(
      table<Duplex, const char*>({{Duplex::Half, "0"}, {Duplex::Full, "0"}, {Duplex::Full, "2"}}));
  CAPTURE(to_string(duplex), stages);
  RunOptions options = traced(scratch), model_options = traced(scratch, "systemc");
  options.stages = model_options.stages = LinkStages::parse(stages);
  const RunResult result = run(ring_gossip(8, duplex), options);
  REQUIRE(run(ring_gossip(8, duplex), model_options).passed());
  const Wave rtl(options.trace), model(model_options.trace);
  const tb::WaveSignals of_rtl("tile", duplex == Duplex::Half), of_model("systemc", false);
  for (std::uint64_t c = 0; c <= result.cycles_measured; ++c) {
    for (Node x = 0; x < 8; ++x) {
      CAPTURE(c, x);
      const auto same = [&](const std::string& in_rtl, const std::string& in_model) {
        return rtl.value(in_rtl, c) == model.value(in_model, c);
      };
      const NodeSignals node = of_rtl.node(x), model_node = of_model.node(x);
      REQUIRE(same(node.round, model_node.round));
      REQUIRE(same(node.cycle, model_node.cycle));
      for (Port p = 0; p < 2; ++p) {
        const PortSignals port = of_rtl.port(x, p), model_port = of_model.port(x, p);
        REQUIRE(same(port.out, model_port.out));
        REQUIRE(same(port.in, model_port.in));
        REQUIRE(same(port.out_last, model_port.out_last));
        REQUIRE(same(port.in_last, model_port.in_last));
      }
    }
  }
}

namespace {

/// The names that the RTL has for its states are those of a table in the software.
template <std::size_t N>
void check_names(const Wave& wave, const std::string& type, const StateName (&table)[N]) {
  CAPTURE(type);
  const auto& names = wave.names(type);
  CHECK(names.size() == N);
  for (const StateName& state : table) {
    REQUIRE(names.count(state.value) == 1);
    CHECK(names.at(state.value) == state.name);
  }
}

}  // namespace

TEST_CASE("a waveform has the names of states and errors, and views have the same") {
  const Scratch scratch;
  const RunOptions options = traced(scratch);
  run(ring_gossip(8, Duplex::Full), options);
  check_names(Wave(options.trace), "link_full.state_e", kFullLinkStates);
  run(ring_gossip(8, Duplex::Half), options);
  const Wave wave(options.trace);
  check_names(wave, "sequencer.state_e", kSequencerStates);
  check_names(wave, "link_half.state_e", kHalfLinkStates);
  check_names(wave, "link_rx.state_e", kReceiverStates);
  const auto& errors = wave.names("gossamer_pkg::error_e");
  REQUIRE(errors.size() == std::size(rtl::error_e_table));
  for (const rtl::NamedValue& error : rtl::error_e_table) {
    CHECK(errors.at(error.value) == error.name);
  }
}

TEST_CASE("the view of a failed run shows the nodes with errors and marks the first difference") {
  const Scratch scratch;
  const RunOptions options = traced(scratch);
  const RunResult result = run(two_drivers(), options);
  REQUIRE(result.errors >= 2);
  REQUIRE(result.has_difference);
  const Wave wave(options.trace);
  const auto signals = signals_of_view(scratch.path("run.gtkw"));
  for (Node x : {1u, 2u}) {
    const std::string error = core(x) + "i_view.error[3:0]";
    CHECK(std::count(signals.begin(), signals.end(), error) == 1);
    CHECK(wave.value(error, wave.last_cycle()) != 0);
    CHECK(wave.value(core(x) + "i_view.error_round[19:0]", wave.last_cycle()) == 2);
  }
  CHECK(std::count(signals.begin(), signals.end(), core(0) + "i_view.error[3:0]") == 0);
  for (const std::string& signal : signals) {
    INFO(signal);
    CHECK(wave.has(signal));
  }
  const std::string view = read_file(scratch.path("run.gtkw"));
  CHECK(view.find("+{ERR_LIMIT} ") != std::string::npos);
  CHECK(view.find("[markername] Afirst difference\n") != std::string::npos);
  CHECK(view.find(fmt::format(" {} {} -1", result.difference_cycle * 1000,
                              result.difference_cycle * 1000)) != std::string::npos);
}

TEST_CASE("names of flits are limited, and those of the chosen nodes come first") {
  const Schedule schedule(Topology::parse("torus:7x7x7"), Collective::Gossip, {});
  const Payload payload(schedule, 64, 1);
  std::istringstream text(flit_names(schedule, payload, {300}));
  std::string line;
  std::getline(text, line);  // a comment
  std::getline(text, line);  // nothing on the link
  CHECK(line.rfind("000000000 ", 0) == 0);
  std::getline(text, line);
  CHECK(line.substr(line.rfind('?')) == "?300.0");
  std::size_t lines = 1;
  while (std::getline(text, line)) ++lines;
  CHECK(lines == 20'000);
}

TEST_CASE("nodes that stand for their class have the same waveforms as in the full run") {
  const Schedule schedule = GENERATE(ring_gossip(6, Duplex::Half), square_in_classes());
  CAPTURE(schedule.topology().spec());
  const Symmetry& symmetry = schedule.symmetry();
  const Scratch scratch;
  RunOptions full = traced(scratch), symmetric = full;
  symmetric.symmetric = true;
  symmetric.trace = scratch.path("classes.fst");
  REQUIRE(symmetry.classes() > 1);
  for (Node c = 0; c < symmetry.classes(); ++c)
    full.trace_nodes.push_back(symmetry.representative(c));
  REQUIRE(run(schedule, full).passed());
  REQUIRE(run(schedule, symmetric).passed());
  const Wave all(full.trace), classes(symmetric.trace);
  CHECK(classes.signals() == all.signals());
  const auto rows = signals_of_view(scratch.path("classes.gtkw"));
  CHECK(rows == signals_of_view(scratch.path("run.gtkw")));
  REQUIRE(classes.last_cycle() == all.last_cycle());
  for (const std::string& row : rows) {
    // In cycle 0 what the start pulse clears still has random values, drawn node after node.
    for (std::uint64_t cycle = 1; cycle <= all.last_cycle(); ++cycle) {
      if (classes.value(row, cycle) == all.value(row, cycle)) continue;
      INFO(row << " in cycle " << cycle);
      CHECK(classes.value(row, cycle) == all.value(row, cycle));
      break;
    }
  }
}

}  // namespace gossamer::test
