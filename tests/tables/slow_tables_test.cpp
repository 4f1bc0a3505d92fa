// Tables and timing of random small schedules of every model, against a second reading of the
// documents: how long each slot lasts, which node stores what in which order, and that the tables
// do it.
#include <fmt/format.h>

#include "catch.hpp"
#include "fabric/payload.hpp"
#include "ideal_fabric.hpp"
#include "random_schedules.hpp"
#include "schedule/jsonl.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"

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
  std::uint64_t hop, flits;  ///< hops from the source on, this one counted
  std::uint64_t last;        ///< flits of its last message
};

/// The flits of a message are dealt out to its pieces one by one.
unsigned flits_of(const Schedule& s, const Message& m, unsigned flits) {
  unsigned count = 0;
  for (unsigned i = 0; i < flits; ++i) count += i % s.pieces() == m.piece ? 1 : 0;
  return count;
}

SlowTime slow_time(const Schedule& s, const test::SlowCheck& slow, unsigned flits) {
  const bool pipelined = s.model().switching == Switching::Pipelined;
  std::vector<Use> uses;
  std::uint32_t slots = 0;
  for (std::size_t i = 0; i < s.transfers().size(); ++i) {
    const Transfer& t = s.transfers()[i];
    std::vector<std::uint32_t> far;
    std::uint64_t size = 0;
    for (const Message& m : slow.carried[i]) size += flits_of(s, m, flits);
    for (const TransferHop hop : s.hops(t)) {
      far.push_back(hop.before == TransferHop::kNone ? 1 : far[hop.before] + 1);
      uses.push_back({pipelined ? t.round + far.back() - 1 : t.round, hop.from, hop.to, far.back(),
                      size, flits_of(s, slow.carried[i].back(), flits)});
      slots = std::max(slots, uses.back().slot);
    }
  }
  SlowTime time;
  std::uint64_t now = 1;
  for (std::uint32_t slot = 1; slot <= slots; ++slot) {
    std::uint64_t length = s.model().switching == Switching::Packet ? 3 : 1;
    for (const Use& use : uses) {
      if (use.slot != slot) continue;
      if (s.model().switching == Switching::Packet) {
        // The first word of the last message can be read three cycles after it was read at the
        // sender, and the next slot may read it first.
        length = std::max({length, use.flits, use.flits - use.last + 3});
      }
      if (s.model().switching == Switching::Circuit) {
        length = std::max(length, 1 + use.hop + use.flits);
      }
      const bool packets = s.model().switching == Switching::Packet;
      for (const Use& next : uses) {
        const bool back = next.slot == slot + 1 && next.from == use.to && next.to == use.from;
        if (packets && back && s.model().duplex == Duplex::Half) {
          length = std::max(length, use.flits + 1);
        }
      }
    }
    for (const Use& use : uses) {
      // A word that is read in cycle t is on the first link in t + 2.
      const std::uint64_t first = now + 1 + (pipelined ? 1 : use.hop);
      if (use.slot == slot && use.flits > 0) {
        time.last_arrival = std::max(time.last_arrival, first + use.flits - 1);
      }
    }
    time.start.push_back(now);
    time.length.push_back(length);
    now += length;
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
  for (std::uint32_t slot = 1; slot <= s.rounds() + 10; ++slot) {
    for (std::size_t i = 0; i < s.transfers().size(); ++i) {
      const Transfer& t = s.transfers()[i];
      std::vector<std::uint32_t> far;
      for (const TransferHop hop : s.hops(t)) {
        far.push_back(hop.before == TransferHop::kNone ? 1 : far[hop.before] + 1);
        if (!hop.stored || slot != (pipelined ? t.round + far.back() - 1 : t.round)) continue;
        const Port in = s.topology().port_to(hop.to, hop.from);
        auto& log = logs[hop.to][single ? 0 : in];
        log.insert(log.end(), slow.carried[i].begin(), slow.carried[i].end());
      }
    }
  }
  return logs;
}

/// Counts in `foretold_runs` those whose logs are predicted for compressed stores.
void check_tables(const Schedule& given, unsigned flits, Port spare_ports,
                  unsigned& foretold_runs) {
  const Schedule s = given.symmetry().order() == 1 ? given : without_orbits(given);
  const test::SlowCheck slow =
      test::slow_check(given, [&](Node x) { return own_messages(given, x); });
  REQUIRE(slow.legal);
  if (s.transfers().empty()) return;
  const SlowTime time = slow_time(s, slow, flits);
  CompiledSchedule compiled = compile(given, flits, given.topology().ports() + spare_ports);
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

}  // namespace

TEST_CASE("tables: random schedules of every model take the cycles and do what the documents say") {
  unsigned foretold = 0;
  std::ptrdiff_t trees = 0;
  std::size_t pieces = 0;
  for (const Model& model : test::all_models(/*runnable=*/true)) {
    std::mt19937 random(9);
    for (int i = 0; i < 60; ++i) {
      test::Grower grower(random, model, /*legal_only=*/true);
      grower.cuts = true;
      const Schedule s = grower.grow().schedule;
      const bool pipelined = model.switching == Switching::Pipelined;
      unsigned flits = s.pieces() - 1 + (pipelined ? 1 : 1 + random() % 5);
      if (!std::ranges::all_of(s.transfers(),
                               [](const Transfer& t) { return t.carry == Carry::Listed; })) {
        flits = s.pieces() * (pipelined ? 1 : 1 + random() % 5);
      }
      pieces += s.pieces() > 1 ? s.transfers().size() : 0;
      std::ostringstream text;
      write_jsonl(s, text);
      trees += std::ranges::count(s.transfers(), true, &Transfer::tree);
      INFO(test::name_of(model) << ", " << flits << " flits\n" << text.str());
      check_tables(s, flits, static_cast<Port>(random() % 3), foretold);
    }
  }
  CHECK(foretold >= 25);
  CHECK(trees >= 500);
  CHECK(pieces >= 500);
}
