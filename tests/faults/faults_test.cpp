#include "schedule/faults.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "bounds/claims.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "faults/fault_sets.hpp"
#include "faults/reference.hpp"
#include "support/error.hpp"

using namespace gossamer;

namespace {

const Topology kCube = Topology::parse("hypercube:5");

}  // namespace

TEST_CASE("faults are named by nodes, links and single directions") {
  const FaultSet faults = parse_faults("nodes=17,3;links=1-0;arcs=4>5;from=3", kCube, 1);
  CHECK(faults.nodes == std::vector<Node>{3, 17});
  CHECK(faults.arcs == std::vector<Arc>{{0, 1}, {1, 0}, {4, 5}});
  CHECK(faults.from_round == 3);
  CHECK(to_string(faults) == "nodes=3,17;links=0-1;arcs=4>5;from=3");
  CHECK(parse_faults(to_string(faults), kCube, 1) == faults);
  CHECK(parse_faults("none", kCube, 1).empty());
  CHECK(to_string(FaultSet{}) == "none");
  CHECK(to_string(parse_faults("arcs=4>5,5>4", kCube, 1)) == "links=4-5");
  // Several parts add up; of several rounds the last counts.
  CHECK(to_string(parse_faults("links=0-1,1-3;nodes=0;arcs=4>5,5>7;nodes=31;from=1;from=1000000000",
                               kCube, 1)) ==
        "nodes=0,31;links=0-1,1-3;arcs=4>5,5>7;from=1000000000");
  CHECK(to_string(parse_faults("links=3-1", kCube, 1)) == "links=1-3");
  CHECK(parse_faults("random:0", kCube, 1).empty());
  CHECK(parse_faults("nodes=0", kCube, 1).nodes == std::vector<Node>{0});
}

TEST_CASE("the same seed draws the same faults on every machine") {
  // Drawn by a second program, with its own Mersenne twister.
  static constexpr std::optional<Node> none;
  const auto [topology, text, seed, spared, faults] =
      GENERATE(table<std::string, std::string, std::uint32_t, std::optional<Node>, std::string>({
          {"hypercube:5", "random:4", 7, none, "nodes=3;links=3-19,8-12,10-26"},
          {"hypercube:5", "random:6", 4000000000u, none, "nodes=0,4,24,28;links=10-26,19-27"},
          {"hypercube:5", "rate:0.01", 9, none, "nodes=5"},
          {"hypercube:3", "random:5", 3, none, "nodes=1,3,6,7;links=1-5"},
          {"hypercube:3", "random:5", 3, Node{0}, "nodes=6,7;links=2-6,3-7,4-5"},
          {"hypercube:3", "random:5", 3, Node{7}, "nodes=5,6;links=2-6,3-7,4-5"},
          {"hypercube:3", "rate:0.25", 3, none, "nodes=1,5;links=1-3,1-5,2-3,2-6,3-7,4-5,4-6"},
          {"hypercube:3", "rate:0.25", 3, Node{2}, "nodes=1,6;links=1-5,2-3,2-6,3-7,4-5,4-6,5-7"},
          {"ring:5", "random:4", 11, none, "nodes=0,1,2;links=1-2"},
          {"ring:5", "rate:0.5", 11, none, "nodes=0,1,2,4;links=0-1,2-3,3-4"},
          {"path:4", "random:7", 2, none, "nodes=0,1,2,3;links=0-1,1-2,2-3"},
          {"path:4", "random:3", 2, none, "nodes=2,3;links=0-1"},
          {"path:4", "random:3", 2, Node{1}, "nodes=0,2;links=0-1"},
          {"path:4", "rate:0.5", 5, Node{3}, "nodes=0,1;links=1-2,2-3"},
      }));
  CAPTURE(topology, text, seed);
  CHECK(to_string(parse_faults(text, Topology::parse(topology), seed, spared)) == faults);
}

TEST_CASE("the spared node is never drawn, however many are") {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    CHECK_FALSE(parse_faults("random:111", kCube, seed, 5).dead(5));
    CHECK_FALSE(parse_faults("rate:1", kCube, seed, 5).dead(5));
  }
  CHECK_THROWS_AS(parse_faults("random:112", kCube, 1, 5), InputError);
}

using namespace gossamer::test;

namespace {

/// The checker has its own implementation of adaptive schedules.
void compare_with_checker(Scheme& scheme, const FaultSet& faults) {
  CAPTURE(scheme.name(), to_string(faults));
  const AdaptiveRun outcome = scheme.play(faults);
  scheme.schedule.faults = faults;
  const CheckReport report = check(scheme.schedule);
  REQUIRE(report.ok() == outcome.missing.empty());
  REQUIRE(report.missing == outcome.missing);
  REQUIRE(report.transmissions == outcome.crossed);
  REQUIRE(report.expected == outcome.expected);
  REQUIRE(report.delivered == outcome.delivered());
  for (std::size_t t = 0; t < report.carried.size(); ++t) {
    REQUIRE(report.carried[t] == outcome.carried(t));
  }
}

}  // namespace

TEST_CASE("model and checker agree on every transfer, with any faults from any round on") {
  const unsigned d = GENERATE(1u, 2u, 3u, 4u, 5u);
  std::mt19937 random(d);
  for (Scheme& scheme : schemes(d, d - 1)) {
    const auto all = elements(scheme.schedule.topology(), {true, true, true}, scheme.spared());
    for (unsigned i = 0; i < 60; ++i) {
      FaultSet faults =
          random_set(all, random() % std::min<std::size_t>(2 * d, all.size()), random);
      faults.from_round = i % 2 == 0 ? 1 : 1 + random() % (scheme.schedule.rounds() + 1);
      compare_with_checker(scheme, faults);
    }
  }
}

TEST_CASE("a node that has not heard of the initiator sends nothing") {
  const Scheme scheme("chau-fu-initiated", 2, Collective::Gossip, PortModel::Single, 1);
  const FaultSet cut_off = parse_faults("links=0-1,1-3", scheme.schedule.topology(), 1);
  const AdaptiveRun outcome = scheme.play(cut_off);
  for (std::size_t t = 0; t < scheme.schedule.transfers().size(); ++t) {
    if (scheme.schedule.path(scheme.schedule.transfers()[t])[0] == 1)
      CHECK(outcome.carried(t) == 0);
  }
  // Without an initiator it sends, though nothing arrives.
  const Scheme together("chau-fu", 2, Collective::Gossip, PortModel::Single, 1);
  const AdaptiveRun all =
      together.play(parse_faults("arcs=0>1,3>1", scheme.schedule.topology(), 1));
  CHECK(all.held(0, 1));
  CHECK_FALSE(all.held(1, 0));
}

namespace {

std::vector<std::uint32_t> lengths(const Scheme& scheme) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t r = 1; r <= scheme.schedule.rounds(); ++r) {
    all.push_back(scheme.offered.length(r));
  }
  return all;
}

}  // namespace

TEST_CASE("whispering offers 1, 2, 4, ... in phase one and nearly everything in phase two") {
  const unsigned d = GENERATE(range(3u, 9u));
  const Scheme scheme("chau-fu", d, Collective::Gossip, PortModel::Single, d - 1);
  const std::uint32_t n = 1u << d;
  for (unsigned i = 1; i <= d; ++i) {
    CHECK(scheme.offered.length(i) == 1u << (i - 1));
    CHECK(scheme.offered.length(d + i) == (i == 2 ? n - 3 : n - 2));
  }
  CHECK(scheme.offered.length_sum() == std::uint64_t{n} * d + n - 2 * d - 2);
  CHECK(scheme.offered.length(0) == 0);
  CHECK(scheme.offered.length(2 * d + 1) == 0);
  CHECK(scheme.offered.at(2 * d + 1, 0).empty());
}

TEST_CASE("shouting offers what an odd or even walk without U-turns can bring") {
  CHECK(lengths(Scheme("chau-fu", 3, Collective::Gossip, PortModel::All, 2)) ==
        std::vector<std::uint32_t>{1, 3, 3, 4});
  CHECK(lengths(Scheme("chau-fu", 4, Collective::Gossip, PortModel::All, 3)) ==
        std::vector<std::uint32_t>{1, 4, 6, 8, 7});
  CHECK(lengths(Scheme("chau-fu", 4, Collective::Gossip, PortModel::All, 1)) ==
        std::vector<std::uint32_t>{1, 4, 6, 8});
}

TEST_CASE("offers leave out nothing that is new, with any faults") {
  // The reference has no lists, so it sends new messages even if the offers leave them out.
  const unsigned d = GENERATE(2u, 3u);
  for (const Scheme& scheme : schemes(d, d - 1)) {
    if (scheme.schedule.initiator) continue;
    CAPTURE(scheme.name());
    for (std::size_t size = 0; size <= 2; ++size) {
      for_each_set(elements(scheme.schedule.topology(), {true, true, true}, scheme.spared()), size,
                   [&](FaultSet faults) {
                     faults.from_round = 1 + static_cast<std::uint32_t>(size);
                     const AdaptiveRun model = scheme.play(faults);
                     const ReferenceOutcome reference = reference_play(scheme.schedule, faults);
                     REQUIRE(model.missing == reference.missing);
                     for (std::size_t t = 0; t < reference.carried.size(); ++t) {
                       REQUIRE(model.carried(t) == reference.carried[t].size());
                     }
                   });
    }
  }
}

TEST_CASE("slots of a user's own adaptive schedule are filled up to equal length") {
  Schedule schedule(Topology::parse("hypercube:2"), Collective::Gossip,
                    {PortModel::Single, Duplex::Full, Switching::Packet, true});
  const auto hop = [&](std::uint32_t round, Node from, Node to) {
    const Node path[] = {from, to};
    schedule.add_new(round, path);
  };
  hop(1, 0, 1);
  hop(2, 1, 3);  // its own and 0
  hop(2, 2, 0);  // only its own
  hop(7, 0, 1);  // 2, which has arrived since
  const Offers offered = offers(schedule);
  CHECK(std::ranges::equal(offered.at(1, 0), std::vector<Node>{0}));
  CHECK(std::ranges::equal(offered.at(2, 1), std::vector<Node>{1, 0}));
  CHECK(std::ranges::equal(offered.at(2, 2), std::vector<Node>{2, 3}));
  CHECK(offered.at(2, 0).empty());
  CHECK(std::ranges::equal(offered.at(7, 0), std::vector<Node>{2}));
  CHECK(offered.length_sum() == 4);
  const AdaptiveRun outcome = play(schedule, offered, {});
  CHECK(outcome.most == std::vector<std::uint32_t>{1, 2, 0, 0, 0, 0, 1});
  for (const Node origin : {0, 1}) CHECK(outcome.carries(1, origin));
  for (Node origin = 0; origin < 4; ++origin) CHECK(outcome.carries(2, origin) == (origin == 2));
}

// Paper 3 tolerates any k faults: every set of them on small cubes, random sets on larger ones.

namespace {

constexpr Kinds kMixed{.nodes = true, .links = true, .directions = false};

/// Every set of up to k faulty nodes and links.
Failures play_up_to(const Scheme& scheme, unsigned k) {
  Failures all;
  for (std::size_t size = 0; size <= k; ++size) all.add(play_all(scheme, kMixed, size));
  return all;
}

/// With a root or initiator, which must be healthy, there is one node less to choose from.
std::uint64_t sets_up_to(std::uint64_t elements, unsigned k) {
  std::uint64_t sum = 0, of_size = 1;
  for (unsigned size = 0; size <= k; ++size) {
    sum += of_size;
    of_size = of_size * (elements - size) / (size + 1);
  }
  return sum;
}

}  // namespace

TEST_CASE(
    "every set of up to k faulty nodes and links is tolerated, for all k, on cubes to d = 4") {
  const unsigned d = GENERATE(1u, 2u, 3u, 4u);
  const std::uint64_t n = 1u << d;
  for (unsigned k = 0; k < d; ++k) {
    for (const Scheme& scheme : schemes(d, k)) {
      const Failures all = play_up_to(scheme, k);
      CAPTURE(scheme.name(), all.first);
      CHECK(all.failed == 0);
      CHECK(all.sets == sets_up_to(n + n * d / 2 - (scheme.spared() == kNoNode ? 0 : 1), k));
    }
  }
}

TEST_CASE(
    "single directions of links are tolerated too: all sets for d = 3, random ones for d = 4") {
  for (const Scheme& scheme : schemes(3, 2)) {
    CAPTURE(scheme.name());
    for (std::size_t size = 0; size <= 2; ++size) {
      CHECK(play_all(scheme, {true, true, true}, size).failed == 0);
    }
  }
  for (const Scheme& scheme : schemes(4, 3)) {
    const Failures some = play_some(scheme, {true, true, true}, 3, 3000, 1);
    CAPTURE(scheme.name(), some.first);
    CHECK(some.failed == 0);
  }
}

TEST_CASE("faults that come later than round 1 are tolerated as well") {
  for (const Scheme& scheme : schemes(3, 2)) {
    CAPTURE(scheme.name());
    for (std::uint32_t from = 2; from <= scheme.schedule.rounds(); ++from) {
      for_each_set(elements(scheme.schedule.topology(), kMixed, scheme.spared()), 2,
                   [&](FaultSet faults) {
                     faults.from_round = from;
                     REQUIRE(scheme.play(faults).missing.empty());
                   });
    }
  }
}

TEST_CASE("d faults can be too many, and the checker notices each time") {
  const unsigned d = GENERATE(2u, 3u);
  for (Scheme& scheme : schemes(d, d - 1)) {
    std::uint64_t failed = 0;
    for_each_set(elements(scheme.schedule.topology(), kMixed, scheme.spared()), d,
                 [&](const FaultSet& faults) {
                   const bool stood = scheme.play(faults).missing.empty();
                   failed += stood ? 0 : 1;
                   scheme.schedule.faults = faults;
                   REQUIRE(check(scheme.schedule).ok() == stood);
                 });
    CAPTURE(scheme.name());
    CHECK(failed > 0);
    // Without its d links, or its d neighbours, node 0 can neither receive nor send.
    FaultSet links, nodes;
    for (unsigned i = 0; i < d; ++i) {
      add_link(links, 0, Node{1} << i);
      nodes.nodes.push_back(Node{1} << i);
    }
    normalize(links);
    CHECK_FALSE(scheme.play(links).missing.empty());
    CHECK_FALSE(scheme.play(nodes).missing.empty());
  }
}

TEST_CASE("100,000 random sets of d-1 faults for each variant and d = 5 to 7", "[.long]") {
  const unsigned d = GENERATE(5u, 6u, 7u);
  for (const Scheme& scheme : schemes(d, d - 1)) {
    Failures all = play_some(scheme, kMixed, d - 1, 50000, d);
    all.add(play_some(scheme, {true, false, false}, d - 1, 25000, d + 10));
    all.add(play_some(scheme, {true, true, true}, d - 1, 25000, d + 20));
    fmt::print(
        "{}: {} sets, {} failed; at worst {} messages, the largest of each round summed ({})\n",
        scheme.name(), all.sets, all.failed, all.worst, all.worst_set);
    std::fflush(stdout);
    CAPTURE(scheme.name(), all.first);
    CHECK(all.sets == 100000);
    CHECK(all.failed == 0);
  }
}
