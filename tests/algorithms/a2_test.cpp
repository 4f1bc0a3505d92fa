#include "algorithms/common/all.hpp"
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
