// Slot lengths and arrivals against the closed forms of docs/hardware/timing.md.
#include "tables/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "gossamer_constants.hpp"
#include "support/error.hpp"
#include "tables/compiler.hpp"

using namespace gossamer;

namespace {

Schedule gossip(const char* name, const std::string& topology, PortModel ports, Duplex duplex) {
  Request request{.topology = Topology::parse(topology), .cycle = {}};
  request.ports = ports;
  request.duplex = duplex;
  REQUIRE_FALSE(algorithm(name).refuses(request));
  return algorithm(name).plan(request);
}

Timeline timeline(const Schedule& s, unsigned flits, const char* stages = "0") {
  return gossamer::timeline(s, transfer_flits(s, flits), flits, LinkStages::parse(stages).on(s));
}

/// `rounds` packet rounds of one message each without link reversals: the last flit's arrival. c is
/// constant, 2, for messages that fill their slots.
std::uint64_t packet_cycles(std::uint64_t rounds, std::uint64_t flits) {
  const std::uint64_t slot = std::max<std::uint64_t>(flits, rtl::TIME_LAT);
  const std::uint64_t c = 2;
  return rounds * slot + c - (slot - flits);
}

}  // namespace

TEST_CASE("timing: what the checker has counted is not counted again") {
  const Schedule s = gossip("lee-code", "torus:5x5", PortModel::All, Duplex::Full);
  CheckReport checked = check(s);
  CHECK(timed(s, 2, &checked)->sizes == transfer_flits(s, 2));
  CHECK(timed(s, 2)->sizes == transfer_flits(s, 2));
  CHECK(timed(s, 2)->time.last_arrival == timeline(s, 2).last_arrival);
  checked.carried.assign(checked.carried.size(), 100);
  CHECK(timed(s, 2, &checked)->sizes.front() == 200);
}

TEST_CASE("timing: tables are compiled with the times that are handed over") {
  const Schedule s = gossip("lee-code", "torus:5x5", PortModel::All, Duplex::Full);
  auto longer = std::make_shared<ScheduleTiming>(*timed(s, 2));
  ++longer->time.length[0];
  const CompiledSchedule compiled = compile(s, 2, 4, false, nullptr, longer);
  CHECK(compiled.timed == longer);
  CHECK(compiled.image.programs[0].slots[0].length == longer->time.length[0]);
  // Times of messages of another length are worked out again.
  CHECK(compile(s, 3, 4, false, nullptr, longer).timed->flits == 3);
}

TEST_CASE("timing: slots of packet rounds") {
  const auto cycles = [](std::uint64_t flits, std::uint64_t reversing) {
    return slot_parts(Switching::Packet, {.most_flits = flits, .reversing_flits = reversing}).sum();
  };
  for (std::uint64_t flits = 0; flits < 20; ++flits) {
    CHECK(cycles(flits, 0) == std::max<std::uint64_t>(flits, rtl::TIME_LAT));
    // A guard cycle only if the link that reverses is busy to the end of the slot.
    if (flits > rtl::TIME_LAT) {
      CHECK(cycles(flits, flits) == flits + rtl::TIME_GUARD);
      CHECK(cycles(flits, flits - rtl::TIME_GUARD) == flits);
    }
  }
}

TEST_CASE("timing: what the cycles of a slot are spent on") {
  const auto parts = [](Switching switching, const RoundShape& shape) {
    const SlotParts p = slot_parts(switching, shape);
    return std::vector<std::uint64_t>{p.alpha, p.hops, p.flits, p.waiting};
  };
  using Cycles = std::vector<std::uint64_t>;
  CHECK(parts(Switching::Circuit, {.longest = 11, .longest_hops = 3}) == Cycles{1, 3, 8, 0});
  CHECK(parts(Switching::Packet, {.most_flits = 8, .last_message = 4}) == Cycles{0, 0, 8, 0});
  CHECK(parts(Switching::Packet, {.most_flits = 1}) == Cycles{0, 0, 1, 2});
  CHECK(parts(Switching::Packet, {.most_flits = 8, .last_message = 0, .reversing_flits = 8}) ==
        Cycles{0, 0, 8, 1});
  CHECK(parts(Switching::Pipelined, {.most_flits = 1}) == Cycles{0, 0, 1, 0});
  CHECK(parts(Switching::Pipelined, {.most_flits = 0}) == Cycles{0, 0, 0, 1});
  // 4 alpha, 12 hops, 400 messages.
  SlotParts sum;
  const Schedule tm7 = gossip("delmas-perennes", "torus:7x7x7", PortModel::All, Duplex::Full);
  for (const SlotParts& p : timeline(tm7, 8).parts) {
    sum.alpha += p.alpha, sum.hops += p.hops, sum.flits += p.flits, sum.waiting += p.waiting;
  }
  CHECK(std::vector<std::uint64_t>{sum.alpha, sum.hops, sum.flits, sum.waiting} ==
        Cycles{4, 12, 3200, 0});
}

TEST_CASE("timing: slots of circuit and pipelined rounds") {
  for (std::uint64_t longest = 2; longest < 20; ++longest) {
    CHECK(slot_parts(Switching::Circuit, {.longest = longest}).sum() == rtl::TIME_ALPHA + longest);
  }
  CHECK(slot_parts(Switching::Pipelined, {.most_flits = 1}).sum() == 1);
  CHECK(slot_parts(Switching::Pipelined, {.most_flits = 0}).sum() == 1);
}

TEST_CASE("timing: gossip on a full-duplex ring takes (n-1)L + 2 cycles") {
  for (unsigned n = 3; n <= 65; ++n) {
    const Schedule s = gossip("ring", fmt::format("ring:{}", n), PortModel::Single, Duplex::Full);
    for (unsigned flits : {1u, 2u, 3u, 4u, 5u, 32u}) {
      CAPTURE(n, flits);
      const std::uint64_t cycles = timeline(s, flits).last_arrival;
      CHECK(cycles == packet_cycles(n - 1, flits));
      if (flits >= rtl::TIME_LAT) CHECK(cycles == (n - 1) * flits + 2);
    }
  }
}

TEST_CASE("timing: gossip on a half-duplex ring takes 2(n-1)L + 2 cycles, odd ones 2nL + 2") {
  for (unsigned n = 4; n <= 33; ++n) {
    const Schedule s = gossip("ring", fmt::format("ring:{}", n), PortModel::Single, Duplex::Half);
    for (unsigned flits : {1u, 3u, 4u, 32u}) {
      CAPTURE(n, flits);
      const unsigned rounds = n % 2 == 0 ? 2 * (n - 1) : 2 * n;
      CHECK(timeline(s, flits).last_arrival == packet_cycles(rounds, flits));
    }
  }
}

TEST_CASE("timing: the two-node paths of a product pay guard cycles where links reverse, no more") {
  for (unsigned d = 2; d <= 6; ++d) {
    const std::string topology = fmt::format("hypercube:{}", d);
    const Schedule s = gossip("product", topology, PortModel::Single, Duplex::Half);
    for (unsigned flits : {1u, 4u, 9u}) {
      CAPTURE(d, flits);
      const Timeline time = timeline(s, flits);
      std::uint64_t guards = 0;
      for (const std::uint64_t length : time.length) {
        const std::uint64_t slot = std::max<std::uint64_t>(flits, rtl::TIME_LAT);
        REQUIRE(length >= slot);
        REQUIRE(length <= slot + rtl::TIME_GUARD);
        guards += length - slot;
      }
      CHECK(time.last_arrival == packet_cycles(s.rounds(), flits) + guards);
      // Messages shorter than LAT leave the link undriven anyway.
      CHECK(guards == (flits < rtl::TIME_LAT ? 0 : d * rtl::TIME_GUARD));
    }
  }
}

TEST_CASE("timing: gossip on TM(7)^3 takes 4 alpha + 12 delta + 400 L tau cycles") {
  const Schedule s = gossip("delmas-perennes", "torus:7x7x7", PortModel::All, Duplex::Full);
  for (unsigned flits : {1u, 2u, 4u, 7u, 32u, 100u}) {
    CAPTURE(flits);
    CHECK(timeline(s, flits).last_arrival ==
          4 * rtl::TIME_ALPHA + 12 * rtl::TIME_DELTA + 400ull * flits * rtl::TIME_TAU);
  }
}

TEST_CASE("timing: its variant for large messages takes 5 alpha + 13 delta + 155 L tau cycles") {
  const Schedule s = gossip("delmas-perennes-split", "torus:7x7x7", PortModel::All, Duplex::Full);
  for (unsigned flits : {1u, 2u, 4u, 7u, 32u, 100u}) {
    CAPTURE(flits);
    CHECK(timeline(s, flits).last_arrival ==
          5 * rtl::TIME_ALPHA + 13 * rtl::TIME_DELTA + 155ull * flits * rtl::TIME_TAU);
  }
}

TEST_CASE("timing: circuit rounds take alpha and their largest hops + flits, one after the other") {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    Schedule s(Topology::parse("ring:40"), Collective::Gossip,
               {PortModel::All, Duplex::Full, Switching::Circuit, true});
    const unsigned flits = 1 + random() % 5, rounds = 1 + random() % 6;
    std::uint64_t cycles = 0;
    for (unsigned round = 1; round <= rounds; ++round) {
      std::uint64_t longest = 0;
      Node at = 0;
      for (unsigned transfers = 1 + random() % 3; transfers > 0; --transfers) {
        const Node hops = 1 + random() % 9;
        std::vector<Node> path;
        for (Node h = 0; h <= hops; ++h) path.push_back(at + h);
        std::vector<Message> messages;
        for (unsigned m = 1 + random() % 4; m > 0; --m) messages.push_back({at + m, kNoNode});
        s.add(round, path, messages);
        longest = std::max<std::uint64_t>(longest, hops + messages.size() * flits);
        at += hops;
      }
      cycles += rtl::TIME_ALPHA + longest;
    }
    CHECK(timeline(s, flits).last_arrival == cycles);
  }
}

TEST_CASE("timing: slots follow one another without a gap, from TIME_START on") {
  for (const char* name : {"delmas-perennes", "delmas-perennes-split"}) {
    const Schedule s = gossip(name, "torus:7x7x7", PortModel::All, Duplex::Full);
    const Timeline time = timeline(s, 3);
    REQUIRE(time.start.size() == s.rounds());
    REQUIRE(time.length.size() == s.rounds());
    CHECK(time.start[0] == rtl::TIME_START);
    for (std::size_t k = 1; k < s.rounds(); ++k) {
      CHECK(time.start[k] == time.start[k - 1] + time.length[k - 1]);
    }
    CHECK(time.last_arrival <= time.start.back() + time.length.back());
  }
}

TEST_CASE("timing: a pipelined path uses one link a slot, and its last hop has a slot, too") {
  Schedule s(Topology::parse("ring:9"), Collective::Broadcast,
             {PortModel::All, Duplex::Full, Switching::Pipelined, false});
  const Message message{0, kNoNode};
  const std::vector<Node> path{0, 1, 2, 3, 4};
  s.add(1, path, {&message, 1});
  s.add(3, path, {&message, 1});
  const Timeline time = timeline(s, 1);
  CHECK(time.length == std::vector<std::uint64_t>(3 + 4 - 1, 1));
  CHECK(time.last_arrival == time.start[2] + 4 + 1);
}

TEST_CASE("timing: over links of S stages a hop takes 1 + S cycles, a forwarded flit 3 + S") {
  const Schedule tm7 = gossip("delmas-perennes", "torus:7x7x7", PortModel::All, Duplex::Full);
  for (const std::uint64_t s : {0, 1, 2, 5}) {
    CAPTURE(s);
    const std::string stages = std::to_string(s);
    CHECK(timeline(tm7, 4, stages.c_str()).last_arrival == 4 + 12 * (1 + s) + 400 * 4);
    const Schedule ring = gossip("ring", "ring:8", PortModel::Single, Duplex::Full);
    for (std::uint64_t flits = 1; flits < 12; ++flits) {
      const Timeline time = timeline(ring, static_cast<unsigned>(flits), stages.c_str());
      const std::uint64_t slot = std::max(flits, 3 + s);
      CHECK(time.length == std::vector<std::uint64_t>(7, slot));
      CHECK(time.last_arrival == 1 + 6 * slot + 1 + s + flits);
    }
  }
}

TEST_CASE("timing: links of each dimension have their own length") {
  // 3 rounds of one message along the second dimension, then 8 along the first.
  const Schedule s = gossip("product", "torus:3x4", PortModel::Single, Duplex::Full);
  const auto slots = timeline(s, 2, "1,4").length;
  CHECK(slots == std::vector<std::uint64_t>{7, 7, 7, 4, 4, 4, 4, 4, 4, 4, 4});
  CHECK(LinkStages::parse("63").text() == "63");
  CHECK(LinkStages::parse("0,63").text() == "0,63");
  CHECK_THROWS_AS(LinkStages::parse("64"), InputError);
  CHECK_THROWS_WITH(LinkStages::parse("1,2,3").on(s),
                    "3 numbers of link stages for torus:3x4, which has 2 dimensions: expected one, "
                    "or one for each");
}

TEST_CASE("timing: a single log waits until a long link is quiet") {
  // Round 1 comes over the long link to node 4, round 2 over the short one.
  const auto ports = GENERATE(PortModel::Single, PortModel::All);
  Schedule s(Topology::parse("torus:3x4"), Collective::Gossip,
             {ports, Duplex::Full, Switching::Packet, true});
  s.add_hop(1, 1, 4, 1);
  s.add_hop(2, 3, 4, 3);
  CHECK(timeline(s, 10, "0,5").length[0] == (ports == PortModel::Single ? 10 + 5 : 10));
  CHECK(timeline(s, 10, "5,5").length[0] == 10);
  CHECK(timeline(s, 10, "5,0").length[0] == 10);
}

TEST_CASE("timing: a half-duplex link of S stages turns around in 1 + S cycles") {
  Schedule s(Topology::parse("path:2"), Collective::Gossip,
             {PortModel::Single, Duplex::Half, Switching::Packet, true});
  s.add_hop(1, 0, 1, 0);
  s.add_hop(2, 1, 0, 1);
  for (const std::uint64_t stages : {0, 1, 4}) {
    CHECK(timeline(s, 10, std::to_string(stages).c_str()).length[0] == 10 + 1 + stages);
  }
}

TEST_CASE(
    "timing: of several half-duplex links that turn around the one with the most flits counts") {
  // Two messages from node 0 to 1, then one from 3 to 2; both links turn around.
  Schedule s(Topology::parse("path:4"), Collective::Gossip,
             {PortModel::Single, Duplex::Half, Switching::Packet, true});
  s.add_hop(1, 1, 0, 1);
  s.add_everything(2, std::array<Node, 2>{0, 1});
  s.add_hop(2, 3, 2, 3);
  s.add_hop(3, 1, 0, 1);
  s.add_hop(3, 2, 3, 2);
  CHECK(timeline(s, 10).length[1] == 2 * 10 + 1);
}

TEST_CASE("timing: a pipelined slot is as long as the longest link, and carries as many flits") {
  Schedule s(Topology::parse("torus:4x4"), Collective::Broadcast,
             {PortModel::All, Duplex::Full, Switching::Pipelined, false});
  const Message message{0, kNoNode};
  const std::vector<Node> path{0, 1, 5};
  s.add(1, path, {&message, 1});
  for (const unsigned flits : {1u, 2u, 4u}) {
    const Timeline time = timeline(s, flits, "1,3");
    CHECK(time.length == std::vector<std::uint64_t>(2, 4));
    CHECK(time.last_arrival == 1 + 2 * 4 + flits);
  }
  CHECK_THROWS_WITH(timeline(s, 5, "1,3"),
                    "pipelined schedules run with messages of at most 4 flits over links of 3 "
                    "stages, not 5");
}

TEST_CASE("timing: a pipelined slot of nodes with one port is as long as their link") {
  Schedule s(Topology::parse("path:2"), Collective::Broadcast,
             {PortModel::All, Duplex::Full, Switching::Pipelined, false});
  s.add_hop(1, 0, 1, 0);
  CHECK(timeline(s, 1, "2").length == std::vector<std::uint64_t>{3});
  CHECK(timeline(s, 1, "2").last_arrival == 1 + 3 + 1);
}
