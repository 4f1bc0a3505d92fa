// Paper 3 tolerates any k faults: every set of them on small cubes, random sets on larger ones.
#include <fmt/format.h>

#include <cstdio>

#include "bounds/claims.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "faults/fault_sets.hpp"

using namespace gossamer;
using namespace gossamer::test;

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

TEST_CASE("random sets on larger cubes are tolerated") {
  const unsigned d = GENERATE(5u, 6u, 7u);
  for (const PortModel ports : {PortModel::Single, PortModel::All}) {
    const Scheme scheme("chau-fu", d, Collective::Gossip, ports, d - 1);
    CHECK(play_some(scheme, kMixed, d - 1, 500, d).failed == 0);
    CHECK(play_some(scheme, {true, true, true}, d - 1, 500, d).failed == 0);
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
