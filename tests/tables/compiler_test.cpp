// Compiled tables: their size, and that they match the schedule.
#include "tables/compiler.hpp"

#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "expand_program.hpp"
#include "support/interrupt.hpp"
#include "support/memory.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

Schedule gossip(const char* name, const std::string& topology, PortModel ports, Duplex duplex) {
  Request request{.topology = Topology::parse(topology), .cycle = {}};
  request.ports = ports;
  request.duplex = duplex;
  REQUIRE_FALSE(algorithm(name).refuses(request));
  return algorithm(name).plan(request);
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

TEST_CASE("compiler: the table of a ring does not grow with the ring") {
  for (Node n = 3; n <= 65; ++n) {
    for (unsigned flits : {1u, 4u}) {
      CAPTURE(n, flits);
      const std::string topology = fmt::format("ring:{}", n);
      const Size full = size(gossip("ring", topology, PortModel::Single, Duplex::Full), flits);
      CHECK(full.slots == 1);
      CHECK(full.segments == 1);
      const Size half = size(gossip("ring", topology, PortModel::Single, Duplex::Half), flits);
      CHECK(half.slots <= (n % 2 == 0 ? 2 : 10));
      CHECK(half.segments == 1);
    }
  }
}

TEST_CASE("compiler: nor does that of a hamiltonian cycle through any graph") {
  for (const char* topology : {"torus:4x4", "torus:5x5", "torus:8x8", "torus:3x3x3", "torus:4x4x4",
                               "hypercube:6", "butterfly:3", "ccc:3", "debruijn:4", "debruijn:6"}) {
    CAPTURE(topology);
    const Size full = size(gossip("hamiltonian", topology, PortModel::Single, Duplex::Full), 4);
    CHECK(full.slots == 1);
    CHECK(full.segments == 1);
    const Size half = size(gossip("hamiltonian", topology, PortModel::Single, Duplex::Half), 4);
    CHECK(half.slots <= 10);
    CHECK(half.segments == 1);
  }
}

TEST_CASE("compiler: products need one entry a dimension, and a few where rings are odd") {
  for (const auto& [topology, dimensions] : {std::pair{"torus:4x4", 2u},
                                             {"torus:5x5", 2u},
                                             {"torus:16x16", 2u},
                                             {"torus:4x4x4", 3u},
                                             {"torus:5x5x5", 3u},
                                             {"hypercube:6", 6u}}) {
    CAPTURE(topology);
    const Size full = size(gossip("product", topology, PortModel::Single, Duplex::Full), 4);
    CHECK(full.slots == dimensions);
    CHECK(full.segments == dimensions);
    const Size half = size(gossip("product", topology, PortModel::Single, Duplex::Half), 4);
    CHECK(half.slots <= 8 * dimensions);
    CHECK(half.segments == dimensions);
  }
}

TEST_CASE("compiler: gossip on TM(7)^3 needs an entry a round, whatever the messages' length") {
  for (unsigned flits : {1u, 4u, 32u}) {
    CAPTURE(flits);
    const Size four =
        size(gossip("delmas-perennes", "torus:7x7x7", PortModel::All, Duplex::Full), flits);
    CHECK(four.slots == 4);
    CHECK(four.segments <= 21);  // log by log: 1 + 6 + 7 + 7
    const Size five =
        size(gossip("delmas-perennes-split", "torus:7x7x7", PortModel::All, Duplex::Full), flits);
    CHECK(five.slots == 5);
    CHECK(five.segments <= 51);
  }
}

TEST_CASE("compiler: every node's slots are as long as the timeline's, and end together") {
  for (const auto& [name, topology, ports, duplex] :
       {std::tuple{"ring", "ring:9", PortModel::Single, Duplex::Half},
        {"hamiltonian", "torus:3x3", PortModel::Single, Duplex::Full},
        {"product", "torus:3x4", PortModel::Single, Duplex::Half},
        {"delmas-perennes", "torus:7x7x7", PortModel::All, Duplex::Full}}) {
    CAPTURE(name, topology);
    const CompiledSchedule compiled = compile(gossip(name, topology, ports, duplex), 3, 6);
    for (const NodeProgram& program : compiled.image.programs) {
      std::vector<std::uint64_t> lengths;
      for (const SlotEntry& e : expand(program.slots)) lengths.push_back(e.length);
      REQUIRE(lengths == compiled.time.length);
    }
  }
}

TEST_CASE("compiler: what is read is what the slots send, in every node and channel") {
  for (const auto& [name, topology, ports, duplex] :
       {std::tuple{"ring", "ring:9", PortModel::Single, Duplex::Half},
        {"product", "torus:3x4", PortModel::Single, Duplex::Full},
        {"delmas-perennes", "torus:7x7x7", PortModel::All, Duplex::Full},
        {"delmas-perennes-split", "torus:7x7x7", PortModel::All, Duplex::Full}}) {
    CAPTURE(name, topology);
    const Schedule s = gossip(name, topology, ports, duplex);
    const CompiledSchedule compiled = compile(s, 2, s.topology().ports());
    const NodeKind& kind = compiled.image.kind;
    std::uint64_t sent = 0;
    for (Node x = 0; x < s.topology().nodes(); ++x) {
      const NodeProgram& program = compiled.image.programs[compiled.image.program_of[x]];
      std::vector<std::vector<ListedWord>> words;
      for (const auto& list : program.channels) words.push_back(expand(list));
      std::vector<std::size_t> next(words.size(), 0);
      for (const SlotEntry& e : expand(program.slots)) {
        for (unsigned c = 0; c < words.size(); ++c) {
          bool reads = false;
          for (Port p = 0; p < kind.ports; ++p) {
            if (e.select[p] == select_local(p) && (kind.channels == 1 || c == p)) reads = true;
          }
          for (std::uint32_t i = 0; reads && i < e.stream; ++i) {
            REQUIRE(next[c] < words[c].size());
            ++sent;
            if (words[c][next[c]++].stops) break;
          }
        }
      }
      for (unsigned c = 0; c < words.size(); ++c) REQUIRE(next[c] == words[c].size());
    }
    CHECK(sent > 0);
  }
}

TEST_CASE("compiler: a node of more ports than the topology leaves the others alone") {
  const Schedule s = gossip("ring", "ring:5", PortModel::Single, Duplex::Full);
  for (Port ports : {2u, 4u, 6u}) {
    const CompiledSchedule compiled = compile(s, 2, ports);
    CHECK(compiled.image.kind.ports == ports);
    for (const SlotEntry& e : compiled.image.programs[0].slots) {
      REQUIRE(e.select.size() == ports);
      for (Port p = 2; p < ports; ++p) CHECK(e.select[p] == ports);
      CHECK(e.receive < 4);
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

TEST_CASE("compiler: ports that the topology does not have are without link stages") {
  const Schedule s = gossip("ring", "ring:4", PortModel::Single, Duplex::Full);
  const auto stages = [&](Port ports, const PortStages& of_links) {
    return compile(s, 2, ports, false, nullptr, nullptr, of_links).image.stages;
  };
  CHECK(stages(2, {2, 2}) == PortStages{2, 2});
  CHECK(stages(4, {2, 2}) == PortStages{2, 2, 0, 0});
  CHECK(stages(4, {}).empty());
}

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
