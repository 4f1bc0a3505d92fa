// Gossip on TM(7^i)^3 in 4i rounds (Delmas-Perennes 1996, section 5).

#include "algorithms/delmas_perennes/delmas_perennes.hpp"

#include <fmt/format.h>

#include <tuple>

#include "algorithms/common/all.hpp"
#include "delmas_play.hpp"

using namespace delmas_test;
using gossamer::kDelmasPerennes;
using gossamer::OriginSets;
using gossamer::delmas_perennes::Cost;

TEST_CASE("Gossip on TM(7)^3 takes 4 rounds, 12 delta and 1 + 7 + 49 + 343 messages") {
  const Schedule schedule = kDelmasPerennes.plan(gossip_on("torus:7x7x7"));
  CHECK(sums_of_rounds(schedule) == std::vector<RoundSums>{{1, 1}, {5, 7}, {5, 49}, {1, 343}});
}

TEST_CASE("The gossip on 7^i x 7^i x 7^i is proved on 7^i classes with the sums of the recursion") {
  const unsigned i = GENERATE(1u, 2u, 3u);
  const Node side = i == 1 ? 7 : i == 2 ? 49 : 343;
  const Request request = gossip_on(fmt::format("torus:{0}x{0}x{0}", side));
  const Schedule schedule = kDelmasPerennes.plan(request);
  CHECK(schedule.symmetry().classes() == side);
  const auto report = gossamer::check(schedule);
  CHECK(first_fault(report) == "none");
  CHECK(report.rounds == kDelmasPerennes.formula(request).rounds);
  CHECK(Cost{report.rounds, report.delta_sum, report.tau_sum} == cost(i, /*split=*/false));
  const std::uint64_t nodes = request.topology.nodes();
  CHECK(report.delivered == nodes * (nodes - 1));
  if (i == 3) return;
  const auto numbers = [](const gossamer::CheckReport& r) {
    return std::tuple(r.ok(), r.delta_sum, r.tau_sum, r.transmissions, r.delivered, r.expected);
  };
  const auto written_out = gossamer::check(without_orbits(schedule));
  for (const OriginSets sets : {OriginSets::Bits, OriginSets::Trees}) {
    CHECK(numbers(gossamer::check(schedule, 20, sets)) == numbers(written_out));
  }
}

TEST_CASE("A dipath that is missing on 343x343x343 is missed in the end") {
  const Schedule schedule = kDelmasPerennes.plan(gossip_on("torus:343x343x343"));
  const Node n = 343;
  const Node generators[] = {(n - 2) + n, (n - 3) + n * n};
  Schedule wrong(schedule.topology(), schedule.collective(), schedule.model(),
                 gossamer::Symmetry(schedule.topology(), generators));
  const auto transfers = schedule.transfers();
  for (std::size_t t = 0; t < transfers.size(); ++t) {
    if (t == transfers.size() / 2) continue;
    const auto path = schedule.path(transfers[t]);
    wrong.add_everything(transfers[t].round, std::vector<Node>(path.begin(), path.end()));
  }
  const auto report = gossamer::check(wrong);
  CHECK_THAT(first_fault(report),
             Catch::Matchers::Contains(" lack") && Catch::Matchers::Contains(" message"));
  CHECK(report.delivered < report.expected);
}

TEST_CASE("The recursion costs 4i rounds and 12/9 of the diameter for i up to 6") {
  std::uint64_t n = 1;
  for (unsigned i = 1; i <= 6; ++i) {
    n *= 7;
    const std::uint64_t diameter = 3 * ((n - 1) / 2);
    CHECK(cost(i, false).rounds == 4 * i);
    CHECK(9 * cost(i, false).delta_sum == 12 * diameter);
    CHECK(cost(i, true).rounds == 5 * i);
    CHECK(9 * cost(i, true).delta_sum == 13 * diameter);
  }
}
