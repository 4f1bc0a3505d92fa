// Which tables need wide nodes.
#include <random>

#include "catch.hpp"
#include "tables/compiler.hpp"

using namespace gossamer;

TEST_CASE("tables: nodes are wide where a log, a slot or a table has no room otherwise") {
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
