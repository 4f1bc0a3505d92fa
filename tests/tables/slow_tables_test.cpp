// Tables and timing of random small schedules of every model, against a second reading of the
// documents: how long each slot lasts, which node stores what in which order, and that the tables
// do it.
#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "fabric/payload.hpp"
#include "ideal_fabric.hpp"
#include "random_schedules.hpp"
#include "refusal.hpp"
#include "slow_check.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"
#include "tables/link_stages.hpp"

using namespace gossamer;

namespace {

/// When slots begin and how long they are, and the last arrival: docs/hardware/timing.md, link by
/// link.
struct SlowTime {
  std::vector<std::uint64_t> start, length;
  std::uint64_t last_arrival = 0;
};

/// A hop of a transfer, in the slot in which it uses its link.
struct Use {
  std::uint32_t slot;
  Node from, to;
  Port out;
  bool stored;
  std::uint64_t way, stages, flits;  ///< cycles from the source on, this hop's counted
  std::uint64_t last;                ///< flits of its last message
};

/// The flits of a message are dealt out to its pieces one by one.
unsigned flits_of(const Schedule& s, const Message& m, unsigned flits) {
  if (!s.sizes.equal()) flits = s.sizes.of(m.origin, m.destination);
  unsigned count = 0;
  for (unsigned i = 0; i < flits; ++i) count += i % s.pieces() == m.piece ? 1 : 0;
  return count;
}

SlowTime slow_time(const Schedule& s, const test::SlowCheck& slow, unsigned flits,
                   const PortStages& stages) {
  const Switching switching = s.model().switching;
  const bool pipelined = switching == Switching::Pipelined,
             packets = switching == Switching::Packet;
  std::vector<Use> uses;
  std::uint32_t slots = 0;
  for (std::size_t i = 0; i < s.transfers().size(); ++i) {
    const Transfer& t = s.transfers()[i];
    std::vector<std::uint64_t> way;
    std::vector<std::uint32_t> far;
    std::uint64_t size = 0;
    for (const Message& m : slow.carried[i]) size += flits_of(s, m, flits);
    for (const TransferHop hop : s.hops(t)) {
      const bool first = hop.before == TransferHop::kNone;
      const Port out = port_out(s.topology(), hop);
      const std::uint64_t more = stages.empty() ? 0 : stages[out];
      far.push_back(first ? 0 : far[hop.before] + s.model().hop_rounds);
      way.push_back((first ? 0 : way[hop.before]) + 1 + more);
      const Message& end = slow.carried[i].back();
      // How long the last message of everything is, timing does not ask if lengths differ.
      const bool asked = t.carry == Carry::Listed || (s.sizes.equal() && flits % s.pieces() == 0);
      uses.push_back({pipelined ? t.round + far.back() : t.round, hop.from, hop.to, out, hop.stored,
                      pipelined ? 1 + more : way.back(), more, size,
                      asked ? flits_of(s, end, flits) : 1});
      slots = std::max(slots, uses.back().slot);
    }
  }
  const bool mixed =
      std::ranges::adjacent_find(stages, std::ranges::not_equal_to()) != stages.end();
  SlowTime time;
  std::uint64_t now = 1;
  for (std::uint32_t slot = 1; slot <= slots; ++slot) {
    time.start.push_back(now);
    std::uint64_t next = now + (packets ? 3 : 1);
    if (pipelined) next = now + (1 + (stages.empty() ? 0 : stages[0])) / s.model().hop_rounds;
    for (const Use& use : uses) {
      if (use.slot > slot) continue;
      const std::uint64_t began = time.start[use.slot - 1];
      if (use.slot == slot && packets && use.way == 1 + use.stages) {
        // The first word of the last message can be read three cycles after it was read at the
        // sender, and the next slot may read it first.
        next = std::max({next, now + use.flits, now + use.flits - use.last + 3 + use.stages});
      }
      if (use.slot == slot && switching == Switching::Circuit) {
        next = std::max(next, now + 1 + use.way + use.flits);
      }
      if (use.slot == slot && use.flits > 0) {
        // A word that is read in cycle t is on the first link in t + 2.
        time.last_arrival = std::max(time.last_arrival, now + 1 + use.way + use.flits - 1);
      }
      for (const Use& then : uses) {
        if (!packets || then.slot != slot + 1) continue;
        const bool back = then.from == use.to && then.to == use.from &&
                          s.topology().peer(use.from, use.out).port == then.out;
        const std::uint64_t passed = began + use.flits + use.stages;
        if (back && s.model().duplex == Duplex::Half) next = std::max(next, passed + 1);
        // One log stores a word in a cycle.
        const bool one_log = mixed && s.model().ports == PortModel::Single && then.to == use.to;
        if (one_log) next = std::max(next, passed - std::min(passed, then.stages));
      }
    }
    time.length.push_back(next - now);
    now = next;
  }
  return time;
}

/// The content of each log at the end, in order: what arrives through a port, slot after slot.
std::vector<std::vector<std::vector<Message>>> slow_logs(const Schedule& s,
                                                         const test::SlowCheck& slow) {
  const bool single = s.model().ports == PortModel::Single;
  const bool pipelined = s.model().switching == Switching::Pipelined;
  std::vector<std::vector<std::vector<Message>>> logs(
      s.topology().nodes(), std::vector<std::vector<Message>>(s.topology().ports()));
  for (std::uint32_t slot = 1; slot <= s.rounds() + 30; ++slot) {
    for (std::size_t i = 0; i < s.transfers().size(); ++i) {
      const Transfer& t = s.transfers()[i];
      std::vector<std::uint32_t> far;
      for (const TransferHop hop : s.hops(t)) {
        const bool first = hop.before == TransferHop::kNone;
        far.push_back(first ? 0 : far[hop.before] + s.model().hop_rounds);
        if (!hop.stored || slot != (pipelined ? t.round + far.back() : t.round)) continue;
        auto& log = logs[hop.to][single ? 0 : port_in(s.topology(), hop)];
        log.insert(log.end(), slow.carried[i].begin(), slow.carried[i].end());
      }
    }
  }
  return logs;
}

/// Counts in `foretold_runs` those whose logs are predicted for compressed stores.
void check_tables(const Schedule& given, unsigned flits, Port spare_ports, const PortStages& stages,
                  unsigned& foretold_runs) {
  const Schedule s = given.symmetry().order() == 1 ? given : without_orbits(given);
  const test::SlowCheck slow =
      test::slow_check(given, [&](Node x) { return own_messages(given, x); });
  REQUIRE(slow.legal);
  if (s.transfers().empty()) return;
  const SlowTime time = slow_time(s, slow, flits, stages);
  CompiledSchedule compiled = compile(given, flits, given.topology().ports() + spare_ports, false,
                                      nullptr, nullptr, stages);
  REQUIRE(compiled.time.start == time.start);
  REQUIRE(compiled.time.length == time.length);
  REQUIRE(compiled.time.last_arrival == time.last_arrival);
  std::uint64_t moved = 0;
  for (std::size_t i = 0; i < s.transfers().size(); ++i) {
    for (const Message& m : slow.carried[i]) {
      moved += std::uint64_t{flits_of(s, m, flits)} * s.hops(s.transfers()[i]).size();
    }
  }
  REQUIRE(compiled.flits_expected == moved);

  const Payload payload(given, flits, 1);
  FabricImage& image = compiled.image;
  image.own_begin.assign(1, 0);
  const auto words = [&](const Message& m, std::vector<std::uint32_t>& to) {
    for (unsigned i = 0; i < flits_of(given, m, flits); ++i) to.push_back(payload.word({m, i}));
  };
  for (Node x = 0; x < s.topology().nodes(); ++x) {
    for (const Message& m : own_messages(given, x)) words(m, image.own_words);
    image.own_begin.push_back(image.own_words.size());
  }
  const test::IdealRun run = test::run_ideally(image);
  REQUIRE(run.errors == std::vector<std::string>{});
  REQUIRE(run.last_arrival == time.last_arrival);
  REQUIRE(run.flits_moved == compiled.flits_expected);

  const auto logs = slow_logs(s, slow);
  const auto foretold = expected_logs(given, image.kind, payload);
  const auto in_ropes = expected_logs(given, image.kind, payload, /*written_out=*/2);
  if (foretold) ++foretold_runs;
  std::size_t longest = 0;
  for (Node x = 0; x < s.topology().nodes(); ++x) {
    for (unsigned g = 0; g < image.kind.logs(); ++g) {
      std::vector<std::uint32_t> expected;
      if (image.kind.single_port) {
        for (const Message& m : own_messages(given, x)) words(m, expected);
      }
      if (g < s.topology().ports()) {
        for (const Message& m : logs[x][g]) words(m, expected);
      }
      REQUIRE(run.logs[x][g] == expected);
      longest = std::max(longest, expected.size());
      if (!foretold) continue;
      const std::uint32_t c = image.program_of[x];
      for (const auto& logs_foretold : {foretold, in_ropes}) {
        REQUIRE(logs_foretold->words(c, g) == expected.size());
        for (std::uint32_t i = 0; i < expected.size(); ++i) {
          REQUIRE(logs_foretold->word(c, logs_foretold->shift(x, c), g, i) == expected[i]);
        }
      }
    }
  }
  REQUIRE(image.capacity == longest);
}

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

bool same_tables(const CompiledSchedule& a, const CompiledSchedule& b) {
  return a.time.start == b.time.start && a.time.last_arrival == b.time.last_arrival &&
         a.image.programs == b.image.programs && a.image.program_of == b.image.program_of &&
         a.image.capacity == b.image.capacity && a.flits_expected == b.flits_expected &&
         std::ranges::equal(a.held, b.held, [](const Held& x, const Held& y) {
           return x.node == y.node && x.message == y.message && x.place.log == y.place.log &&
                  x.place.index == y.place.index;
         });
}

/// Links of a length for each dimension; of a pipelined schedule of one that makes a hop take so
/// many rounds, or twice as many cycles.
PortStages random_stages(std::mt19937& random, const Schedule& s) {
  std::vector<std::uint32_t> numbers(s.topology().factors().size());
  for (std::uint32_t& n : numbers) n = random() % 2 == 0 ? 0 : random() % 7;
  if (s.model().switching != Switching::Pipelined) return LinkStages(numbers).on(s);
  const std::uint32_t hop = s.model().hop_rounds * (1 + random() % 2);
  return PortStages(s.topology().ports(), hop - 1);
}

}  // namespace

TEST_CASE("tables: random schedules of every model take the cycles and do what the documents say") {
  unsigned foretold = 0;
  std::ptrdiff_t trees = 0;
  std::size_t pieces = 0;
  test::Kinds kinds = test::Kinds::all();
  kinds.sums = false;
  for (const Model& model : test::all_models(/*runnable=*/true)) {
    std::mt19937 random(9);
    for (int i = 0; i < 50; ++i) {
      const test::Script script = test::random_script(random, model, kinds);
      const Schedule s = script.schedule();
      const PortStages stages = random_stages(random, s);
      const bool pipelined = model.switching == Switching::Pipelined;
      unsigned flits = s.pieces() - 1 + (pipelined ? 1 : 1 + random() % 5);
      const std::uint64_t hop = 1 + (stages.empty() ? 0 : stages[0]);
      if (pipelined && s.chunk_flits(flits).longest().of(0) * s.model().hop_rounds > hop) continue;
      pieces += s.pieces() > 1 ? s.transfers().size() : 0;
      trees += std::ranges::count(s.transfers(), true, &Transfer::tree);
      INFO(test::name_of(model) << ", " << flits << " flits\n" << script.text());
      check_tables(s, flits, static_cast<Port>(random() % 3), stages, foretold);
    }
  }
  CHECK(foretold >= 12);
  CHECK(trees >= 500);
  CHECK(pieces >= 500);
}

TEST_CASE("tables: what every algorithm plans takes the cycles and does what the documents say") {
  unsigned foretold = 0, plans = 0;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.tolerates != nullptr) continue;  // adaptive
    for (const char* graph : {"ring:9", "torus:3x3", "hypercube:3", "ghc:2x4"}) {
      for (const Serves& asked : algorithm.serves) {
        const Request request{.topology = Topology::parse(graph),
                              .collective = asked.collective,
                              .ports = asked.ports,
                              .duplex = asked.duplex};
        if (reduces(asked.collective) || algorithm.refuses(request)) continue;
        CAPTURE(algorithm.name, graph, to_string(asked.collective), to_string(asked.ports),
                to_string(asked.duplex));
        const Schedule schedule = algorithm.plan(request);
        check_tables(schedule, schedule.pieces(), 0, {}, foretold);
        ++plans;
      }
    }
  }
  CHECK(plans > 200);
  CHECK(foretold > 0);
}

TEST_CASE("tables: gossips that send everything, made from whole logs, do what the documents say") {
  struct Fabric {
    const char* spec;
    std::vector<Node> generators;
  };
  // The prime 67 is too large for trees of sets.
  const Fabric fabrics[] = {{"ring:16", {2}},      {"ring:67", {1}},         {"torus:4x6", {2, 8}},
                            {"torus:3x3x3", {13}}, {"hypercube:5", {3, 24}}, {"torus:3x4", {1, 3}},
                            {"torus:4x4", {5}}};
  std::mt19937 random(5);
  unsigned foretold = 0;
  for (const auto& [spec, generators] : fabrics) {
    for (const PortModel ports : {PortModel::Single, PortModel::All}) {
      for (const Switching switching : {Switching::Packet, Switching::Circuit}) {
        for (const unsigned flits : {1u, 3u}) {
          CAPTURE(spec, to_string(ports), to_string(switching), flits);
          const Schedule s =
              random_gossip(Topology::parse(spec), generators, ports, switching, random);
          check_tables(s, flits, 0, {}, foretold);
        }
      }
    }
  }
  CHECK(foretold > 40);
}

TEST_CASE("tables: the order of lines within a round changes nothing") {
  std::mt19937 random(3);
  int compared = 0;
  test::Kinds kinds = test::Kinds::all();
  kinds.complete = true;
  for (const Model& model : test::all_models(/*runnable=*/true)) {
    for (int i = 0; i < 15; ++i) {
      const test::Script script = test::random_script(random, model, kinds);
      const Schedule s = script.schedule();
      const PortStages stages = random_stages(random, s);
      const auto tables = [&](const Schedule& of) {
        return compile(of, s.pieces(), s.topology().ports(), false, nullptr, nullptr, stages);
      };
      const std::uint64_t hop = 1 + (stages.empty() ? 0 : stages[0]);
      const std::uint32_t longest = s.chunk_flits(s.pieces()).longest().of(0);
      if (model.switching == Switching::Pipelined && longest * s.model().hop_rounds > hop) continue;
      INFO(script.text());
      const Schedule other = shuffled(script, random).schedule();
      const auto refused = [&](const Schedule& of) {
        return reduces(of.collective()) && ::refusal([&] { tables(of); }) != "accepted";
      };
      REQUIRE(refused(s) == refused(other));
      if (refused(s)) continue;
      ++compared;
      REQUIRE(same_tables(tables(s), tables(other)));
    }
  }
  CHECK(compared > 200);
}
