// The checker against a second implementation of the rules, on random schedules of all models.
#include "slow_check.hpp"

#include <fmt/format.h>

#include <sstream>

#include "broken_rules.hpp"
#include "catch.hpp"
#include "random_schedules.hpp"
#include "schedule/jsonl.hpp"

using namespace gossamer;

namespace {

/// Ignores what is missing at the end: only the rules of transfers count.
bool accepted(const CheckReport& report) {
  return std::ranges::none_of(report.faults, [](const BrokenRule& f) { return f.from != kNoNode; });
}

auto numbers(const CheckReport& r) {
  return std::tuple(accepted(r), r.ok(), r.rounds, r.delta_sum, r.tau_sum, r.transmissions,
                    r.delivered, r.expected);
}

/// Also with the lines of each round in another order. Returns false for a broken rule.
bool compare(const test::Script& script, std::mt19937& random) {
  const Schedule schedule = script.schedule();
  const test::SlowCheck slow = test::slow_check(schedule);
  const CheckReport report = check(schedule);
  INFO(script.text() << test::broken_rules(schedule));
  REQUIRE(accepted(report) == slow.legal);
  const CheckReport other = check(shuffled(script, random).schedule());
  REQUIRE(accepted(other) == slow.legal);
  for (const OriginSets sets : {OriginSets::Bits, OriginSets::Trees}) {
    REQUIRE(numbers(check(schedule, 20, sets)) == numbers(report));
  }
  if (!slow.legal) return false;
  REQUIRE(numbers(report) == std::tuple(true, slow.delivered == slow.expected, slow.rounds,
                                        slow.delta_sum, slow.tau_sum, slow.transmissions,
                                        slow.delivered, slow.expected));
  REQUIRE(numbers(other) == numbers(report));
  return true;
}

/// Two to four nodes take their sums, each by a random tree at a random time: a file.
std::string random_joins(std::mt19937& random, const Topology& topology, const Model& model) {
  std::string text = fmt::format(
      R"({{"gossamer":1,"topology":"{}","collective":"reduce-scatter","op":"sum","model":)"
      R"({{"ports":"{}","duplex":"{}","switching":"pipelined","combining":false,"hop_rounds":2}}}})",
      topology.spec(), model.ports == PortModel::All ? "all" : "single",
      model.duplex == Duplex::Full ? "full" : "half");
  const Node sums = 2 + random() % 3, last_round = 2 + random() % 8;
  for (Node k = 0; k < sums; ++k) {
    std::vector<Node> reached = {static_cast<Node>(random() % topology.nodes())};
    std::string joins;
    const std::size_t size = 2 + random() % (topology.nodes() - 1);
    while (reached.size() < size) {
      const Node to = test::pick(random, reached);
      const Node from = topology.peer(to, static_cast<Port>(random() % topology.ports())).node;
      if (from == kNoNode || std::ranges::count(reached, from) > 0) continue;
      reached.push_back(from);
      joins = fmt::format("[{},{}]{}{}", from, to, joins.empty() ? "" : ",", joins);
    }
    text += fmt::format("\n{{\"r\":{},\"join\":[{}],\"lane\":{},\"msgs\":[{}]}}",
                        1 + random() % last_round, joins, random() % topology.ports(), reached[0]);
  }
  return text;
}

}  // namespace

TEST_CASE("the checker agrees with the plainest check of joins") {
  const Topology topology = Topology::parse(GENERATE("ring:5", "path:4", "mesh:2x3", "torus:3x3"));
  for (const Model& model : test::all_models(/*runnable=*/false)) {
    if (model.switching != Switching::Pipelined || model.combining) continue;
    CAPTURE(test::name_of(model));
    std::mt19937 random(7);
    int legal = 0;
    for (int i = 0; i < 400; ++i) {
      std::istringstream text(random_joins(random, topology, model));
      CAPTURE(text.str());
      const Schedule schedule = read_jsonl(text, "joins");
      const bool is_legal = test::slow_check(schedule).legal;
      REQUIRE(accepted(check(schedule)) == is_legal);
      legal += is_legal ? 1 : 0;
    }
    CHECK((legal > 0 && legal < 400));
  }
}

TEST_CASE("the checker agrees with the plainest check of the same rules, in every model") {
  for (const Model& model : test::all_models(/*runnable=*/false)) {
    CAPTURE(test::name_of(model));
    std::mt19937 random(5);
    int broken = 0;
    for (int i = 0; i < 40; ++i) {
      test::Kinds kinds = test::Kinds::all();
      kinds.complete = i % 8 == 0;
      test::Script script = test::random_script(random, model, kinds);
      REQUIRE(compare(script, random));
      CAPTURE(mutate(script, random));
      broken += compare(script, random) ? 0 : 1;
    }
    CHECK(broken >= 10);
  }
}

TEST_CASE("sets of more origins than a word has bits are translated as they should be") {
  // One node of each class starts; its set travels along a line and must arrive translated.
  const char* spec = GENERATE("torus:3x4", "torus:70x3", "torus:5x13x2", "torus:2x2x33",
                              "hypercube:7", "ghc:5x5", "torus:49x7");
  const Topology topology = Topology::parse(spec);
  std::mt19937 random(3);
  for (int i = 0; i < 8; ++i) {
    const Node generators[] = {static_cast<Node>(random() % topology.nodes())};
    Schedule s(topology, Collective::Gossip,
               {PortModel::All, Duplex::Full, Switching::Packet, true},
               Symmetry(topology, generators));
    for (std::uint32_t r = 1; r <= 4; ++r) {
      for (Node c = 0; c < s.symmetry().classes(); ++c) {
        const Node x = s.symmetry().representative(c);
        const Endpoint e = topology.peer(x, static_cast<Port>(random() % topology.ports()));
        if (e.connected()) s.add_everything(r, std::vector<Node>{x, e.node});
      }
    }
    const auto expected = numbers(check(without_orbits(s)));
    for (const OriginSets sets : {OriginSets::Bits, OriginSets::Trees}) {
      CHECK(numbers(check(s, 20, sets)) == expected);
    }
  }
}
