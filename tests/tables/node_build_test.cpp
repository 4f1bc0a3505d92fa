// sw/tables/node_build.hpp: what a node would not execute correctly is refused, with the reason.
#include "tables/node_build.hpp"

#include "catch.hpp"
#include "engines/prepared.hpp"
#include "expand_program.hpp"
#include "export/export.hpp"
#include "refusal.hpp"
#include "tables/mem_image.hpp"

namespace gossamer::test {
namespace {

/// A hand-made image of two nodes, the second of which is tested, and a build that just holds it.
struct Fit {
  FabricImage image{.topology = Topology::parse("path:2")};
  NodeBuild build;

  Fit() {
    image.kind = {.ports = 2, .single_port = false};
    NodeProgram program;
    SlotEntry e;
    e.length = e.stream = 255;
    e.repeat = 15;
    e.select = {2, 2};
    program.slots = {e, e};
    program.channels = {{{2, 4, 3, 7, 8}}};  // words 4 to 4 + 7 * 7 + 2 = 55
    image.programs = {program, program};
    image.program_of = {0, 1};
    image.own_words.assign(16, 0);
    image.own_begin = {0, 0, 16};
    image.capacity = 16;
    build = {.kind = image.kind,
             .depths = {3, 2, 56},
             .flit_bits = 32,
             .length_bits = 8,
             .count_bits = 4};
  }
  SlotEntry& entry() { return image.programs[1].slots[1]; }
  Segment& segment() { return image.programs[1].channels[0][0]; }
};

/// The refusal of a fit that `change` breaks.
template <class Change>
std::string refusal(Change change) {
  Fit fit;
  REQUIRE_NOTHROW(check_fits(fit.image, fit.build));
  change(fit);
  return ::refusal([&] { check_fits(fit.image, fit.build); });
}

}  // namespace

TEST_CASE("node build: what a node would not execute as it stands is refused with the reason") {
  constexpr std::uint32_t kBack = 1u << rtl::SEG_RUN_W;
  struct Row {
    void (*change)(Fit&);
    const char* says;
  };
  const Row rows[] = {
      // Entries that need more bits than the nodes have.
      {[](Fit& f) { f.entry().length = 256; },
       "node 1: the slot's length in entry 1 of its slot table is 256; these nodes are built for "
       "less than 256"},
      {[](Fit& f) { f.entry().stream = 256; },
       "node 1: the stream's length in entry 1 of its slot table is 256; these nodes are built for "
       "less than 256"},
      {[](Fit& f) { f.entry().repeat = 16; },
       "node 1: the repeat count in entry 1 of its slot table is 16; these nodes are built for "
       "less than 16"},
      {[](Fit& f) { f.entry().loops = 16; },
       "node 1: the loop count in entry 1 of its slot table is 16; these nodes are built for less "
       "than 16"},
      // Tables and lists that are too long, their ends counted.
      {[](Fit& f) { f.image.programs[1].slots.push_back(f.entry()); },
       "node 1: the number of entries in its slot table, with the end behind them, is 4; these "
       "nodes have at most 3"},
      {[](Fit& f) { f.image.programs[1].channels[0].push_back(f.segment()); },
       "node 1: the number of segments in list 0, with the end behind them, is 3; these nodes "
       "have at most 2"},
      {[](Fit& f) {  // does not matter for nodes without lists
         f.image.programs[1].channels[0].push_back(f.segment());
         f.image.kind.in_order = f.build.kind.in_order = true;
       },
       "accepted"},
      // Segments that name words which no log has.
      {[](Fit& f) { f.segment().base = 5; },
       "node 1: segment 0 of list 0 takes words 5 to 56 of a log; these nodes have 56"},
      {[](Fit& f) { f.segment().run = 4; },
       "node 1: segment 0 of list 0 takes words 4 to 56 of a log; these nodes have 56"},
      {[](Fit& f) { f.segment().count = 9; },
       "node 1: segment 0 of list 0 takes words 4 to 62 of a log; these nodes have 56"},
      {[](Fit& f) { f.segment().stride = 8; },
       "node 1: segment 0 of list 0 takes words 4 to 62 of a log; these nodes have 56"},
      {[](Fit& f) {
         f.segment() = {2, 14, 2, kBack - 2, 8};
       },
       "accepted"},
      {[](Fit& f) {
         f.segment() = {2, 13, 2, kBack - 2, 8};
       },
       "node 1: segment 0 of list 0 takes words -1 to 14 of a log; these nodes have 56"},
      {[](Fit& f) { f.segment().log = 3; },
       "node 1: the log of segment 0 of list 0 is 3; these nodes have at most 2"},
      {[](Fit& f) { f.segment().run = 0; }, "node 1: segment 0 of list 0 has no words"},
      {[](Fit& f) { f.segment().count = 0; }, "node 1: segment 0 of list 0 has no words"},
      // Own words, faults and other kinds of nodes.
      {[](Fit& f) {
         f.image.own_begin[2] = 57;
         f.image.own_words.assign(57, 0);
       },
       "node 1: the number of its own words is 57; these nodes have at most 56"},
      {[](Fit& f) { f.image.own_begin.clear(); }, "accepted"},  // others bring them
      {[](Fit& f) { f.image.capacity = 57; },
       "logs of 57 words are needed, but those of these nodes have 56"},
      {[](Fit& f) { f.image.dead_after = 16; }, "accepted"},  // no output will die
      {[](Fit& f) {
         f.image.dead = {0, 1};
         f.image.dead_after = 16;
       },
       "node 0: the number of slots after which outputs are dead is 16; these nodes are built for "
       "less than 16"},
      {[](Fit& f) { f.build.flit_bits = 16; },
       "tables for flits of 32 bits, but those of these nodes have 16"},
      {[](Fit& f) { f.build.kind.channels = 2; },
       "tables for nodes of 2 ports, 1 read channel, all-port, full-duplex, but these have 2 "
       "ports, 2 read channels, all-port, full-duplex"},
      {[](Fit& f) { f.image.kind.one_cycle = f.build.kind.one_cycle = true; },
       "node 0: entry 0 of its slot table lasts 255 cycles, 15 times; these nodes have slots of "
       "one cycle, neither repeated nor looped"},
      // Nodes for other tables alone.
      {[](Fit& f) { f.build.depths.own = 8; },
       "node 0: segment 0 of list 0 takes words 4 to 55 of a log; these nodes have 8"},
      {[](Fit& f) { f.image.kind.flat = f.build.kind.flat = true; },
       "node 0: segment 0 of list 0 has runs, or a stride of 7; these nodes read single words, "
       "less than 256 apart"},
      {[](Fit& f) {
         f.image.kind.channels = f.build.kind.channels = 2;
         for (NodeProgram& p : f.image.programs) p.channels.push_back({{2, 5, 3, 7, 7}});
         f.entry().select = {0, 1};
         f.build.depths.shared = {0, 0, 0, 0, 0, 5};
       },
       "node 1: lists 0 and 1 read different words of logs 2 and 2 at the same time; in these "
       "nodes they share one memory"}};
  for (const Row& row : rows) CHECK(refusal(row.change) == row.says);
}

TEST_CASE("node build: what adaptive nodes know of their place must fit, too") {
  const auto adaptive = [](auto change) {
    return refusal([&](Fit& f) {
      f.image.kind.adaptive = f.build.kind.adaptive = true;
      f.build.messages = 2;
      f.image.partner = {63, 63};
      f.image.initiator = {0, 63};
      f.image.message_shift = 31;
      change(f);
    });
  };
  CHECK(adaptive([](Fit&) {}) == "accepted");
  CHECK(adaptive([](Fit& f) { f.build.messages = 1; }) ==
        "2 messages, but these nodes can tell 1 apart");
  CHECK(adaptive([](Fit& f) { f.image.partner[1] = 64; }) ==
        "node 0: the address of a neighbour's message is 64; these nodes are built for less than "
        "64");
  CHECK(adaptive([](Fit& f) { f.image.initiator[1] = 64; }) ==
        "node 1: the address of the initiator's message is 64; these nodes are built for less than "
        "64");
  CHECK(adaptive([](Fit& f) { f.image.message_shift = 32; }) ==
        "node 0: the shift is 32; these nodes are built for less than 32");
}

TEST_CASE("node build: it is read from the registers") {
  const auto read = [](std::uint32_t model) {
    return read_build([model](unsigned r) -> std::uint32_t {
      switch (r) {
        case rtl::CFG_MODEL: return model;
        case rtl::CFG_PORTS: return 6;
        case rtl::CFG_CHANNELS: return 3;
        case rtl::CFG_SLOT_DEPTH: return 10;
        case rtl::CFG_LIST_DEPTH: return 20;
        case rtl::CFG_CAPACITY: return 30;
        case rtl::CFG_FLIT_W: return 64;
        case rtl::CFG_LEN_W: return 7;
        case rtl::CFG_REPEAT_W: return 8;
        case rtl::CFG_MESSAGES: return 16;
        case rtl::CFG_OWN_CAPACITY: return 25;
        case rtl::CFG_SHARED: return 1u << 16;  // channel 1 reads what channel 0 has of log 0
        default:
          if (r > rtl::CFG_SHARED && r <= rtl::CFG_SHARED + 10) return 0;
          if (r - rtl::CFG_LINK_STAGES < 6) return model % 2 == 0 ? 0 : r - rtl::CFG_LINK_STAGES;
          throw std::logic_error("no such register");
      }
    });
  };
  for (std::uint32_t model = 0; model < 32; ++model) {
    const NodeBuild build = read(model | 1u << rtl::MODEL_DOUBLE_BUFFERED);
    CHECK((build.kind.ports == 6 && build.kind.channels == 3));
    CHECK(model_register(build.kind) == model);
    std::vector<std::uint16_t> shared((build.kind.own_log() + 1) * 3);
    shared[1] = 1;
    CHECK(build.depths == NodeDepths{10, 20, 30, 25, shared});
    CHECK((build.flit_bits == 64 && build.length_bits == 7 && build.count_bits == 8));
    CHECK(build.stages == (model % 2 == 0 ? PortStages{} : PortStages{0, 1, 2, 3, 4, 5}));
    CHECK(build.messages == (build.kind.adaptive ? 16 : rtl::ADAPTIVE_MESSAGES));
  }
}

TEST_CASE("node build: tables for links of another length are refused") {
  const Schedule schedule = plan("torus:3x4", "product", Duplex::Full);
  const PortStages stages = LinkStages::parse("0,3").on(schedule);
  const FabricImage image = prepare(schedule, 4, 4, nullptr, stages);
  NodeBuild build{.kind = image.kind, .depths = depths_for(image), .stages = stages};
  CHECK_NOTHROW(check_fits(image, build));
  build.stages.clear();
  CHECK_THROWS_WITH(check_fits(image, build),
                    "tables for links of 3 register stages at port 2, but those of these nodes "
                    "have 0");
}

TEST_CASE("node build: what the compiler makes fits into nodes as large as it says") {
  Request all_ports{.topology = Topology::parse("torus:3x4"), .cycle = {}};
  all_ports.ports = PortModel::All;
  for (const FabricImage& image : {prepare(plan("ring:8", "ring", Duplex::Half), 4, 2),
                                   prepare(plan("torus:3x4", "product", Duplex::Full), 4, 4),
                                   prepare(algorithm("translation").plan(all_ports), 4, 4)}) {
    CHECK_NOTHROW(check_fits(image, build_for(image)));
    FabricImage tight = image;
    NodeBuild build = build_for(image);
    tighten(tight, build, 4);
    CHECK_NOTHROW(check_fits(tight, build));
    CHECK(build.depths.shared.empty() == (image.kind.own_log() == 0));
  }
}

// Images rewritten for nodes of the kind one_cycle, and with IN_ORDER.

namespace {

Schedule planned(const std::string& topology, const std::string& name, Collective collective,
                 PortModel ports) {
  Request request{.topology = Topology::parse(topology), .collective = collective, .cycle = {}};
  request.ports = ports;
  const Algorithm& chosen = algorithm(name);
  if (const auto why = chosen.refuses(request)) throw std::logic_error(*why);
  return chosen.plan(request);
}
FabricImage tdm() {
  return prepare(planned("torus:3x3", "tdm-search", Collective::TotalExchange, PortModel::Single),
                 1, 4);
}
FabricImage ring(unsigned flits = 1) {
  return prepare(plan("ring:5", "ring", Duplex::Full), flits, 2);
}

/// Two nodes with this program; node x starts with words 10x, 10x+1, ...
FabricImage pair_of(NodeProgram program, bool single_port, unsigned own_words) {
  FabricImage image{.topology = Topology::parse("path:2")};
  image.kind = {1, single_port, false, 1};
  image.programs = {std::move(program)};
  image.program_of = {0, 0};
  image.own_begin = {0};
  for (unsigned x = 0; x < 2; ++x) {
    for (unsigned i = 0; i < own_words; ++i) image.own_words.push_back(10 * x + i);
    image.own_begin.push_back(image.own_words.size());
  }
  return image;
}

/// A node that sends what `list` says, one flit in each of `slots` slots.
NodeProgram sender(std::uint32_t slots, std::vector<Segment> list) {
  SlotEntry entry;
  entry.stream = 1;
  entry.repeat = slots;
  entry.final = true;
  entry.select = {0};
  return {{entry}, {std::move(list)}};
}

template <class Fit>
std::string refusal(Fit fit, FabricImage image) {
  return ::refusal([&] { fit(image); });
}
std::string one_cycle_refusal(FabricImage image) {
  return refusal(fit_one_cycle_nodes, std::move(image));
}
std::string in_order_refusal(FabricImage image) {
  return refusal(fit_in_order_nodes, std::move(image));
}

}  // namespace

TEST_CASE("what one-cycle nodes cannot run is refused in a line that says where") {
  CHECK(one_cycle_refusal(prepare(plan("ring:5", "ring", Duplex::Half), 1, 2)) ==
        "one-cycle nodes have full-duplex links, and this schedule is for half duplex");
  CHECK(one_cycle_refusal(ring(2)) ==
        "slot 1: node 0 sends 2 flits; one-cycle nodes send one a slot");
  NodeProgram circuit = sender(1, {});
  circuit.slots[0].length = 5;
  circuit.slots[0].stream = 0;
  circuit.slots[0].select = {1, 0};
  FabricImage image = pair_of(circuit, false, 0);
  image.kind.ports = 2;
  CHECK(one_cycle_refusal(image) ==
        "slot 1: node 0 forwards within a slot of 5 cycles; one-cycle nodes forward in the next "
        "slot, as pipelined schedules do over links without register stages");
  CHECK(one_cycle_refusal(pair_of(sender(65535, {}), false, 0)) == "accepted");
  CHECK(one_cycle_refusal(pair_of(sender(65536, {}), false, 0)) ==
        "slot 65536: node 0 has done 65536 cycles by then; one-cycle nodes need an entry for each, "
        "and a slot table has at most 65535");
}

TEST_CASE("own words of in-order nodes are in the order in which the lists read them") {
  const FabricImage before = tdm();
  FabricImage after = before;
  fit_in_order_nodes(after);
  CHECK(after.kind.in_order);
  CHECK(after.own_begin == before.own_begin);
  bool moved = false;
  for (Node x = 0; x < before.topology.nodes(); ++x) {
    const auto words_of = [x](const FabricImage& image) {
      std::vector<std::uint32_t> words;
      for (const ListedWord& w : expand(image.programs[image.program_of[x]].channels[0])) {
        words.push_back(image.own_words.at(image.own_begin[x] + w.addr));
      }
      return words;
    };
    CHECK(words_of(after) == words_of(before));
    const auto& list = after.programs[after.program_of[x]].channels[0];
    CHECK(list == std::vector<Segment>{{.log = 0, .run = before.own_size(x)}});
    moved = moved || after.own_words[after.own_begin[x]] != before.own_words[before.own_begin[x]];
  }
  CHECK(moved);
}

TEST_CASE("in-order nodes pass on what arrives if it is in the order of arrival") {
  FabricImage image = ring();
  const FabricImage before = image;
  fit_in_order_nodes(image);
  CHECK(image.own_words == before.own_words);
  CHECK(expand(image.programs[0].channels[0]) == expand(before.programs[0].channels[0]));
}

TEST_CASE("own words that are never sent come after those that are") {
  FabricImage image = pair_of(
      sender(2, {{.log = 1, .base = 3, .run = 1}, {.log = 1, .base = 1, .run = 1}}), false, 4);
  fit_in_order_nodes(image);
  CHECK(image.own_words == std::vector<std::uint32_t>{3, 1, 0, 2, 13, 11, 10, 12});
}

TEST_CASE("what in-order nodes cannot send is refused in a line that says which node") {
  CHECK(in_order_refusal(pair_of(sender(4, {{.log = 1, .run = 2, .count = 2}}), false, 2)) ==
        "node 0 sends word 0 of its own again; in-order nodes send each once");
  CHECK(in_order_refusal(pair_of(sender(1, {{.log = 0, .run = 1}}), false, 2)) ==
        "node 0 passes on what it received; in-order nodes of several ports send own words alone");
  CHECK(in_order_refusal(pair_of(sender(2, {{.log = 0, .base = 1, .run = 2}}), true, 1)) ==
        "node 0 passes on what it received; in-order nodes send all that comes, in its order");
  FabricImage channels = pair_of(sender(1, {{.log = 1, .run = 1}}), false, 1);
  channels.kind.channels = 2;
  CHECK(in_order_refusal(channels) ==
        "in-order nodes have one read channel, and this schedule needs 2");
}

}  // namespace gossamer::test
