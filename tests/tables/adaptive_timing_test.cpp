// Slots of adaptive schedules against their plain definition, for random schedules.
#include "tables/adaptive_timing.hpp"

#include <algorithm>
#include <random>

#include "adaptive/offers.hpp"
#include "catch.hpp"
#include "gossamer_constants.hpp"
#include "tables/timing.hpp"

using namespace gossamer;

namespace {

/// Any transfers of new messages; single-port nodes take part in one each way.
Schedule random_schedule(std::mt19937& random) {
  const Topology cube = Topology::parse("hypercube:" + std::to_string(1 + random() % 3));
  const PortModel ports = random() % 2 == 0 ? PortModel::Single : PortModel::All;
  const Collective collective = random() % 8 == 0 ? Collective::Broadcast : Collective::Gossip;
  Schedule s(cube, collective, {ports, Duplex::Full, Switching::Packet, true});
  if (collective == Collective::Gossip && random() % 3 == 0)
    s.initiator = Initiator{static_cast<Node>(random() % cube.nodes()),
                            static_cast<std::uint32_t>(1 + random() % 5)};
  for (std::uint32_t round = 1, rounds = 2 + random() % 6; round <= rounds; ++round) {
    std::vector<bool> sends(cube.nodes()), receives(cube.nodes());
    for (Node from = 0; from < cube.nodes(); ++from) {
      for (Port p = 0; p < cube.ports(); ++p) {
        const Node to = cube.peer(from, p).node;
        if (random() % 3 == 0) continue;
        if (ports == PortModel::Single && (sends[from] || receives[to])) continue;
        sends[from] = receives[to] = true;
        s.add_new(round, std::vector<Node>{from, to});
      }
    }
  }
  return s;
}

/// How long a round's slot must be: as its list is; until links are quiet; until a message that
/// arrives now and is offered in the next round is there when its turn comes, an initiator's when
/// the round begins: without it nothing is sent.
std::uint64_t plain_length(const Schedule& s, const Offers& offers, std::uint32_t round,
                           unsigned flits, const PortStages& stages) {
  const std::uint64_t list = std::uint64_t{offers.length(round)} * flits;
  const auto stages_of = [&](Port p) { return stages.empty() ? 0 : std::int64_t{stages[p]}; };
  std::int64_t length = std::max<std::int64_t>(static_cast<std::int64_t>(list), rtl::TIME_LAT);
  if (s.model().ports == PortModel::Single && !stages.empty()) {
    const auto [least, most] = std::ranges::minmax(stages);
    length = std::max(length, static_cast<std::int64_t>(list + most - least));
  }
  for (const Transfer& t : s.transfers_of(round)) {
    const Node from = s.path(t)[0], to = s.path(t)[1];
    const std::int64_t lat = rtl::TIME_LAT + stages_of(s.topology().port_to(from, to));
    length = std::max(length, lat);
    if (round == s.rounds()) continue;
    const auto sent = offers.at(round, from), next = offers.at(round + 1, to);
    for (std::size_t i = 0; i < sent.size(); ++i) {
      if (s.initiator && sent[i] == s.initiator->node && !next.empty()) {
        length = std::max(length, static_cast<std::int64_t>(i) * flits + lat);
      }
      for (std::size_t k = 0; k < next.size(); ++k) {
        if (sent[i] != next[k]) continue;
        const auto ahead = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(k);
        length = std::max(length, ahead * flits + lat);
      }
    }
  }
  return static_cast<std::uint64_t>(length);
}

}  // namespace

TEST_CASE("timing: slots of random adaptive schedules are as long as messages need, no longer") {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Schedule s = random_schedule(random);
    if (s.transfers().empty()) continue;
    const unsigned flits = 1 + random() % 4;
    PortStages stages;
    if (random() % 2 == 0)
      for (Port p = 0; p < s.topology().ports(); ++p) stages.push_back(random() % 4);
    const Offers offers = gossamer::offers(s);
    const Timeline time = adaptive_timeline(s, offers, flits, stages);
    CAPTURE(i, s.topology().spec(), flits, stages);
    REQUIRE(time.length.size() == s.rounds());
    std::uint64_t start = rtl::TIME_START;
    for (std::uint32_t round = 1; round <= s.rounds(); ++round) {
      CAPTURE(round);
      REQUIRE(time.start[round - 1] == start);
      REQUIRE(time.length[round - 1] == plain_length(s, offers, round, flits, stages));
      start += time.length[round - 1];
    }
    const std::uint64_t longest = stages.empty() ? 0 : std::ranges::max(stages);
    REQUIRE(time.last_arrival == start + rtl::TIME_DELTA + longest);
  }
}
