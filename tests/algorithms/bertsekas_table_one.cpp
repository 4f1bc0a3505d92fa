// What paper 4 promises of each collective: rounds and transmissions, both the least possible.

#include "bertsekas_play.hpp"
#include "bounds/bounds.hpp"
#include "bounds/distances.hpp"

using namespace bertsekas_test;

namespace {

/// The largest d at which the schedule is checked.
unsigned reach(Collective collective) { return collective == Collective::TotalExchange ? 11 : 14; }

/// A message makes as many hops as its ends are apart, and a node receives each message once.
std::uint64_t least_transmissions(const Topology& topology, Collective collective) {
  const std::uint64_t n = topology.nodes();
  if (collective == Collective::Gossip) return n * (n - 1);
  if (collective == Collective::Broadcast) return n - 1;
  if (collective == Collective::TotalExchange) return bounds::sum_of_distances(topology);
  std::uint64_t sum = 0;
  const bounds::Profile profile = bounds::profile(topology, 0);
  for (std::size_t k = 1; k < profile.size(); ++k) sum += k * profile[k];
  return sum;
}

}  // namespace

TEST_CASE("bertsekas takes the rounds and transmissions of table I, which are the least possible") {
  const Collective collective =
      GENERATE(Collective::Gossip, Collective::Broadcast, Collective::Scatter, Collective::Gather,
               Collective::TotalExchange);
  for (unsigned d = 1; d <= reach(collective); ++d) {
    CAPTURE(d, to_string(collective));
    const Request r = on_cube(d, collective);
    REQUIRE_FALSE(kBertsekas.refuses(r));
    const Schedule schedule = kBertsekas.plan(r);
    const CheckReport report = check(schedule);
    CHECK(first_fault(report) == "none");
    CHECK(report.delivered == report.expected);
    CHECK(report.rounds == table_one(d, collective).rounds);
    CHECK(report.transmissions == table_one(d, collective).transmissions);
    CHECK(kBertsekas.formula(r).rounds == report.rounds);
    CHECK(lower_bound_rounds(r.topology, collective, schedule.model()) == report.rounds);
    CHECK(least_transmissions(r.topology, collective) == report.transmissions);
  }
}
