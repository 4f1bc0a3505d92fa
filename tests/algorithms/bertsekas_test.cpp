#include "algorithms/bertsekas/bertsekas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "algorithms/common/all.hpp"
#include "algorithms/registry.hpp"
#include "bounds/bounds.hpp"
#include "bounds/distances.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"

namespace bertsekas_test {

using namespace gossamer;

inline Request request(const std::string& topology, Collective collective, Node root = 0) {
  return {Topology::parse(topology), collective, PortModel::All, Duplex::Full, root, /*cycle=*/{}};
}

inline Request on_cube(unsigned d, Collective collective, Node root = 0) {
  return request(fmt::format("hypercube:{}", d), collective, root);
}

inline std::uint64_t power(unsigned exponent) { return std::uint64_t{1} << exponent; }
inline unsigned ones(Node t) { return static_cast<unsigned>(std::popcount(t)); }

/// The closed forms of Bertsekas et al. 1991, table I; for a broadcast the distance and the links
/// of a tree.
struct TableOne {
  std::uint64_t rounds, transmissions;
};
inline TableOne table_one(unsigned d, Collective collective) {
  const std::uint64_t others = power(d) - 1, over_links = others / d + (others % d != 0 ? 1 : 0);
  switch (collective) {
    case Collective::Gossip: return {over_links, power(d) * others};
    case Collective::TotalExchange: return {power(d - 1), d * power(2 * d - 1)};
    case Collective::Broadcast: return {d, others};
    default: break;
  }
  return {over_links, d * power(d - 1)};
}

inline std::string first_fault(const CheckReport& report) {
  return report.ok() ? "none" : to_string(report.faults.front());
}

}  // namespace bertsekas_test

// The multinode broadcast (Bertsekas et al. 1991, section 2).

using namespace bertsekas_test;
using bertsekas::m_of;
using bertsekas::unit;

TEST_CASE("without the zero beside bit m(t) the gossip of the 4-cube would not work") {
  // R_31 starts with number 11, so m = 3; its string 1110 has a 1 there, but no 0 to
  // the right of it.
  const unsigned d = 4;
  const std::vector<Node> strings = bertsekas::numbered_strings(d);
  REQUIRE(strings[11] == 0b1101);
  std::vector<Node> number(strings.size());
  for (Node n = 0; n < strings.size(); ++n) number[strings[n]] = n;
  const Node wrong = 0b1110, parent = wrong ^ unit(m_of(11, d));
  CHECK((number[parent] + d - 1) / d == (11 + d - 1) / d);  // its packet would arrive too late
}

TEST_CASE("what a gossip brings to one node is a gather with the fewest rounds and transmissions") {
  // Section 3 calls the scatter contained in the gossip complex; with time reversed it is this.
  for (unsigned d = 1; d <= 11; ++d) {
    const Schedule gossip = kBertsekas.plan(on_cube(d, Collective::Gossip));
    std::vector<Node> sender(power(d));
    for (const Transfer& t : gossip.transfers()) sender[gossip.path(t)[1]] = gossip.path(t)[0];
    Schedule gather(gossip.topology(), Collective::Gather, gossip.model());
    for (const Transfer& t : gossip.transfers()) {
      // The copy of this transfer that is on the path of node x's message to node 0, for all x.
      const Node from = gossip.path(t)[0], to = gossip.path(t)[1];
      for (Node x = 1; x < power(d); ++x) {
        Node on_way = x;
        while (on_way != 0 && on_way != to) on_way = sender[on_way];
        const Node path[] = {from ^ x, to ^ x};
        const Message message[] = {{.origin = x, .destination = 0}};
        if (on_way == to) gather.add(t.round, path, message);
      }
    }
    const CheckReport report = check(gather);
    CAPTURE(d);
    CHECK(first_fault(report) == "none");
    CHECK(report.rounds <= table_one(d, Collective::Gather).rounds);
    CHECK(report.transmissions == table_one(d, Collective::Gather).transmissions);
  }
}

// What paper 4 promises of each collective: rounds and transmissions, both the least possible.

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

using bertsekas::unit;

TEST_CASE("the order of a node's own packets is figure 6's, and within inequality (6)") {
  using Table = std::vector<std::vector<Node>>;
  CHECK(bertsekas::own_packets(4) ==
        Table{{0b0001},
              {0b0011, 0b0010},
              {0b0101, 0b0111, 0b0110, 0b0100},
              {0b1001, 0b1011, 0b1101, 0b1010, 0b1111, 0b1110, 0b1100, 0b1000}});
  for (unsigned d = 1; d <= 14; ++d) {
    const Table own = bertsekas::own_packets(d);
    std::uint64_t sent = 0;  // N_d(i, n)
    for (std::uint64_t n = 1; n <= power(d - 1); ++n) {
      for (const auto& column : own) sent += n <= column.size() ? 1 : 0;
      CAPTURE(d, n, sent);
      if (n == 1) CHECK(sent == d);
      REQUIRE(sent <= power(d - 1) + n - 1);
    }
    CHECK(sent == power(d) - 1);
  }
}
