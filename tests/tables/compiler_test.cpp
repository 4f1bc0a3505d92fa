// Times in closed form (docs/hardware/timing.md), the size of tables, and what is refused.
#include "tables/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "adaptive/adaptive.hpp"
#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "driver/case.hpp"
#include "gossamer_constants.hpp"
#include "support/error.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
#include "tables/adaptive.hpp"
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

// Which tables need wide nodes.

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

// Schedules that adaptive nodes cannot hold are refused, with the node's limits.

namespace {

/// The refusal of a gossip by `algorithm`; nothing if it is compiled.
std::string refusal(const std::string& topology, unsigned flits) {
  Case c;
  c.topology = topology;
  c.algorithm = "chau-fu";
  const Schedule schedule = make_plan(c).schedule;
  try {
    compile(schedule, flits, schedule.topology().ports());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("adaptive nodes distinguish 256 messages") {
  CHECK(refusal("hypercube:8", 1) == "");
  CHECK(refusal("hypercube:9", 1) ==
        "hypercube:9: adaptive nodes distinguish 256 messages, so that a hypercube runs up to "
        "dimension 8");
}

TEST_CASE("the messages of an adaptive node must fit into its log, each in a power of two words") {
  const std::uint64_t most = std::uint64_t{1} << rtl::SLOT_LEN_W;
  const auto flits = static_cast<unsigned>(most / 4);
  CHECK(refusal("hypercube:2", flits + 1) ==
        fmt::format("hypercube:2: a node's log has {} words for messages of {} flits; it can have "
                    "at most {}",
                    2 * most, flits + 1, most));
  // Those that fit may be too long for a slot; the message then names the round.
  CHECK_THAT(refusal("hypercube:2", flits), !Catch::Matchers::Contains("a node's log has"));
}

// Slots of adaptive schedules against their plain definition, for random schedules.

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
