#include "algorithms/translation/translation.hpp"

#include <fmt/format.h>

#include <set>

#include "bounds/bounds.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"

using namespace gossamer;

namespace {

Request gossip_on(const std::string& topology, Duplex duplex = Duplex::Full) {
  return {Topology::parse(topology), Collective::Gossip, PortModel::All, duplex, 0, {}};
}

/// Planned, accepted by the checker, and as short as formula and bound.
void check_fewest_rounds(const std::string& topology, Duplex duplex = Duplex::Full) {
  CAPTURE(topology, to_string(duplex));
  const Request request = gossip_on(topology, duplex);
  REQUIRE_FALSE(kTranslation.refuses(request));
  const Schedule schedule = kTranslation.plan(request);
  const CheckReport report = check(schedule);
  CAPTURE(report.faults.empty() ? "" : to_string(report.faults.front()));
  CHECK(test::broken_rules(report) == "");
  CHECK(schedule.rounds() == kTranslation.formula(request).rounds);
  CHECK(schedule.rounds() ==
        lower_bound_rounds(request.topology, Collective::Gossip, schedule.model()));
}

}  // namespace

TEST_CASE("translation takes the rounds that were predicted for it") {
  const auto [topology, rounds] = GENERATE(table<std::string, std::uint32_t>({
      {"torus:7x7x7", 57},
      {"torus:12x12x12", 288},
      {"torus:16x16x16", 683},
      {"hypercube:6", 11},  // paper 4: ceil((2^d-1)/d)
      {"torus:5x5", 6},
  }));
  CAPTURE(topology);
  CHECK(kTranslation.plan(gossip_on(topology)).rounds() == rounds);
  check_fewest_rounds(topology);
}

TEST_CASE("translation meets the lower bound on rings and tori of 2 and 3 dimensions") {
  for (Node a = 2; a <= 30; ++a) check_fewest_rounds(fmt::format("ring:{}", a));
  for (Node a = 2; a <= 8; ++a) {
    for (Node b = 2; b <= 8; ++b) {
      check_fewest_rounds(fmt::format("torus:{}x{}", a, b));
      for (Node c = b; a <= b && c <= 8; ++c) {
        check_fewest_rounds(fmt::format("torus:{}x{}x{}", a, b, c));
      }
    }
  }
}

TEST_CASE("translation meets the lower bound in 4 dimensions, hypercubes and complete factors") {
  for (Node a = 2; a <= 5; ++a) {
    for (Node b = a; b <= 5; ++b) check_fewest_rounds(fmt::format("torus:{0}x{0}x{1}x{1}", a, b));
  }
  for (unsigned d = 1; d <= 11; ++d) check_fewest_rounds(fmt::format("hypercube:{}", d));
  for (const char* topology : {"torus:2x3x4x5", "ghc:3x5", "ghc:4x4", "ghc:2x3x4", "complete:6",
                               "product:ring:6,complete:5"}) {
    check_fewest_rounds(topology);
  }
}

TEST_CASE("translation meets the lower bound on long and narrow tori") {
  for (Node n = 9; n <= 60; ++n) {
    for (const char* narrow : {"2", "3", "4", "2x2", "2x3"}) {
      check_fewest_rounds(fmt::format("torus:{}x{}", narrow, n));
    }
  }
}

TEST_CASE("translation meets the lower bound over half-duplex links") {
  for (Node a = 2; a <= 30; ++a) check_fewest_rounds(fmt::format("ring:{}", a), Duplex::Half);
  for (Node a = 2; a <= 8; ++a) {
    for (Node b = 2; b <= 8; ++b) {
      check_fewest_rounds(fmt::format("torus:{}x{}", a, b), Duplex::Half);
    }
  }
  for (Node a = 2; a <= 6; ++a) {
    for (Node b = a; b <= 6; ++b) {
      for (Node c = b; c <= 6; ++c) {
        check_fewest_rounds(fmt::format("torus:{}x{}x{}", a, b, c), Duplex::Half);
      }
    }
  }
  for (Node n = 9; n <= 40; ++n) {
    for (const char* narrow : {"2", "3", "4", "2x2", "2x3"}) {
      check_fewest_rounds(fmt::format("torus:{}x{}", narrow, n), Duplex::Half);
    }
  }
  for (Node n = 2; n <= 16; ++n) check_fewest_rounds(fmt::format("complete:{}", n), Duplex::Half);
  for (unsigned d = 1; d <= 10; ++d) {
    check_fewest_rounds(fmt::format("hypercube:{}", d), Duplex::Half);
  }
  for (const char* topology :
       {"ghc:3x5", "ghc:4x4", "ghc:2x3x4", "ghc:6x8", "ghc:2x4x6", "product:ring:6,complete:5",
        "product:ring:5,complete:8", "torus:2x2x2x5x3", "torus:12x12x12"}) {
    check_fewest_rounds(topology, Duplex::Half);
  }
}

TEST_CASE("over half-duplex links nodes fall into as few classes as their links allow") {
  const auto [topology, classes] =
      GENERATE(table<std::string, Node>({{"torus:5x6", 1},
                                         {"complete:5", 1},
                                         {"hypercube:4", 2},
                                         {"torus:2x5", 2},
                                         {"complete:6", 2},
                                         {"complete:8", 8},
                                         {"ghc:2x4x6", 4},
                                         {"product:ring:6,complete:4", 4}}));
  CAPTURE(topology);
  const Schedule schedule = kTranslation.plan(gossip_on(topology, Duplex::Half));
  CHECK(schedule.symmetry().classes() == classes);
}

TEST_CASE("in translation every node receives each message once, and all do the same") {
  const Schedule schedule = kTranslation.plan(gossip_on("torus:4x5x6"));
  CHECK(schedule.symmetry().classes() == 1);
  std::set<Node> arrived;
  for (const Transfer& t : schedule.transfers()) {
    REQUIRE(schedule.messages(t).size() == 1);
    CHECK(schedule.messages(t)[0].origin == 0);
    CHECK(arrived.insert(schedule.path(t).back()).second);
  }
  CHECK(arrived.size() == 119);
  CHECK(arrived.count(0) == 0);
}

TEST_CASE("translation plans the same schedule every time") {
  const Request request = gossip_on("torus:2x9");
  const Schedule one = kTranslation.plan(request), other = kTranslation.plan(request);
  REQUIRE(one.transfers().size() == other.transfers().size());
  for (std::size_t i = 0; i < one.transfers().size(); ++i) {
    const auto a = one.path(one.transfers()[i]), b = other.path(other.transfers()[i]);
    CHECK(one.transfers()[i].round == other.transfers()[i].round);
    CHECK(std::vector<Node>(a.begin(), a.end()) == std::vector<Node>(b.begin(), b.end()));
  }
}

TEST_CASE("translation says in one line what it does not serve") {
  Request request = gossip_on("torus:4x4");
  request.collective = Collective::TotalExchange;
  CHECK(kTranslation.refuses(request) ==
        std::string("translation serves gossip only, not total-exchange"));
  request = gossip_on("torus:4x4");
  request.ports = PortModel::Single;
  CHECK(kTranslation.refuses(request) == std::string("translation uses all ports: ask for these"));
  CHECK(kTranslation.refuses(gossip_on("mesh:3x4")) ==
        std::string("translation needs a topology that can be translated, such as a torus; "
                    "mesh:3x4 cannot"));
}
