// Total exchange (Bertsekas et al. 1991, section 4): the recursion, and the rules for sending and
// forwarding, each played literally and compared with the plan.

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "algorithms/common/all.hpp"
#include "bertsekas_play.hpp"

using namespace bertsekas_test;
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
