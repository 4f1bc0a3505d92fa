// Times in closed form (docs/hardware/timing.md), the size of tables, and what is refused.
#include "tables/compiler.hpp"

#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "gossamer_constants.hpp"
#include "support/error.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
#include "tables/timing.hpp"

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
  return timed(s, flits, LinkStages::parse(stages).on(s))->time;
}

/// The largest table and the longest list of any node.
struct Size {
  std::size_t slots = 0, segments = 0;
};
Size size(const Schedule& s, unsigned flits) {
  Size size;
  for (const NodeProgram& program : compile(s, flits, s.topology().ports()).image.programs) {
    size.slots = std::max(size.slots, program.slots.size());
    for (const auto& list : program.channels) size.segments = std::max(size.segments, list.size());
  }
  return size;
}

}  // namespace

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

TEST_CASE("timing: gossips on TM(7)^3 take 4 alpha + 12 delta + 400 L tau, 5 + 13 + 155 L") {
  struct Row {
    const char* algorithm;
    unsigned alpha, delta, tau;
  };
  for (const auto& [algorithm, alpha, delta, tau] :
       {Row{"delmas-perennes", 4, 12, 400}, Row{"delmas-perennes-split", 5, 13, 155}}) {
    const Schedule s = gossip(algorithm, "torus:7x7x7", PortModel::All, Duplex::Full);
    for (unsigned flits : {1u, 2u, 4u, 7u, 32u, 100u}) {
      CAPTURE(algorithm, flits);
      CHECK(timeline(s, flits).last_arrival == alpha * rtl::TIME_ALPHA + delta * rtl::TIME_DELTA +
                                                   std::uint64_t{tau} * flits * rtl::TIME_TAU);
    }
  }
}

TEST_CASE("timing: a ring never turns a link around: gossip takes a slot a round, and 2 cycles") {
  for (Node n = 4; n <= 33; ++n) {
    for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
      const Schedule s = gossip("ring", fmt::format("ring:{}", n), PortModel::Single, duplex);
      const std::uint64_t rounds = duplex == Duplex::Full ? n - 1
                                   : n % 2 == 0           ? 2 * (n - 1)
                                                          : 2 * n;
      for (const std::uint64_t flits : {1u, 3u, 4u, 32u}) {
        CAPTURE(n, flits);
        const std::uint64_t slot = std::max<std::uint64_t>(flits, rtl::TIME_LAT);
        CHECK(timeline(s, static_cast<unsigned>(flits)).last_arrival ==
              rounds * slot + 2 - (slot - flits));
      }
    }
  }
}

TEST_CASE("compiler: tables are short, however many nodes and flits there are") {
  struct Row {
    const char* algorithm;
    const char* topology;
    PortModel ports;
    Duplex duplex;
    std::size_t slots, segments;  ///< at most
  };
  constexpr auto kSingle = PortModel::Single, kAll = PortModel::All;
  constexpr auto kFull = Duplex::Full, kHalf = Duplex::Half;
  for (const auto& [name, topology, ports, duplex, slots, segments] :
       {Row{"ring", "ring:3", kSingle, kFull, 1, 1},
        {"ring", "ring:65", kSingle, kFull, 1, 1},
        {"ring", "ring:64", kSingle, kHalf, 2, 1},
        {"ring", "ring:65", kSingle, kHalf, 10, 1},
        {"hamiltonian", "torus:8x8", kSingle, kFull, 1, 1},
        {"hamiltonian", "torus:5x5", kSingle, kHalf, 10, 1},
        {"hamiltonian", "butterfly:3", kSingle, kFull, 1, 1},
        {"hamiltonian", "debruijn:6", kSingle, kHalf, 10, 1},
        // An entry a dimension, and a few where rings are odd.
        {"product", "torus:16x16", kSingle, kFull, 2, 2},
        {"product", "torus:5x5x5", kSingle, kFull, 3, 3},
        {"product", "torus:5x5x5", kSingle, kHalf, 24, 3},
        {"product", "hypercube:6", kSingle, kHalf, 48, 6},
        // An entry a round; log by log: 1 + 6 + 7 + 7 segments.
        {"delmas-perennes", "torus:7x7x7", kAll, kFull, 4, 21},
        {"delmas-perennes-split", "torus:7x7x7", kAll, kFull, 5, 51}}) {
    for (const unsigned flits : {1u, 4u, 32u}) {
      CAPTURE(name, topology, to_string(duplex), flits);
      const Size most = size(gossip(name, topology, ports, duplex), flits);
      CHECK(most.slots <= slots);
      CHECK(most.segments <= segments);
    }
  }
}

namespace {

/// One transfer of the message of node 0 over its first link, in this round.
Schedule one_transfer(const std::string& topology, std::uint32_t round = 1,
                      PortModel ports = PortModel::All) {
  const Topology t = Topology::parse(topology);
  Schedule s(t, Collective::Gossip, {.ports = ports, .combining = false});
  const Node path[] = {0, t.peer(0, 0).node};
  const Message message[] = {{.origin = 0}};
  s.add(round, path, message);
  return s;
}

CompiledSchedule compile_all_ports(const Schedule& s, unsigned flits = 1) {
  return compile(s, flits, s.topology().ports());
}

}  // namespace

TEST_CASE("compiler: nodes of 62 ports are compiled, and more are refused by their number") {
  const CompiledSchedule most = compile_all_ports(one_transfer("complete:63"));
  CHECK(most.image.kind.ports == 62);
  CHECK(most.image.programs[1].slots[0].receive == std::uint64_t{1} << 61);
  for (const auto* topology : {"complete:64", "complete:65", "complete:66", "complete:80",
                               "ghc:40x40", "product:complete:40,complete:26"}) {
    CAPTURE(topology);
    CHECK_THROWS_WITH(compile_all_ports(one_transfer(topology)),
                      Catch::Matchers::StartsWith(topology) &&
                          Catch::Matchers::EndsWith("nodes have at most 62 ports"));
  }
}

TEST_CASE("compiler: a log of more words than addresses, and more rounds than slots, are refused") {
  Schedule twice = one_transfer("ring:4", 1, PortModel::Single);
  const Node path[] = {0, 1};
  const Message message[] = {{.origin = 0}};
  for (std::uint32_t round = 2; round <= 15; ++round) twice.add(round, path, message);
  CHECK_NOTHROW(compile_all_ports(twice, 1u << 20));  // 16 messages with its own: all 2^24 words
  twice.add(16, path, message);
  CHECK_THROWS_WITH(
      compile_all_ports(twice, 1u << 20),
      Catch::Matchers::Contains("17825792 words") && Catch::Matchers::EndsWith("at most 16777216"));
  CHECK_THROWS_WITH(compile_all_ports(one_transfer("ring:4", kMaxRounds + 1)),
                    "16777217 rounds are too many to run; expected 16777216 at most");
}

TEST_CASE("compiler: tables that the machine has no memory for are refused before they are made") {
  Schedule s(Topology::parse("torus:64x64"), Collective::TotalExchange, {.combining = false});
  const Node path[] = {0, 1};
  const Message message[] = {{.origin = 0, .destination = 1}};
  s.add(1, path, message);
  limit_free_memory(1'000'000'000);
  CHECK_THROWS_WITH(
      compile_all_ports(s),
      Catch::Matchers::StartsWith("torus:64x64: the set of its tables needs about 1.3 GB"));
  forget_memory_limit();
}

TEST_CASE("compiler: Ctrl-C ends the making of tables") {
  note_interrupt(2);
  CHECK_THROWS_AS(compile_all_ports(one_transfer("ring:4")), Interrupted);
  forget_interrupt();
}
