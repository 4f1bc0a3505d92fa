// Tables of symmetric gossips that send everything, made from whole logs, beside those of the same
// gossips expanded, made message by message; and which tables need wide nodes.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "catch.hpp"
#include "expand_program.hpp"
#include "tables/compiler.hpp"

using namespace gossamer;

namespace {

/// Everything, from some nodes to neighbours, round after round; most messages come more than once.
Schedule random_gossip(const Topology& topology, const std::vector<Node>& generators,
                       PortModel ports, Switching switching, std::mt19937& random) {
  const Model model{.ports = ports, .switching = switching, .combining = true};
  Schedule s(topology, Collective::Gossip, model, Symmetry(topology, generators));
  for (std::uint32_t round = 1; round <= 5; ++round) {
    const Port only = random() % topology.ports();
    for (Node c = 0; c < s.symmetry().classes(); ++c) {
      for (Port p = 0; p < topology.ports(); ++p) {
        if (ports == PortModel::Single ? p != only : random() % 3 == 0) continue;
        const Node from = s.symmetry().representative(c);
        s.add_everything(round, std::vector<Node>{from, topology.peer(from, p).node});
      }
    }
  }
  return s;
}

}  // namespace

TEST_CASE("whole gossips: their tables read the words that tables of the expanded schedule read") {
  struct Fabric {
    const char* spec;
    std::vector<Node> generators;
  };
  const Fabric fabrics[] = {{"ring:6", {1}},
                            {"ring:8", {2}},
                            {"torus:3x4", {1, 3}},
                            {"torus:4x4", {5}},
                            {"hypercube:3", {3}}};
  std::mt19937 random(5);
  for (const auto& [spec, generators] : fabrics) {
    const Topology topology = Topology::parse(spec);
    for (const PortModel ports : {PortModel::Single, PortModel::All}) {
      for (const Switching switching : {Switching::Packet, Switching::Circuit}) {
        for (const unsigned flits : {1u, 3u}) {
          const Schedule s = random_gossip(topology, generators, ports, switching, random);
          const CompiledSchedule classes = compile(s, flits, topology.ports());
          const CompiledSchedule all = compile(without_orbits(s), flits, topology.ports());
          CAPTURE(spec, to_string(ports), to_string(switching), flits);
          CHECK(classes.image.capacity == all.image.capacity);
          CHECK(classes.image.kind == all.image.kind);
          CHECK(classes.flits_expected == all.flits_expected);
          CHECK(classes.time.last_arrival == all.time.last_arrival);
          for (Node x = 0; x < topology.nodes(); ++x) {
            const NodeProgram& one = classes.image.programs[classes.image.program_of[x]];
            const NodeProgram& other = all.image.programs[all.image.program_of[x]];
            CAPTURE(x);
            CHECK(test::expand(one.slots) == test::expand(other.slots));
            REQUIRE(one.channels.size() == other.channels.size());
            for (std::size_t i = 0; i < one.channels.size(); ++i) {
              CHECK(test::expand(one.channels[i]) == test::expand(other.channels[i]));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("whole gossips: nodes are wide where a log, a slot or a table has no room otherwise") {
  const Model model{PortModel::Single, Duplex::Full, Switching::Packet, false};
  const Topology two = Topology::parse("path:2");
  Schedule broadcast(two, Collective::Broadcast, model), gossip(two, Collective::Gossip, model);
  broadcast.add_hop(1, 0, 1, 0);
  gossip.add_hop(1, 0, 1, 0);
  gossip.add_hop(1, 1, 0, 1);
  const auto is_wide = [](const Schedule& s, unsigned flits, bool may_be = true) {
    return compile(s, flits, 2, may_be).image.kind.wide;
  };
  // A slot's cycles and one more, and the words of a log, up to 2^24.
  CHECK_FALSE(is_wide(broadcast, (1u << 24) - 1));
  CHECK(is_wide(broadcast, 1u << 24));
  CHECK_FALSE(is_wide(gossip, 1u << 23));
  CHECK(is_wide(gossip, (1u << 23) + 1));
  // Node 0 sends without any order: entries of its slots, or of its list; the other nodes have few.
  std::mt19937 random(6);
  for (const bool listed : {false, true}) {
    for (const std::uint32_t rounds : {1'000u, listed ? 150'000u : 200'000u}) {
      Schedule s(Topology::parse("path:3"), Collective::Gossip, model);
      s.add_hop(1, 1, 0, 1);
      s.add_hop(2, 1, 2, 1);
      for (std::uint32_t round = 3; round < rounds; ++round) {
        if (listed) {
          s.add_hop(round, 0, 1, random() % 2);
        } else if (random() % 2 == 0) {
          s.add_hop(round, 0, 1, 0);
        }
      }
      const CompiledSchedule compiled = compile(s, 1, 2, true);
      const NodeProgram& first = compiled.image.programs[compiled.image.program_of[0]];
      CAPTURE(listed, rounds, first.slots.size(), first.channels[0].size());
      const std::size_t entries = listed ? first.channels[0].size() : first.slots.size();
      CHECK((entries + 1 > 1u << 16) == (rounds > 1'000));
      CHECK(compiled.image.kind.wide == (rounds > 1'000));
      if (rounds == 1'000) CHECK_FALSE(is_wide(s, 1, false));
    }
  }
}
