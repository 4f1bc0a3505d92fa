// The scoreboard on a fabric that the test makes up: it accepts correct content, and notices each
// single error.
#include "checks/scoreboard.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <random>
#include <tuple>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "checks/partial_sums.hpp"
#include "fake_fabric.hpp"
#include "runner/fabric_runner.hpp"
#include "schedule/chunks.hpp"
#include "support/job.hpp"
#include "tables/compiler.hpp"

using namespace gossamer;

namespace {

/// A fabric after a run, without the run.
class FakeStores final : public FakeFabric {
 public:
  FakeStores(Node nodes, unsigned logs) : logs_(logs), words_(std::size_t{nodes} * logs) {}

  std::vector<std::uint32_t>& words(Node x, unsigned log) { return words_[x * logs_ + log]; }

  std::vector<std::uint32_t> log(Node x, unsigned log) const override {
    return words_[x * logs_ + log];
  }

 private:
  unsigned logs_;
  std::vector<std::vector<std::uint32_t>> words_;
};

constexpr Node kNodes = 5, kRoot = 2;
constexpr unsigned kFlits = 3;

/// A collective on a ring that went well: messages in the stores in the order of their origins, in
/// the single log, or in the ports' logs in turn.
struct Finished {
  Collective collective;
  Schedule schedule;
  Payload payload;
  FabricImage image;
  FakeStores fabric;

  static Schedule schedule_of(Collective c, const std::string& members, const Sizes& sizes) {
    Schedule schedule(Topology::parse("ring:5"), c, Model{});
    schedule.root = kRoot;
    schedule.members = parse_members(members, schedule.topology());
    schedule.sizes = sizes;
    return schedule;
  }

  Finished(Collective c, bool single_port, const std::string& members = "", const Sizes& sizes = {})
      : collective(c),
        schedule(schedule_of(c, members, sizes)),
        payload(schedule, kFlits, 1),
        image{schedule.topology(), {2, single_port, false, 1}, {}, {}, {}, {0}, {}, 0},
        fabric(kNodes, image.kind.logs()) {
    for (Node x = 0; x < kNodes; ++x) {
      for (const Message& m : own_messages(schedule, x)) {
        for (unsigned i = 0; i < payload.flits(m); ++i) {
          image.own_words.push_back(payload.word({m, i}));
          if (single_port) fabric.words(x, 0).push_back(payload.word({m, i}));
        }
      }
      image.own_begin.push_back(image.own_words.size());
    }
    unsigned turn = 0;
    for (Node from = 0; from < kNodes; ++from) {
      for (const Message& m : own_messages(schedule, from)) {
        for (Node to = 0; to < kNodes; ++to) {
          if (to == from || (m.destination != kNoNode && m.destination != to)) continue;
          append(to, turn++ % image.kind.logs(), m);
        }
      }
    }
  }

  void append(Node to, unsigned log, const Message& m) {
    for (unsigned i = 0; i < payload.flits(m); ++i)
      fabric.words(to, log).push_back(payload.word({m, i}));
  }
  tb::Score score() const {
    return tb::score(fabric, image, payload, collective, kRoot, {},
                     {.members = schedule.members, .sizes = schedule.sizes});
  }
  /// The only problem, or all problems.
  std::string problem() const {
    std::string all;
    for (const std::string& p : score().problems) all += (all.empty() ? "" : "; ") + p;
    return all;
  }
  /// Does a problem contain this text?
  bool tells(const std::string& text) const { return problem().find(text) != std::string::npos; }
};

}  // namespace

TEST_CASE("scoreboard: a message has come when all its pieces have, each in any log") {
  Schedule schedule(Topology::parse("ring:5"), Collective::Gossip, Model{});
  schedule.cut(3);
  const Payload payload(schedule, 5, 1);
  const FabricImage image{schedule.topology(), {2, false, false, 1}, {}, {}, {}, {0}, {}, 0};
  // All of them; then without the piece of a node that a number says.
  for (std::uint32_t lost = 0; lost <= 3 * kNodes; ++lost) {
    CAPTURE(lost);
    FakeStores fabric(kNodes, image.kind.logs());
    const Node at = 4;
    std::uint32_t number = 0;
    for (Node x = 0; x < kNodes; ++x) {
      for (Node origin = 0; origin < kNodes; ++origin) {
        for (std::uint32_t k = 3; k-- > 0 && origin != x;) {
          const Message m{origin, kNoNode, k};
          if (x == at && number++ == lost) continue;
          for (unsigned i = 0; i < payload.flits(m); ++i) {
            fabric.words(x, (origin + k) % image.kind.logs()).push_back(payload.word({m, i}));
          }
        }
      }
    }
    const tb::Score score = tb::score(fabric, image, payload, schedule.collective(), 0);
    CHECK(score.expected == 20);
    CHECK(score.delivered == (lost < number ? 19 : 20));
    CHECK(score.problems.empty() == (lost >= number));
    if (lost < number) CHECK(score.missing == std::vector<MissingPair>{{at, lost / 3}});
  }
}

TEST_CASE("scoreboard: a message of no flits is not missed; of the others every one is") {
  for (const bool single_port : {true, false}) {
    Finished run(Collective::Gossip, single_port, "", Sizes(kNodes, {4, 0, 1, 0, 7}));
    CHECK(run.problem() == "");
    CHECK(run.score().expected == 2 + 3 + 2 + 3 + 2);
    CHECK(run.score().delivered == 12);
    Finished pairs(
        Collective::TotalExchange, single_port, "",
        Sizes(kNodes, {0, 2, 0, 0, 1, 0, 0, 5, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 6, 0, 0, 1, 0}));
    CHECK(pairs.problem() == "");
    CHECK(pairs.score().expected == 6);
    for (unsigned log = 0; log < run.image.kind.logs(); ++log) {
      std::vector<std::uint32_t>& words = run.fabric.words(1, log);
      while (!words.empty()) {  // from the end of the log, a word after the other
        words.pop_back();
        CHECK(run.tells("node 1"));
      }
    }
    CHECK(run.score().delivered == 9);
  }
}

TEST_CASE("scoreboard: of several groups a node misses what its own group sends, and no more") {
  const auto [collective, pairs] =
      GENERATE(table<Collective, std::uint64_t>({{Collective::Broadcast, 3},
                                                 {Collective::Gossip, 8},
                                                 {Collective::Scatter, 3},
                                                 {Collective::TotalExchange, 8},
                                                 {Collective::Gather, 3}}));
  CAPTURE(to_string(collective));
  Finished run(collective, /*single_port=*/true, "3,0,1/4,2");
  CHECK(run.problem() == "");
  CHECK(run.score().delivered == pairs);
  CHECK(run.score().expected == pairs);
  const Node loser = collective == Collective::Gather ? 4 : 2;
  std::vector<std::uint32_t>& words = run.fabric.words(loser, 0);
  words.resize(run.image.own_size(loser));
  CHECK(run.problem() == fmt::format("node {} never got the message of node {}", loser, 6 - loser));
  CHECK(run.score().delivered == pairs - 1);
}

TEST_CASE("scoreboard: sums are what the members make, where the user is told to read them") {
  Schedule schedule(Topology::parse("ring:5"), Collective::AllReduce, Model{});
  schedule.root = kRoot;
  schedule.members = parse_members("1-3", schedule.topology());
  schedule.cut(2);
  const Payload payload(schedule, kFlits, 1);
  FakeStores fabric(kNodes, 5);
  std::vector<Held> places;
  for (Node x = 1; x <= 3; ++x) {
    for (std::uint32_t k = 0; k < 2; ++k) {
      const Message m{kRoot, kNoNode, k};
      auto& log = fabric.words(x, x % 2);
      places.push_back({x, m, {x % 2, static_cast<std::uint32_t>(log.size())}});
      for (std::uint32_t i = 0; i < payload.flits(m); ++i)
        log.push_back(payload.part(1, m, i) + payload.part(2, m, i) + payload.part(3, m, i));
    }
  }
  const auto problems = [&] {
    const tb::Score score = tb::score_sums(fabric, places, payload, schedule, {});
    CHECK(score.expected == 3);
    CHECK(score.delivered == 3 - score.problems.size());
    return fmt::format("{}", fmt::join(score.problems, "; "));
  };
  CHECK(problems() == "");
  SECTION("a wrong bit") {
    fabric.words(3, 1)[2] ^= 4;
    CHECK(problems().starts_with("node 3's sum of piece 1 of message 2, flit 0 (log 1, word 2): "));
  }
  SECTION("an end that was lost") {
    fabric.words(2, 0).pop_back();
    CHECK(problems() == "node 2's sum of piece 1 of message 2 breaks off at flit 0 (log 0)");
  }
  SECTION("another place than it stands at") {
    places[4].place.index = 1;
    CHECK(problems().starts_with("node 3's sum of piece 0 of message 2, flit 0 (log 1, word 1): "));
  }
  SECTION("a place that is no word") {
    places[0].place.index = 1000;
    CHECK(problems() == "node 1's sum of piece 0 of message 2 breaks off at flit 0 (log 1)");
  }
  SECTION("a sum that the tables do not bring") {
    places.erase(places.begin() + 3);
    CHECK(problems() == "node 2 never got the sum of piece 1 of message 2");
  }
  SECTION("own words, in an engine's node of four ports") {
    places[0].place.log = 4;
    CHECK(problems() == "node 1's sum of piece 0 of message 2 breaks off at flit 0 (log 2)");
  }
}

TEST_CASE(
    "scoreboard: each node's sum, combined in the order of the schedule, is that of any order") {
  const auto [what, op] =
      GENERATE(table<Collective, Operator>({{Collective::Reduce, Operator::OP_SUM},
                                            {Collective::ReduceScatter, Operator::OP_SUM8},
                                            {Collective::AllReduce, Operator::OP_SUM16},
                                            {Collective::AllReduce, Operator::OP_MIN},
                                            {Collective::Reduce, Operator::OP_MAXU},
                                            {Collective::ReduceScatter, Operator::OP_AND},
                                            {Collective::AllReduce, Operator::OP_XOR}}));
  for (const Algorithm& algorithm : algorithms()) {
    const Request request{.topology = Topology::parse("torus:3x4"),
                          .collective = what,
                          .ports = PortModel::All,
                          .root = kRoot,
                          .flits = 17};
    if (algorithm.refuses(request)) continue;
    Schedule schedule = algorithm.plan(request);
    schedule.op = op;
    const Payload payload(schedule, request.flits, 1);
    const tb::PartialSums in_order(schedule, payload);
    for (Node x = 0; x < 12; ++x) {
      for_each_expected(schedule, x, [&](const Message& m) {
        CHECK(in_order.last(x, m) == tb::whole_sum(schedule, payload, m));
        return true;
      });
    }
  }
}

// What is recorded of the links, on a fabric that the test makes up.

namespace {

/// Nodes in a ring whose links carry what a function says.
class Ring final : public FakeFabric {
 public:
  using Links = std::function<Flit(Node, Port, std::uint64_t)>;
  explicit Ring(Links links, std::uint64_t cycles = kNever) : links_(std::move(links)) {
    end = cycles;
  }
  Flit link(Node x, Port p) const override { return links_(x, p, now); }

 private:
  Links links_;
};

Schedule gossip() {
  Schedule s(Topology::parse("ring:4"), Collective::Gossip, Model{});
  s.add_hop(1, 0, 1, 0);
  return s;
}

}  // namespace

TEST_CASE("recorder: random flits on all links are the runs that a plain list of them makes") {
  const Schedule s = gossip();
  constexpr unsigned kFlits = 3, kCycles = 24;
  const Payload payload(s, kFlits, 1);
  std::mt19937 random(17);
  for (int trial = 0; trial < 300; ++trial) {
    const auto nodes = s.topology().nodes(), ports = Node{s.topology().ports()};
    // Most flits continue the message before them; some are nobody's.
    std::vector<std::optional<FlitId>> ids(nodes * ports * kCycles);
    std::vector<LinkRun> plain;
    for (Node x = 0; x < nodes; ++x) {
      for (Port p = 0; p < ports; ++p) {
        FlitId id{{0, kNoNode}, 0};
        bool open = false;
        for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
          const bool same = random() % 4 != 0 && id.index + 1 < kFlits;
          if (cycle > 0 || random() % 2 == 0) {
            if (same) {
              ++id.index;
            } else {
              id = {{static_cast<Node>(random() % nodes), kNoNode},
                    static_cast<unsigned>(random() % kFlits)};
            }
          }
          const unsigned kind = random() % 8;  // 0: no flit; 1: nobody's
          if (kind == 0) {
            open = false;
            continue;
          }
          const FlitId shown = kind == 1 ? FlitId{{kNoNode, kNoNode}, 0} : id;
          ids[(x * ports + p) * kCycles + cycle] = shown;
          const bool next = open && plain.back().message == shown.message &&
                            (kind == 1 || plain.back().first + plain.back().flits == shown.index);
          if (!next) plain.push_back({cycle, x, p, 0, shown.message, shown.index});
          ++plain.back().flits;
          open = true;
        }
      }
    }
    Ring ring([&](Node x, Port p, std::uint64_t cycle) {
      if (cycle >= kCycles) return Flit{};
      const auto& id = ids[(x * ports + p) * kCycles + cycle];
      if (!id) return Flit{};
      return Flit{true, false, id->message.origin == kNoNode ? 0xdeadbeef : payload.word(*id)};
    });
    auto runs = tb::record_links(ring, s.topology(), payload, kCycles).runs;
    const auto place = [](const LinkRun& r) { return std::tuple(r.from, r.port, r.begin); };
    std::ranges::sort(runs, {}, place);
    REQUIRE(runs == plain);
  }
}

TEST_CASE("recorder: it ends with the run, at the limit, or with two million runs of flits") {
  const Schedule s = gossip();
  const Payload payload(s, 1, 1);
  const auto none = [](Node, Port, std::uint64_t) { return Flit{}; };
  Ring ends(none, 9), goes_on(none);
  CHECK(tb::record_links(ends, s.topology(), payload, 12).last == 9);
  CHECK(tb::record_links(goes_on, s.topology(), payload, 12).last == 12);
  // 8 links, each with another message in every cycle: a run is complete in the next one.
  Ring full([&](Node, Port, std::uint64_t cycle) {
    return Flit{true, true, payload.word({{static_cast<Node>(cycle % 4), kNoNode}, 0})};
  });
  const auto record = tb::record_links(full, s.topology(), payload, 1'000'000);
  CHECK(record.last == 250'000);
  CHECK(record.runs.size() == 2'000'008);
}
