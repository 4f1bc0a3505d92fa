// What paper 4 promises of each collective: rounds and transmissions, both the least possible.

#include "bertsekas_play.hpp"
#include "best_algorithm.hpp"
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

TEST_CASE("bertsekas holds gossip and total exchange as the transfers of one node") {
  const Collective collective = GENERATE(Collective::Gossip, Collective::TotalExchange);
  for (unsigned d = 1; d <= 11; ++d) {
    CAPTURE(d, to_string(collective));
    const Schedule schedule = kBertsekas.plan(on_cube(d, collective));
    CHECK(schedule.symmetry().classes() == 1);
    CHECK(schedule.transfers().size() * power(d) == table_one(d, collective).transmissions);
  }
}

TEST_CASE("bertsekas serves every product of two-node graphs, from any root") {
  const Collective collective =
      GENERATE(Collective::Gossip, Collective::Broadcast, Collective::Scatter, Collective::Gather,
               Collective::TotalExchange);
  for (const char* spec : {"ring:2", "torus:2x2x2", "mesh:2x2x2x2", "ghc:2x2", "hypercube:5",
                           "product:ring:2,hypercube:2,complete:2"}) {
    const Topology topology = Topology::parse(spec);
    for (Node root = 0; root < (has_root(collective) ? topology.nodes() : 1); ++root) {
      CAPTURE(spec, to_string(collective), root);
      const Request r = request(spec, collective, root);
      REQUIRE_FALSE(kBertsekas.refuses(r));
      const Schedule schedule = kBertsekas.plan(r);
      CHECK(schedule.root == root);
      CHECK(first_fault(check(schedule)) == "none");
    }
  }
}

TEST_CASE("bertsekas says what it needs") {
  const auto refusal = [](const Request& r) { return kBertsekas.refuses(r).value_or("none"); };
  for (const char* spec : {"torus:2x3", "torus:4x4", "ring:4", "mesh:2x3", "debruijn:3"}) {
    CHECK(refusal(request(spec, Collective::Gossip)) ==
          fmt::format("bertsekas needs a hypercube, such as hypercube:4; {} is none", spec));
  }
  Request r = on_cube(3, Collective::Scatter);
  r.ports = PortModel::Single;
  CHECK(refusal(r) == "bertsekas needs all ports");
  r = on_cube(3, Collective::Gossip);
  r.duplex = Duplex::Half;
  CHECK(refusal(r) == "bertsekas needs full-duplex links");
  r = on_cube(2, Collective::Gossip);
  r.cycle = {0, 1, 3, 2};
  CHECK(refusal(r) == "bertsekas takes no cycle");
  CHECK(refusal(on_cube(24, Collective::Gossip)) == "none");
  CHECK(refusal(on_cube(31, Collective::Gossip)) ==
        "bertsekas would list 2147483647 transfers on hypercube:31; it lists up to 16777216");
  CHECK(refusal(on_cube(21, Collective::TotalExchange)) ==
        "bertsekas would list 22020096 transfers on hypercube:21; it lists up to 16777216");
}

TEST_CASE("on a hypercube with all ports bertsekas is the algorithm with the fewest rounds") {
  for (const Collective collective : {Collective::Gossip, Collective::TotalExchange}) {
    CHECK(best_algorithm(on_cube(4, collective)).name == "bertsekas");
  }
}
