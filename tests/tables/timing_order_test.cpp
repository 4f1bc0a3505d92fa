// The time of a round does not depend on the order in which its transfers are written down.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "catch.hpp"
#include "tables/timing.hpp"

using namespace gossamer;

namespace {

struct Sent {
  std::vector<Node> path;
  std::uint64_t flits;
};

/// Slots, arrivals and what the slots' cycles are spent on.
std::string times(const Topology& topology, const Model& model,
                  const std::vector<std::vector<Sent>>& rounds, unsigned flits,
                  const char* stages) {
  Schedule s(topology, Collective::Gossip, model);
  std::vector<std::uint64_t> sizes;
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    for (const Sent& t : rounds[r]) {
      s.add_everything(static_cast<std::uint32_t>(r) + 1, t.path);
      sizes.push_back(t.flits);
    }
  }
  const Timeline time = timeline(s, sizes, flits, LinkStages::parse(stages).on(s));
  return fmt::format("{} {} {}", fmt::join(time.start, " "), fmt::join(time.length, " "),
                     time.last_arrival);
}

}  // namespace

TEST_CASE("timing: the order of a round's transfers changes nothing") {
  std::mt19937 random(8);
  for (unsigned trial = 0; trial < 400; ++trial) {
    const Topology topology = Topology::parse(trial % 3 == 0 ? "torus:3x4" : "mesh:3x3");
    const Model model{trial % 2 == 0 ? PortModel::Single : PortModel::All,
                      trial / 2 % 2 == 0 ? Duplex::Full : Duplex::Half,
                      trial / 4 % 3 == 0 ? Switching::Circuit : Switching::Packet, true};
    const unsigned flits = 1 + trial % 4;
    const char* const stages = std::array{"0", "2", "1,6", "4,0"}[trial / 8 % 4];
    std::vector<std::vector<Sent>> rounds(2 + random() % 3);
    for (auto& round : rounds) {
      for (unsigned k = 1 + random() % 5; k > 0; --k) {
        std::vector<Node> path = {static_cast<Node>(random() % topology.nodes())};
        const std::size_t hops = model.switching == Switching::Circuit ? 1 + random() % 3 : 1;
        while (path.size() <= hops) {
          const Endpoint e =
              topology.peer(path.back(), static_cast<Port>(random() % topology.ports()));
          if (e.connected()) path.push_back(e.node);
        }
        round.push_back({path, flits * (1 + random() % 9)});
      }
    }
    auto backwards = rounds, shuffled = rounds;
    for (auto& round : backwards) std::ranges::reverse(round);
    for (auto& round : shuffled) std::ranges::shuffle(round, random);
    const std::string time = times(topology, model, rounds, flits, stages);
    CAPTURE(trial, stages);
    CHECK(times(topology, model, backwards, flits, stages) == time);
    CHECK(times(topology, model, shuffled, flits, stages) == time);
  }
}
