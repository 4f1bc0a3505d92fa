// Images rewritten for nodes of the kind one_cycle, and with IN_ORDER.
#include "tables/fit_small_nodes.hpp"

#include "catch.hpp"
#include "engines/prepared.hpp"
#include "expand_program.hpp"
#include "refusal.hpp"

namespace gossamer::test {
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

TEST_CASE(
    "tables of one-cycle nodes have an entry for each cycle of the slots, idle but the first") {
  const FabricImage before = GENERATE(tdm(), ring());
  FabricImage after = before;
  fit_one_cycle_nodes(after);
  CHECK(after.kind.one_cycle);
  CHECK(after.own_words == before.own_words);
  for (std::size_t i = 0; i < before.programs.size(); ++i) {
    std::vector<SlotEntry> wanted;
    for (SlotEntry slot : expand(before.programs[i].slots)) {
      const std::uint32_t length = std::exchange(slot.length, 1);
      wanted.push_back(slot);
      slot.stream = 0;
      slot.receive = 0;
      slot.select.assign(before.kind.ports, select_none(before.kind));
      wanted.insert(wanted.end(), length - 1, slot);
    }
    wanted.back().final = true;
    CHECK(after.programs[i].slots == wanted);
    CHECK(after.programs[i].channels == before.programs[i].channels);
  }
}

TEST_CASE("one-cycle tables have no loops left") {
  NodeProgram looped = sender(2, {{.log = 1, .run = 12}});
  looped.slots.front().final = false;
  looped.slots.push_back(looped.slots.front());
  looped.slots.back().repeat = 1;
  looped.slots.back().stream = 0;
  looped.slots.back().select = {1};
  looped.slots.back().loop = true;
  looped.slots.front().begins = true;
  looped.slots.back().loops = 3;
  // Another loop behind it, of one entry, with fewer passes.
  looped.slots.push_back(looped.slots.front());
  looped.slots.back().loop = looped.slots.back().final = true;
  looped.slots.back().loops = 2;
  looped.slots.back().repeat = 1;
  FabricImage image = pair_of(looped, false, 12);
  fit_one_cycle_nodes(image);
  std::vector<std::uint32_t> streams;
  for (const SlotEntry& e : image.programs[0].slots) {
    CHECK((e.length == 1 && e.repeat == 1 && e.loops == 1 && !e.loop));
    streams.push_back(e.stream);
  }
  CHECK(streams == std::vector<std::uint32_t>{1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1});
  CHECK(image.programs[0].slots.back().final);
}

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
