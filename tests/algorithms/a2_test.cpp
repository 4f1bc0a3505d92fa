#include "algorithms/dimension_exchange/a2.hpp"

#include "algorithms/edge_colouring/edge_colouring.hpp"
#include "paper5_play.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

Schedule a2_on(const std::string& topology) {
  return checked(kA2, total_exchange_on(topology, PortModel::All));
}

void check_at_bound(const std::string& topology) {
  const Schedule schedule = a2_on(topology);
  CAPTURE(topology);
  CHECK(schedule.rounds() == bound_of(schedule));
}

}  // namespace

TEST_CASE("a2 takes the rounds of corollary 4 on the topologies of the regression") {
  const auto [topology, rounds] = GENERATE(table<std::string, std::uint32_t>({
      {"torus:5x5", 15},
      {"torus:8x8", 64},
      {"torus:3x3x3x3", 27},
      {"torus:4x4x4x4", 128},
      {"mesh:4x4", 16},
      {"ghc:4x4", 4},
  }));
  CHECK(a2_on(topology).rounds() == rounds);
}

TEST_CASE("a2 in one dimension is at the bound on all rings, paths and complete graphs") {
  for (Node n = 2; n <= 40; ++n) {
    check_at_bound(fmt::format("ring:{}", n));
    check_at_bound(fmt::format("path:{}", n));
    check_at_bound(fmt::format("complete:{}", n));
  }
}

TEST_CASE("a2 is at bound (4) on H^2, unless H is a ring whose own bound had to be rounded") {
  for (Node n = 2; n <= 9; ++n) {
    if (n % 4 != 2 || n == 2) check_at_bound(fmt::format("torus:{0}x{0}", n));
    check_at_bound(fmt::format("mesh:{0}x{0}", n));
    check_at_bound(fmt::format("ghc:{0}x{0}", n));
  }
}

TEST_CASE("a2 is at bound (4) on H^4 and H^8") {
  for (const char* topology : {"torus:3x3x3x3", "torus:4x4x4x4", "mesh:3x3x3x3", "mesh:4x4x4x4",
                               "ghc:4x4x4x4", "hypercube:2", "hypercube:4", "hypercube:8"}) {
    check_at_bound(topology);
  }
}

TEST_CASE("a2 plans 4,096 nodes, at most 16 of them differing") {
  const auto [topology, rounds, classes] =
      GENERATE(table<std::string, std::uint32_t, Node>({{"torus:8x8x8x8", 4096, 16},
                                                        {"torus:64x64", 32768, 4},
                                                        {"torus:63x63", 31248, 1},
                                                        {"ghc:8x8x8x8", 512, 1}}));
  const Schedule schedule = kA2.plan(total_exchange_on(topology, PortModel::All));
  CAPTURE(topology);
  CHECK(schedule.rounds() == rounds);
  CHECK(schedule.symmetry().classes() == classes);
  CHECK(test::broken_rules(schedule) == "");
}

TEST_CASE("after the r-th exchange of a2 in B every node has a message for each other of its A") {
  for (const char* spec : {"torus:5x5", "mesh:4x4", "ghc:6x6", "torus:4x4"}) {
    const Schedule schedule = a2_on(spec);
    const Node n = schedule.topology().factors()[0].nodes;
    const std::uint32_t rounds = schedule.rounds() / n;
    CAPTURE(spec);
    for (Node r = 1; r < n; ++r) {
      std::vector<std::vector<unsigned>> waiting(n * n, std::vector<unsigned>(n, 0));
      for (const auto& [message, place] : places_after(schedule, r * rounds)) {
        const bool from_another_copy = message.origin / n != place / n;
        if (from_another_copy && message.destination / n == place / n &&
            message.destination != place && message.origin != place) {
          ++waiting[place][message.destination % n];
        }
      }
      for (Node x = 0; x < n * n; ++x) {
        for (Node digit = 0; digit < n; ++digit) {
          REQUIRE(waiting[x][digit] == (digit == x % n ? 0 : 1));
        }
      }
    }
  }
}

TEST_CASE("a2 takes what its factor takes, of any graph") {
  const Schedule petersen = checked(
      kA2,
      total_exchange_on("product:edges:tests/data/petersen.json,edges:tests/data/petersen.json",
                        PortModel::All));
  CHECK(petersen.rounds() == 50);
  CHECK(petersen.rounds() == bound_of(petersen));
  // The factor's schedule makes detours.
  const Request request = total_exchange_on("product:ccc:3,ccc:3", PortModel::All);
  const Schedule ccc = kA2.plan(request);
  CHECK(broken_rules(check(ccc)) == "");
  CHECK(ccc.rounds() == 864);
  CHECK(ccc.rounds() == bound_of(ccc));
}

TEST_CASE("a2 says in one line what it does not serve") {
  Request request = total_exchange_on("torus:4x4", PortModel::Single);
  CHECK(kA2.refuses(request) == std::string("a2 needs all ports"));
  request.ports = PortModel::All;
  request.duplex = Duplex::Half;
  CHECK(kA2.refuses(request) == std::string("a2 needs full-duplex links"));
  request.duplex = Duplex::Full;
  request.collective = Collective::Scatter;
  CHECK(kA2.refuses(request) == std::string("a2 serves total-exchange only, not scatter"));
  CHECK(kA2.refuses(total_exchange_on("torus:4x4x4", PortModel::All)) ==
        std::string("a2 needs 1, 2, 4, 8, ... dimensions; torus:4x4x4 has 3"));
  CHECK(kA2.refuses(total_exchange_on("torus:4x5", PortModel::All)) ==
        std::string("a2 needs dimensions of equal size; torus:4x5 has 4 and 5"));
}
