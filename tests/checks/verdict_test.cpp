// What is said of links, errors and runs that end early, on fabrics that the test makes up.
#include "checks/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "catch.hpp"
#include "fake_fabric.hpp"
#include "gossamer_constants.hpp"
#include "runner/fabric_runner.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
#include "tables/compiler.hpp"

using namespace gossamer;

namespace {

using Problems = std::vector<std::string>;

/// Links that are idle but for one flit.
class Scripted final : public FakeFabric {
 public:
  Flit link(Node x, Port p) const override {
    if (now == interrupts_in) note_interrupt(2);
    return now == wrong_in && x == 2 && p == 1 ? Flit{true, true, 0xbad} : Flit{};
  }
  std::vector<std::uint32_t> log(Node, unsigned) const override { return {0xbad}; }
  std::vector<NodeError> errors() const override { return raised; }
  Compared compared() const override { return {30, different}; }

  std::uint64_t wrong_in = kNever, interrupts_in = kNever, different = 0;
  std::vector<NodeError> raised;
};

/// A schedule without transfers on a ring of 4: 8 links, on which nothing should be.
struct Idle {
  Schedule schedule{Topology::parse("ring:4"), Collective::Gossip, Model{}};
  tb::Loaded run{schedule, {}, {schedule, 1, 1}, compile(schedule, 1, 2)};
  Scripted fabric;

  Idle() { run.compiled.image.own_begin.assign(5, 0); }
  tb::LinkComparison compared(std::uint64_t limit) {
    const tb::LinkOracle oracle = tb::oracle_of(run);
    return tb::compare_links(fabric, run.compiled.image, oracle, run.payload, limit);
  }
};

/// Runs for 40 cycles; what is on its links is a test's business.
struct ForFortyCycles : FakeFabric {
  ForFortyCycles() { end = 40; }
  const tb::LinkOracle* oracle = nullptr;
};

struct Forgotten {
  ~Forgotten() {
    forget_interrupt();
    forget_memory_limit();
  }
};

const char* const kWrong =
    "first difference: cycle 5, link 2-1: 0x00000bad, which nobody sent where nothing should be";

}  // namespace

TEST_CASE("verdict: links are compared from now to the limit, both included, or to the end") {
  const Forgotten forgotten;
  const auto counts = [](Idle& idle, std::uint64_t limit) {
    const tb::LinkComparison seen = idle.compared(limit);
    return fmt::format("{} links, {} cycles, now {}{}", seen.compared, seen.cycles, idle.fabric.now,
                       seen.difference ? "; " + seen.difference->text : "");
  };
  Idle whole, ended, late, none, wrong, at_once, stopped;
  CHECK(counts(whole, 9) == "80 links, 10 cycles, now 9");
  ended.fabric.end = 6;
  CHECK(counts(ended, 9) == "56 links, 7 cycles, now 6");
  late.fabric.now = 9;
  CHECK(counts(late, 9) == "8 links, 1 cycles, now 9");
  none.fabric.now = 10;
  CHECK(counts(none, 9) == "0 links, 0 cycles, now 10");
  wrong.fabric.wrong_in = 5;  // 8 links in each of 5 cycles, and 6 up to the wrong one
  CHECK(counts(wrong, 9) == fmt::format("46 links, 5 cycles, now 5; {}", kWrong));
  at_once.fabric.now = at_once.fabric.wrong_in = 5;
  CHECK(counts(at_once, 9) == fmt::format("6 links, 0 cycles, now 5; {}", kWrong));
  stopped.fabric.interrupts_in = 3;
  CHECK_THROWS_AS(stopped.compared(9), Interrupted);
  CHECK(stopped.fabric.now == 4);
}

TEST_CASE("verdict: a flit a few cycles early or late says that the timing constants are stale") {
  struct Shifted final : ForFortyCycles {
    Flit link(Node x, Port p) const override {
      const std::uint64_t due = now - static_cast<std::uint64_t>(shift);
      const auto word = oracle->word_at(x, p, due < 1000 ? due : 1000);
      return word ? Flit{true, true, *word} : Flit{};
    }
    std::int64_t shift = 0;
  };
  Schedule s(Topology::parse("ring:4"), Collective::Gossip, Model{});
  s.add_hop(8, 2, 3, 2);
  const tb::Loaded run{s, {}, {s, 2, 1}, compile(s, 2, 2)};
  const auto& [schedule, options, payload, compiled] = run;
  const tb::LinkOracle oracle = tb::oracle_of(run);
  const std::uint64_t due = compiled.time.last_arrival - 1;  // of the first of two flits
  for (std::int64_t shift = -9; shift <= 9; ++shift) {
    CAPTURE(shift, due);
    Shifted fabric;
    fabric.oracle = &oracle;
    fabric.shift = shift;
    const auto seen = tb::compare_links(fabric, compiled.image, oracle, payload, 40);
    REQUIRE(seen.difference.has_value() == (shift != 0));
    if (shift == 0) continue;
    const tb::LinkDifference& difference = *seen.difference;
    const std::uint64_t came = due + static_cast<std::uint64_t>(shift);
    CHECK(difference.cycle == std::min(due, came));
    CHECK(difference.stale == (std::abs(shift) < 9));
    const std::string said =
        shift < 0 ? fmt::format("it should come in cycle {}: timing constants stale", due)
                  : fmt::format("it comes in cycle {}: timing constants stale", came);
    CHECK((difference.text.find(said) != std::string::npos) == difference.stale);
    RunResult result;
    result.problems = {"what follows from it"};
    tb::report_links(seen, fabric, result);
    CHECK(result.problems.size() == (difference.stale ? 1 : 2));
    CHECK(result.problems[0] == difference.text);
  }
}

TEST_CASE("verdict: no word is right on a link whose sender holds no part of the sum") {
  struct Memory final : ForFortyCycles {
    Flit link(Node x, Port p) const override {
      const LinkStream* const stream = oracle->at(x, p, now);
      if (stream == nullptr) return {};
      return {true, true, oracle->word(*stream, now).value_or(unwritten)};
    }
    using LinkStream = tb::LinkOracle::Stream;
    std::uint32_t unwritten = 0;
  };
  Schedule s(Topology::parse("path:3"), Collective::Reduce, Model{});
  s.members = parse_members("0,2", s.topology());
  s.add_hop(1, 1, 0, 0);  // node 1 is no member, and has nothing yet
  s.add_hop(2, 2, 1, 0);
  const tb::Loaded run{s, {}, {s, 2, 1}, compile(s, 2, 2)};
  const auto& [schedule, options, payload, compiled] = run;
  const tb::LinkOracle oracle = tb::oracle_of(run);
  for (const std::uint32_t unwritten : {0u, 0x47acfcf4u}) {
    Memory fabric;
    fabric.oracle = &oracle;
    fabric.unwritten = unwritten;
    const auto seen = tb::compare_links(fabric, compiled.image, oracle, payload, 40);
    REQUIRE(seen.difference.has_value());
    CHECK(seen.difference->text ==
          fmt::format("first difference: cycle {}, link 1-0: {:#010x}, which nobody sent where a "
                      "part of the sum should be",
                      compiled.time.first_flit(1), unwritten));
  }
}

TEST_CASE("verdict: the memory of an oracle is that of its links and of the hops on them") {
  const Topology ring = Topology::parse("ring:6");
  Schedule s(ring, Collective::Gossip, Model{}, Symmetry(ring, std::vector<Node>{2}));
  s.add(1, std::vector<Node>{0, 1, 2}, std::vector<Message>{{0, kNoNode}});
  FabricImage image{ring};
  CHECK(tb::oracle_bytes(s, image) == 48 * 6 * 2 + 80 * 3 * 3);
  image.quotient = std::make_shared<const Quotient>(ring, s.symmetry(), Payload(s, 1, 1));
  image.topology = image.quotient->topology();
  CHECK(tb::oracle_bytes(s, image) == 48 * 2 * 2 + 80 * 3);
}

TEST_CASE("verdict: a run is watched if it is short and there is memory") {
  const Forgotten forgotten;
  Idle idle;
  const auto possible = [&](std::uint64_t cycles) {
    idle.run.compiled.time.last_arrival = cycles;
    return tb::WatchedRun::possible(idle.run);
  };
  CHECK(possible(1));
  CHECK(possible(6'250'000));  // times 8 links: 50 million
  CHECK_FALSE(possible(6'250'001));
  idle.run.compiled.image.topology =
      Topology::parse("torus:1024x1024");  // 4 million links of 48 bytes
  CHECK(possible(1));
  limit_free_memory(200'000'000);
  CHECK_FALSE(possible(1));
}

TEST_CASE("verdict: a run that was not watched is run again, untraced, as far as it pays") {
  const Forgotten forgotten;
  Idle idle;
  std::string made;
  const auto watched = [&](std::uint64_t cycles, std::uint64_t limit, const Problems& before) {
    made.clear();
    idle.run.options.trace = "wave.fst";
    struct Kept final : FakeFabric {
      explicit Kept(std::string& m) : made(m) {}
      void trace(const TraceOptions&) override { made += " traced"; }
      void use_threads(unsigned n) override { made += fmt::format(" {} threads", n); }
      void load(const FabricImage&) override { made += " loaded"; }
      void run_and_look(std::uint64_t cycles, const std::function<bool()>&) override {
        made += fmt::format(" {} cycles", cycles);
      }
      std::string& made;
    };
    const tb::MakeFabric make = [&](const RunOptions& seen, const FabricImage&) {
      made += seen.trace.empty() ? "made" : "made with a trace";
      return std::make_unique<Kept>(made);
    };
    RunResult result;
    result.problems = before;
    idle.run.compiled.time.last_arrival = cycles;
    tb::watch_links(idle.run, make, 3, limit, result);
    std::string said = made + ";";
    for (const std::string& p : result.problems) said += " " + p;
    result.problems = before;
    made.clear();
    result.cycles_predicted = cycles;
    tb::record_run(idle.run, make, 3, limit, result);
    return said + " | " + made;
  };
  const std::string run = "made 3 threads loaded ";
  CHECK(watched(9, 12, {}) == run + "12 cycles; | " + run + "12 cycles");
  CHECK(watched(6'250'000, 12, {}) == run + "12 cycles; | " + run + "12 cycles");
  CHECK(watched(6'250'001, 12, {}) == "; | ");
  const std::string as_far = "a the first 1 cycles, compared link by link, are as scheduled";
  CHECK(watched(6'250'001, 12, {"a"}) == run + "12 cycles; " + as_far + " | " + run + "12 cycles");
  // 500 million links times cycles are compared, 50 million recorded.
  CHECK(watched(9, 62'500'001, {"a"}) ==
        run + "62500000 cycles; " + as_far + " | " + run + "6250000 cycles");
  limit_free_memory(1000);
  CHECK(watched(9, 12, {}) == "; | " + run + "12 cycles");
  CHECK(watched(9, 12, {"a"}) ==
        "; a comparing every link with the schedule needs about 64 MB of memory, and 0 MB are "
        "free | " +
            run + "12 cycles");
  // 64 MB, 1,024 bytes for each of a million nodes, 48 for each of four million links.
  idle.run.compiled.image.topology = Topology::parse("torus:1024x1024");
  limit_free_memory(1'300'000'000);
  CHECK(watched(9, 12, {"a"})
            .starts_with("; a comparing every link with the schedule needs about 1.3 GB of memory, "
                         "and 1.3 GB are "
                         "free | "));
}

TEST_CASE("verdict: every error has its text, and five of them are told") {
  Idle idle;
  for (const rtl::NamedValue& v : rtl::error_e_table) {
    idle.fabric.raised = {{3, 1u << v.value, static_cast<std::uint32_t>(v.value), 4, 1}};
    RunResult result;
    tb::add_errors(idle.fabric, idle.run.compiled.image, result);
    CHECK(result.problems ==
          Problems{fmt::format("node 3 raised {} in slot 5 at port 1: {}", v.name, v.text)});
    CHECK(result.errors == 1);
  }
  // One node for each class of two.
  const Topology ring = Topology::parse("ring:4");
  Schedule s(ring, Collective::Gossip, Model{}, Symmetry(ring, std::vector<Node>{2}));
  idle.run.compiled.image.quotient =
      std::make_shared<const Quotient>(ring, s.symmetry(), idle.run.payload);
  idle.run.compiled.image.topology = idle.run.compiled.image.quotient->topology();
  idle.fabric.raised.assign(7, {1, 0, 99, 0, 0});
  RunResult classes;
  tb::add_errors(idle.fabric, idle.run.compiled.image, classes);
  Problems five(5, "node 1 (as 1 more) raised error code 99");
  five.push_back("and 4 more nodes raised errors");
  CHECK(classes.problems == five);
  CHECK(classes.errors == 14);
  // Of a run that is given up, words that were compared when they arrived.
  idle.run.compiled.image.expected = std::make_shared<const ExpectedLogs>(
      ExpectedLogs{idle.run.payload, *DigitPacking::of(ring), 2, {}, {}, {}});
  idle.fabric.raised.clear();
  idle.fabric.now = 12;
  idle.run.compiled.time.start = {0, 5, 10};
  idle.run.compiled.time.length = {5, 7, 9};
  const auto given_up = [&](const char* engine) {
    idle.run.options.engine = engine;
    RunResult r;
    tb::judge_interrupted(idle.fabric, idle.run, r);
    return fmt::format("{} cycles, {} rounds, {} words: {}", r.cycles_simulated, r.rounds_done,
                       r.words_checked, fmt::join(r.problems, "; "));
  };
  CHECK(given_up("tile") == "12 cycles, 2 rounds, 60 words: ");
  idle.fabric.different = 4;
  CHECK(given_up("tile") ==
        "12 cycles, 2 rounds, 60 words: 8 words arrived that the schedule does not have there");
  CHECK(given_up("flat") == "12 cycles, 2 rounds, 0 words: ");
  idle.run.compiled.image.expected = nullptr;
  CHECK(given_up("flat") == "12 cycles, 2 rounds, 0 words: ");
  CHECK(given_up("systemc") ==
        "12 cycles, 2 rounds, 4 words: node 0, log 0, word 0: 0x00000bad is no word that anybody "
        "sent, as in 1 more nodes; node 1, log 0, word 0: 0x00000bad is no word that anybody sent, "
        "as in 1 more nodes");
}

namespace {

/// A fabric of the engine that a test disturbs.
struct Disturbed final : WrappedFabric {
  Disturbed(std::unique_ptr<Fabric> f, std::uint64_t wrong, std::uint64_t gives_up)
      : WrappedFabric(std::move(f)), wrong_in(wrong), gives_up_in(gives_up) {}
  void run(std::uint64_t cycles) override {
    fabric->run(std::min(cycles, gives_up_in - fabric->cycle()));
    if (cycle() == gives_up_in) throw GaveUp("enough");
  }
  Flit link(Node x, Port p) const override {
    return cycle() == wrong_in && x == 2 && p == 1 ? Flit{true, true, 0xbad} : fabric->link(x, p);
  }
  Compared compared() const override { return {5, 0}; }
  std::uint64_t wrong_in, gives_up_in;
};

Schedule around_a_ring() {
  Schedule s(Topology::parse("ring:4"), Collective::Gossip,
             {PortModel::Single, Duplex::Full, Switching::Packet, false});
  for (std::uint32_t round = 1; round < 4; ++round) {
    for (Node x = 0; x < 4; ++x) s.add_hop(round, x, (x + 1) % 4, (x + 5 - round) % 4);
  }
  return s;
}

}  // namespace

TEST_CASE("verdict: a run that is given up, or interrupted while links are compared or recorded") {
  const Forgotten forgotten;
  constexpr std::uint64_t kNever = Scripted::kNever;
  unsigned made = 0;
  const auto run = [&](std::uint64_t wrong, std::uint64_t gives_up, bool record, bool interrupt) {
    made = 0;
    RunOptions options;
    options.flits = 3;
    options.record = record;
    const tb::MakeFabric make = [&](const RunOptions& o, const FabricImage& image) {
      ++made;
      if (made == 2 && interrupt) note_interrupt(2);
      return std::make_unique<Disturbed>(tb::make_fabric(o, image), wrong,
                                         made == 1 ? gives_up : kNever);
    };
    RunResult result = tb::FabricRunner(nullptr, make).run(around_a_ring(), options);
    forget_interrupt();
    return result;
  };
  const std::string stray =
      "first difference: cycle 4, link 2-1: 0x00000bad, which nobody sent where nothing should be";
  const std::string up = "given up after cycle 7: enough";
  // Links were seen to differ already: there is no second run.
  const RunResult differs = run(4, 7, false, false);
  CHECK(differs.problems == Problems{stray, up});
  CHECK(made == 1);
  CHECK(differs.words_checked == 5);
  CHECK(run(kNever, 7, false, false).problems == Problems{up});
  CHECK(made == 2);
  CHECK(run(kNever, 7, false, true).problems ==
        Problems{up, "interrupted while the links were compared with the schedule"});
  const RunResult recorded = run(kNever, kNever, true, false);
  CHECK(recorded.passed());
  CHECK(recorded.record->runs.size() == 12);
  CHECK(made == 2);
  const RunResult passed = run(kNever, kNever, true, true);
  CHECK(passed.problems == Problems{});
  CHECK(passed.interrupted);
  CHECK(passed.rounds_done == 3);
  CHECK(passed.cycles_simulated > 0);
  CHECK_FALSE(passed.record);
}
