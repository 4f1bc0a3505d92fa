#include <fmt/format.h>

#include "catch.hpp"
#include "faults/fault_sets.hpp"
#include "faults/reference.hpp"
#include "support/error.hpp"

using namespace gossamer;
using namespace gossamer::test;

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

TEST_CASE("a list is in order of origin XOR node, and the same for all nodes of a gossip") {
  const PortModel ports = GENERATE(PortModel::Single, PortModel::All);
  const Scheme scheme("chau-fu", 5, Collective::Gossip, ports, 4);
  for (std::uint32_t r = 1; r <= scheme.schedule.rounds(); ++r) {
    const auto of_zero = scheme.offered.at(r, 0);
    REQUIRE(of_zero.size() == scheme.offered.length(r));
    CHECK(std::ranges::is_sorted(of_zero));
    for (Node v = 0; v < 32; ++v) {
      const auto list = scheme.offered.at(r, v);
      REQUIRE(list.size() == of_zero.size());
      for (std::size_t j = 0; j < list.size(); ++j) {
        REQUIRE((list[j] ^ v) == of_zero[j]);
        REQUIRE((scheme.offered.bits(r, v)[0] >> list[j] & 1) == 1);
      }
    }
  }
}

TEST_CASE("with an initiator the slots are its own, then those of a gossip that all start") {
  const PortModel ports = GENERATE(PortModel::Single, PortModel::All);
  const Scheme initiated("chau-fu-initiated", 4, Collective::Gossip, ports, 3);
  const Scheme together("chau-fu", 4, Collective::Gossip, ports, 3);
  const std::uint32_t half = together.schedule.rounds();
  REQUIRE(initiated.schedule.rounds() == 2 * half);
  REQUIRE(initiated.schedule.initiator->join == half + 1);
  for (std::uint32_t r = 1; r <= half; ++r) {
    for (Node v = 0; v < 16; ++v) {
      REQUIRE(initiated.offered.at(r, v).size() == 1);
      CHECK(initiated.offered.at(r, v)[0] == 0);
      CHECK(std::ranges::equal(initiated.offered.at(half + r, v), together.offered.at(r, v)));
    }
  }
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
                     const Outcome model = scheme.play(faults);
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
  const Outcome outcome = play(schedule, offered, {});
  CHECK(outcome.most == std::vector<std::uint32_t>{1, 2, 0, 0, 0, 0, 1});
  for (const Node origin : {0, 1}) CHECK(outcome.carries(1, origin));
  for (Node origin = 0; origin < 4; ++origin) CHECK(outcome.carries(2, origin) == (origin == 2));
}
