#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "algorithms/bertsekas/bertsekas.hpp"
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

// Scatter and gather (Bertsekas et al. 1991, section 3).

TEST_CASE("in a scatter the root sends to the furthest first and no packet ever waits") {
  for (unsigned d = 1; d <= 10; ++d) {
    const Node root = static_cast<Node>(power(d) / 3);
    const Schedule schedule = kBertsekas.plan(on_cube(d, Collective::Scatter, root));
    std::map<Node, std::uint32_t> started;   // by destination: the round of the first hop
    std::map<Node, unsigned> last_distance;  // by the root's neighbour
    for (const Transfer& t : schedule.transfers()) {
      const auto path = schedule.path(t);
      const Node destination = schedule.messages(t)[0].destination;
      if (path[0] == root) {
        started[destination] = t.round;
        const unsigned distance = ones(root ^ destination);
        const auto [before, is_first] = last_distance.try_emplace(path[1], distance);
        CHECK(before->second >= distance);
        before->second = distance;
      }
      REQUIRE(t.round == started.at(destination) + ones(root ^ path[0]));
    }
    CHECK(started.size() == power(d) - 1);
  }
}

TEST_CASE("the gather is the scatter backwards in time") {
  for (unsigned d = 1; d <= 8; ++d) {
    const Node root = static_cast<Node>(power(d) - 1);
    const Schedule scatter = kBertsekas.plan(on_cube(d, Collective::Scatter, root));
    const Schedule gather = kBertsekas.plan(on_cube(d, Collective::Gather, root));
    std::set<std::vector<Node>> forwards, backwards;
    for (const Transfer& t : scatter.transfers()) {
      const auto path = scatter.path(t);
      forwards.insert(
          {scatter.rounds() + 1 - t.round, path[1], path[0], scatter.messages(t)[0].destination});
    }
    for (const Transfer& t : gather.transfers()) {
      const auto path = gather.path(t);
      backwards.insert({t.round, path[0], path[1], gather.messages(t)[0].origin});
    }
    CHECK(forwards == backwards);
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

// Total exchange (Bertsekas et al. 1991, section 4): the recursion, and the rules for sending and
// forwarding, each played literally and compared with the plan.

using bertsekas::unit;

namespace {

/// Node 0 sends the packet from `origin` to `destination` over link k in a round.
struct Sent {
  Node origin = 0, destination = 0;
  bool operator==(const Sent&) const = default;
};
/// By round and link, both from 0. What node i does is the same with all nodes (+) i.
using Sending = std::vector<std::vector<Sent>>;

Sending sending_of(const Schedule& schedule, unsigned d) {
  Sending sending(schedule.rounds(), std::vector<Sent>(d));
  for (const Transfer& t : schedule.transfers()) {
    const auto path = schedule.path(t);
    const Message m = schedule.messages(t)[0];
    const auto link = static_cast<std::size_t>(std::countr_zero(path[0] ^ path[1]));
    sending[t.round - 1][link] = {m.origin ^ path[0], m.destination ^ path[0]};
  }
  return sending;
}

/// The three phases: the d-cube's exchange, meanwhile everything for the opposite half over the new
/// link, and the d-cube's exchange again with what came from there. Where rule (a) leaves the order
/// of packets open, `random` decides; without it they go from left to right.
Sending recursion(unsigned d, std::mt19937* random) {
  if (d == 1) return {{{0, 1}}};
  const Sending half = recursion(d - 1, random);
  Sending sending = half;
  for (const auto& sent : half) {
    sending.push_back(sent);
    for (Sent& s : sending.back()) s = {s.origin ^ unit(d), s.destination};
  }
  std::vector<Node> order;  // destinations over link d
  for (const auto& sent : half) {
    const auto begin = static_cast<std::ptrdiff_t>(order.size());
    for (const Sent& s : sent) {
      if (s.origin == 0) order.push_back(s.destination | unit(d));
    }
    if (random != nullptr) std::shuffle(order.begin() + begin, order.end(), *random);
  }
  order.push_back(unit(d));
  REQUIRE(order.size() == sending.size());
  for (std::size_t r = 0; r < sending.size(); ++r) sending[r].push_back({0, order[r]});
  return sending;
}

Schedule schedule_of(const Sending& sending, unsigned d) {
  Schedule schedule = bertsekas::empty_schedule(Topology::parse(fmt::format("hypercube:{}", d)),
                                                Collective::TotalExchange);
  for (std::uint32_t r = 0; r < sending.size(); ++r) {
    for (unsigned k = 1; k <= d; ++k) {
      const auto& [origin, destination] = sending[r][k - 1];
      schedule.add({r + 1, 0, unit(k), {origin, destination}});
    }
  }
  return schedule;
}

/// A packet that waits at node 0 to be forwarded: first those of nearer origins in lexicographic
/// order, then in order of arrival.
using Waiting = std::tuple<Node, std::uint32_t, Node>;  // origin, round of arrival, destination

/// "Implementation of the Optimal Algorithm": node 0 knows its own order, and only origin and
/// destination of each packet that it receives. By symmetry its neighbours do the same.
Sending forwarding_rules(unsigned d) {
  const auto own = bertsekas::own_packets(d);
  std::vector<std::set<Waiting>> queues(d);
  Sending sending;
  for (std::uint32_t round = 1; round <= unit(d); ++round) {
    sending.emplace_back();
    for (unsigned k = 1; k <= d; ++k) {
      if (round <= unit(k)) {
        sending.back().push_back({0, own[k - 1][round - 1]});
        continue;
      }
      auto& queue = queues[k - 1];
      REQUIRE_FALSE(queue.empty());
      const auto [origin, arrived, destination] = *queue.begin();
      queue.erase(queue.begin());
      sending.back().push_back({origin, destination});
    }
    for (unsigned k = 1; k <= d; ++k) {
      const Sent& s = sending.back()[k - 1];  // what the neighbour sends, in its own node numbers
      const Node origin = s.origin ^ unit(k), destination = s.destination ^ unit(k);
      if (destination == 0) continue;
      const auto over = static_cast<unsigned>(std::bit_width(destination));
      REQUIRE(over < k);  // the highest bit that differs, below the last link
      queues[over - 1].insert({origin, round, destination});
    }
  }
  for (const auto& queue : queues) CHECK(queue.empty());
  return sending;
}

}  // namespace

TEST_CASE("the recursion of section 4 holds however its ties are broken") {
  std::mt19937 random(4);
  for (unsigned d = 3; d <= 8; ++d) {
    for (int i = 0; i < 5; ++i) {
      const CheckReport report = check(schedule_of(recursion(d, &random), d));
      CAPTURE(d, i);
      CHECK(first_fault(report) == "none");
      CHECK(report.rounds == power(d - 1));
    }
  }
}

TEST_CASE("the rules for sending and forwarding need no planner to do the same") {
  for (unsigned d = 1; d <= 10; ++d) {
    CAPTURE(d);
    CHECK(forwarding_rules(d) ==
          sending_of(kBertsekas.plan(on_cube(d, Collective::TotalExchange)), d));
  }
}

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
