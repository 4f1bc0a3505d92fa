// Tile and flat engine against each other: the tile engine wires nodes in C++ and keeps stores in
// plain arrays, torus_fabric wires them in SystemVerilog and has memories. Their registers start
// from different random values.
#include <fmt/format.h>

#include "catch.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "engines/same_links.hpp"
#include "gossamer_constants.hpp"
#include "tables/expected_logs.hpp"

namespace gossamer::test {
namespace {

constexpr std::uint64_t kTooManyCycles = 100000;
constexpr std::uint32_t kTileSeed = 11, kFlatSeed = 12;

std::string text(const Flit& f) {
  return f.valid ? fmt::format("{:08x}{}", f.data, f.last ? " last" : "") : "nothing";
}

std::string text(const std::vector<NodeError>& errors) {
  std::string all;
  for (const NodeError& e : errors) {
    all += fmt::format("node {}: {:#x}, first {} in slot {} at port {}\n", e.node, e.seen,
                       e.first_code, e.first_slot, e.first_port);
  }
  return all;
}

/// What is compared on a link: a wrong table may read words that were never written, whose value is
/// random.
enum class Compare { Everything, NotData };

/// The first link that differs in the current cycle, or nothing.
std::string link_difference(const Fabric& tile, const Fabric& flat, const Topology& topology,
                            Compare compare) {
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      Flit a = tile.link(x, p), b = flat.link(x, p);
      if (compare == Compare::NotData) a.data = b.data = 0;
      if (a == b) continue;
      return fmt::format("cycle {}, node {}, port {}: tile {}, flat {}", tile.cycle(), x, p,
                         text(a), text(b));
    }
  }
  return "";
}

struct Pair {
  std::unique_ptr<Fabric> tile, flat;
};

/// Runs both, cycle by cycle.
Pair run_both(const Topology& topology, const FabricImage& for_tile, const FabricImage& for_flat,
              Compare compare) {
  const bool staged = for_tile.most_stages() != 0;
  Pair pair{tb::make_tile_fabric(for_tile.kind, false, kTileSeed, staged),
            tb::make_flat_fabric(topology, for_flat.kind, depths_for(for_flat, tb::kFlatDepths),
                                 false, kFlatSeed, for_flat.stages)};
  pair.tile->load(for_tile);
  pair.flat->load(for_flat);
  while (!pair.tile->done() && pair.tile->cycle() < kTooManyCycles) {
    pair.tile->run(1);
    pair.flat->run(1);
    const std::string difference = link_difference(*pair.tile, *pair.flat, topology, compare);
    REQUIRE(difference == "");
    REQUIRE(pair.tile->done() == pair.flat->done());
  }
  REQUIRE(pair.tile->done());
  REQUIRE(pair.flat->cycle() == pair.tile->cycle());
  REQUIRE(pair.flat->last_arrival() == pair.tile->last_arrival());
  REQUIRE(pair.flat->flits_moved() == pair.tile->flits_moved());
  return pair;
}

/// Both engines agree in every cycle on every link, and on every word in every log; no node raised
/// an error.
void check_agree(const Schedule& schedule, unsigned flits, const char* link_stages = "0") {
  INFO(schedule.topology().spec() << ", " << schedule.algorithm << ", "
                                  << to_string(schedule.model().duplex) << ", " << flits
                                  << " flits, link stages " << link_stages);
  const Port ports = schedule.topology().ports();
  const PortStages stages = LinkStages::parse(link_stages).on(schedule);
  const Pair pair = run_both(schedule.topology(),
                             prepare(schedule, flits, tb::tile_ports(ports), nullptr, stages),
                             prepare(schedule, flits, ports, nullptr, stages), Compare::Everything);
  CHECK(text(pair.tile->errors()) == "");
  CHECK(text(pair.flat->errors()) == "");
  CHECK(pair.tile->flits_moved() > 0);
  const unsigned logs = schedule.model().ports == PortModel::Single ? 1 : ports;
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    for (unsigned g = 0; g < logs; ++g) CHECK(pair.tile->log(x, g) == pair.flat->log(x, g));
  }
}

/// An all-port gossip that sends everything to all neighbours: one read channel serves all outputs.
Schedule flood(const std::string& spec, unsigned rounds) {
  Schedule s(Topology::parse(spec), Collective::Gossip,
             {PortModel::All, Duplex::Full, Switching::Packet, true});
  const Topology& t = s.topology();
  for (unsigned r = 1; r <= rounds; ++r) {
    for (Node x = 0; x < t.nodes(); ++x) {
      for (Port p = 0; p < t.ports(); ++p) {
        const Node path[] = {x, t.peer(x, p).node};
        s.add_everything(r, path);
      }
    }
  }
  return s;
}

/// All-port circuits of two hops on a 2-D torus: each node's message turns a corner to two of its
/// diagonal neighbours. In the second round every port sends a different message of a different
/// length.
Schedule corners(const std::string& spec) {
  Schedule s(Topology::parse(spec), Collective::Gossip,
             {PortModel::All, Duplex::Full, Switching::Circuit, true});
  const Topology& t = s.topology();
  const auto go = [&t](Node x, Port p) { return t.peer(x, p).node; };
  for (Node x = 0; x < t.nodes(); ++x) {
    const Message own[] = {{x, kNoNode}};
    for (Port p = 0; p < 2; ++p) {
      const Node path[] = {x, go(x, p), go(go(x, p), p + 2)};
      s.add(1, path, own);
    }
  }
  for (Node x = 0; x < t.nodes(); ++x) {
    const Message own = {x, kNoNode};
    const Message up = {go(go(x, 1), 3), kNoNode}, down = {go(go(x, 0), 2), kNoNode};
    const std::vector<Message> sent[] = {{own}, {up, own}, {down, up, own}, {up}};
    for (Port p = 0; p < 4; ++p) {
      const Node path[] = {x, go(x, p)};
      s.add(2, path, sent[p]);
    }
  }
  return s;
}

}  // namespace

TEST_CASE("tile and flat engine agree on rings") {
  const auto duplex = GENERATE(Duplex::Full, Duplex::Half);
  const unsigned flits = GENERATE(1u, 2u, 4u, 32u);
  check_agree(plan("ring:8", "ring", duplex), flits);
}

TEST_CASE("tile and flat engine agree on an odd ring, where nodes read two messages late") {
  check_agree(plan("ring:5", "ring", Duplex::Half), 3);
}

TEST_CASE("tile and flat engine agree on a 2-D torus") {
  const auto duplex = GENERATE(Duplex::Full, Duplex::Half);
  const unsigned flits = GENERATE(1u, 5u);
  const std::string name = GENERATE("hamiltonian", "product");
  check_agree(plan("torus:4x4", name, duplex), flits);
}

TEST_CASE("tile and flat engine agree on a hypercube, whose links turn around") {
  const unsigned flits = GENERATE(1u, 4u);
  check_agree(plan("product:path:2,path:2,path:2", "product", Duplex::Half), flits);
}

TEST_CASE("tile and flat engine agree on a 3-D torus") {
  check_agree(plan("torus:3x3x3", "hamiltonian", Duplex::Full), 2);
}

TEST_CASE("tile and flat engine agree on a mesh, whose edges lead nowhere") {
  check_agree(plan("product:ring:4,path:3", "product", Duplex::Full), 2);
}

TEST_CASE("tile and flat engine agree where one channel sends on all ports") {
  check_agree(flood("hypercube:3", 3), 2);
}

TEST_CASE("tile and flat engine agree where every port sends from a channel of its own") {
  check_agree(corners("torus:3x4"), 3);
}

TEST_CASE("tile and flat engine agree over links with register stages") {
  check_agree(plan("ring:8", "ring", Duplex::Full), 4, "3");
  check_agree(plan("ring:8", "ring", Duplex::Half), 4, "3");
  check_agree(corners("torus:3x4"), 3, "2,1");
  check_agree(plan("product:ring:4,path:3", "product", Duplex::Full), 2, "0,5");
}

TEST_CASE("tile and flat engine raise the same errors for the same wrong table") {
  const Schedule schedule = plan("ring:8", "ring", Duplex::Full);
  const bool staged = GENERATE(false, true);
  const PortStages stages = staged ? PortStages{3, 3} : PortStages{};
  FabricImage image = prepare(schedule, 4, 2, nullptr, stages);
  REQUIRE(image.programs.size() == 1);
  NodeProgram& program = image.programs.front();
  SECTION("a slot shorter than its stream") { program.slots.front().length = 3; }
  SECTION("a stream that nobody receives") { program.slots.front().receive = 0; }
  SECTION("a stream that nobody sends") { program.slots.front().stream = 0; }
  SECTION("a table without its last entry") { program.slots.back().final = false; }
  SECTION("a list without its last segment") { program.channels[0].pop_back(); }
  const Pair pair = run_both(schedule.topology(), image, image, Compare::NotData);
  CHECK(text(pair.tile->errors()) != "");
  CHECK(text(pair.tile->errors()) == text(pair.flat->errors()));
}

TEST_CASE(
    "in tile and flat engine an own word is the old one until its result is kept: the tables wait "
    "as long as they must") {
  Schedule schedule(Topology::parse("ring:4"), Collective::AllReduce,
                    {PortModel::All, Duplex::Full, Switching::Packet, false});
  const Message vector[] = {{0}};
  const auto send = [&](std::uint32_t round, Node from, Node to) {
    const Node path[] = {from, to};
    schedule.add(round, path, vector);
  };
  send(1, 2, 1), send(2, 1, 0), send(2, 3, 0), send(3, 0, 1), send(3, 0, 3), send(4, 1, 2);
  FabricImage image = prepare(schedule, 1, 2);
  constexpr std::size_t slot = 2;  // the root combines what has come, before anything is sent
  const SlotEntry& combines = image.programs[0].slots.at(slot);
  REQUIRE(combines.reads);
  REQUIRE(combines.length == rtl::TIME_OP + rtl::TIME_KEEP);
  const std::uint32_t early = GENERATE(0u, 1u, 2u);
  INFO("the result is read " << early << " cycles early");
  for (NodeProgram& p : image.programs) p.slots.at(slot).length -= early;
  const Pair pair = run_both(schedule.topology(), image, image, Compare::Everything);
  std::uint32_t sum = 0;
  for (Node x = 0; x < 4; ++x) {
    sum += Payload(schedule, 1, kPayloadSeed).part(x, {0}, 0);
    for (unsigned g = 0; g <= image.kind.logs(); ++g)
      CHECK(pair.tile->log(x, g) == pair.flat->log(x, g));
  }
  REQUIRE(pair.tile->log(2, 1).size() == 1);
  CHECK((pair.tile->log(2, 1)[0] == sum) == (early == 0));
}

TEST_CASE("a flat fabric is loaded and read again and again") {
  const Schedule schedule = plan("ring:8", "ring", Duplex::Full);
  const FabricImage image = prepare(schedule, 2, 2);
  const auto fabric = tb::make_flat_fabric(schedule.topology(), image.kind,
                                           depths_for(image, tb::kFlatDepths), false, kFlatSeed);
  std::vector<std::uint32_t> words;
  for (int run = 0; run < 2; ++run) {
    fabric->load(image);
    CHECK(fabric->cycle() == 0);
    CHECK(fabric->running(100).size() == 8);
    fabric->run(kTooManyCycles);
    REQUIRE(fabric->done());
    CHECK(fabric->running(100).empty());
    CHECK(fabric->log(3, 0).size() == 16);
    if (run == 0) words = fabric->log(3, 0);
    CHECK(fabric->log(3, 0) == words);
  }
}

TEST_CASE(
    "nothing of a schedule that was run, wrong or cut off before is seen in the next one on the "
    "same fabric") {
  const auto duplex = GENERATE(Duplex::Full, Duplex::Half);
  SECTION("flat") {
    const std::vector<FabricImage> images = unlike(duplex, 4);
    const FabricImage& image = images.back();
    const auto make = [&] {
      return tb::make_flat_fabric(image.topology, image.kind,
                                  depths_for(images.front(), tb::kFlatDepths), false, kFlatSeed);
    };
    CHECK(difference_after(*make(), *make(), images) == "");
  }
  SECTION("tile") {
    std::vector<FabricImage> images = unlike(duplex, tb::tile_ports(4));
    const auto make = [&] { return tb::make_tile_fabric(images.back().kind, false, kTileSeed); };
    CHECK(difference_after(*make(), *make(), images) == "");
    // Stores that are compared with what is expected, before such that are not, and the other way
    // round.
    const Schedule schedule = plan("torus:4x4", "product", duplex);
    images.front().expected =
        expected_logs(schedule, images.front().kind, Payload(schedule, 5, kPayloadSeed));
    REQUIRE(images.front().expected != nullptr);
    images.front().own_words[0] ^= 1;
    CHECK(difference_after(*make(), *make(), images) == "");
    std::ranges::reverse(images);
    CHECK(difference_after(*make(), *make(), images) == "");
  }
}

TEST_CASE("a flat fabric that was read in the middle of a run does not run on") {
  const Schedule schedule = plan("ring:8", "ring", Duplex::Full);
  const FabricImage image = prepare(schedule, 2, 2);
  const auto fabric = tb::make_flat_fabric(schedule.topology(), image.kind,
                                           depths_for(image, tb::kFlatDepths), false, kFlatSeed);
  fabric->load(image);
  fabric->run(5);
  CHECK(fabric->log(3, 0).size() >= 2);
  CHECK_THROWS_AS(fabric->run(1), std::logic_error);
}

}  // namespace gossamer::test
