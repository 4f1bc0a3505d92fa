#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "algorithms/common/all.hpp"
#include "algorithms/registry.hpp"
#include "bounds/bounds.hpp"
#include "bounds/claims.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "tables/compiler.hpp"
#include "topology/families.hpp"

namespace gossamer::test {

inline Request total_exchange_on(const std::string& topology, PortModel ports) {
  return {Topology::parse(topology), Collective::TotalExchange, ports, Duplex::Full, 0, {}};
}

/// Planned, accepted by the checker, in as many rounds as the formula, on shortest paths.
inline Schedule checked(const Algorithm& algorithm, const Request& request) {
  CAPTURE(request.topology.spec());
  REQUIRE_FALSE(algorithm.refuses(request));
  Schedule schedule = algorithm.plan(request);
  const CheckReport report = check(schedule);
  CAPTURE(report.faults.empty() ? "" : to_string(report.faults.front()));
  CHECK(test::broken_rules(report) == "");
  CHECK(schedule.rounds() == algorithm.formula(request).rounds);
  CHECK(report.transmissions == bounds::sum_of_distances(request.topology));
  return schedule;
}

inline std::uint64_t bound_of(const Schedule& schedule) {
  return lower_bound_rounds(schedule.topology(), schedule.collective(), schedule.model());
}

/// Where each message is after some rounds, every orbit expanded.
inline std::map<Message, Node> places_after(const Schedule& schedule, std::uint32_t rounds) {
  const Topology& topology = schedule.topology();
  std::map<Message, Node> places;
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Node y = 0; y < topology.nodes(); ++y) {
      if (x != y) places[{x, y}] = x;
    }
  }
  for (const Transfer& t : schedule.transfers()) {
    if (t.round > rounds) break;
    for (const Node g : schedule.symmetry().elements()) {
      for (const Message& m : schedule.messages(t)) {
        places.at({topology.translate(m.origin, g), topology.translate(m.destination, g)}) =
            topology.translate(schedule.path(t).back(), g);
      }
    }
  }
  return places;
}

}  // namespace gossamer::test

// Statements printed in paper 5 against the truth: evidence for docs/research/errata.md.

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// The paper's sums of indices 1, ..., n.
Node plus(Node n, Node x, Node y) { return (x + y - 1) % n + 1; }
Node minus(Node n, Node x, Node y) { return (x + n * n - y - 1) % n + 1; }

/// A message of (v_i, u_j) for (v_k, u_l), by i, j, k, l.
using Named = std::tuple<Node, Node, Node, Node>;

/// Set (7): what (v_i, u_j) sends in the r-th exchange in B_i.
std::set<Named> set_7(Node n, Node r, Node i, Node j) {
  std::set<Named> set;
  for (Node l = 1; l < n; ++l) {
    set.insert({i, j, plus(n, i, plus(n - 1, r - 1, l)), plus(n, j, l)});
  }
  return set;
}

/// What (v_i, u_j) receives then, according to the senders' sets (7).
std::set<Named> received(Node n, Node r, Node i, Node j) {
  std::set<Named> set;
  for (Node sender = 1; sender <= n; ++sender) {
    if (sender == j) continue;
    for (const Named& m : set_7(n, r, i, sender)) {
      if (std::get<3>(m) == j) set.insert(m);
    }
  }
  return set;
}

/// Set (8) as printed; with `turned`, with the sign of its rotated sum changed.
std::set<Named> printed_8(Node n, Node r, Node i, Node j, bool turned) {
  std::set<Named> set;
  for (Node l = 1; l < n; ++l) {
    const Node by = plus(n - 1, r - 1, l);
    set.insert({i, turned ? minus(n, j, by) : plus(n, j, by), plus(n, i, l), j});
  }
  return set;
}

/// The correct set (8).
std::set<Named> true_8(Node n, Node r, Node i, Node j) {
  std::set<Named> set;
  for (Node l = 1; l < n; ++l) {
    set.insert({i, minus(n, j, l), plus(n, i, plus(n - 1, r - 1, l)), j});
  }
  return set;
}

}  // namespace

TEST_CASE("set (8) of paper 5 as printed is not what set (7) brings") {
  for (Node n = 3; n <= 7; ++n) {
    CAPTURE(n);
    CHECK(printed_8(n, 1, 1, 1, false) != received(n, 1, 1, 1));
  }
  // Changing the sign is enough for n = 3 and for r = 1, but not for more.
  CHECK(printed_8(3, 2, 1, 1, true) == received(3, 2, 1, 1));
  CHECK(printed_8(4, 1, 1, 1, true) == received(4, 1, 1, 1));
  CHECK(printed_8(4, 2, 1, 1, true) != received(4, 2, 1, 1));
}

TEST_CASE("set (8) of paper 5 with the sums exchanged is what set (7) brings") {
  for (Node n = 2; n <= 7; ++n) {
    for (Node r = 1; r < n; ++r) {
      for (Node i = 1; i <= n; ++i) {
        for (Node j = 1; j <= n; ++j) REQUIRE(true_8(n, r, i, j) == received(n, r, i, j));
      }
    }
  }
}

TEST_CASE("the exchanges of a2 in B follow set (7) of Dimakopoulos-Dimopoulos 1998") {
  for (const Node n : {3, 4, 5}) {
    const Schedule schedule =
        kA2.plan(total_exchange_on(fmt::format("ghc:{0}x{0}", n), PortModel::All));
    for (Node r = 1; r < n; ++r) {
      const auto before = places_after(schedule, r - 1), after = places_after(schedule, r);
      for (Node i = 1; i <= n; ++i) {
        for (Node j = 1; j <= n; ++j) {
          for (const auto& [vi, uj, vk, ul] : set_7(n, r, i, j)) {
            const Message m{vi - 1 + n * (uj - 1), vk - 1 + n * (ul - 1)};
            CAPTURE(n, r, i, j, vk, ul);
            CHECK(before.at(m) == m.origin);
            CHECK(after.at(m) == vi - 1 + n * (ul - 1));
          }
        }
      }
    }
  }
}

TEST_CASE("a2 is not optimal on tori of rings of 6 or 10, where the bound of the ring is rounded") {
  const auto [n, a2, fewest] =
      GENERATE(table<Node, std::uint32_t, std::uint32_t>({{6, 30, 27}, {10, 130, 125}}));
  const Request request = total_exchange_on(fmt::format("torus:{0}x{0}", n), PortModel::All);
  const Schedule schedule = checked(kA2, request);
  CHECK(schedule.rounds() == a2);
  CHECK(checked(kEdgeColouring, request).rounds() == fewest);
  CHECK(bound_of(schedule) == fewest);
}

TEST_CASE("a2 is optimal on two different dimensions of equal size that reach bound (4)") {
  for (const char* topology :
       {"product:ring:4,path:4", "product:path:5,ring:5", "product:complete:6,path:6",
        "product:ring:7,complete:7", "product:ring:4,complete:4,path:4,ring:4"}) {
    CAPTURE(topology);
    const Schedule schedule = checked(kA2, total_exchange_on(topology, PortModel::All));
    CHECK(schedule.rounds() == bound_of(schedule));
  }
}

namespace {

Schedule a1_on(const std::string& topology) {
  return checked(kA1, total_exchange_on(topology, PortModel::Single));
}

}  // namespace

TEST_CASE("a1 finds the translations of circulant graphs of any links") {
  std::mt19937 random(8);
  for (int trial = 0; trial < 40; ++trial) {
    const Node n = 5 + random() % 20;
    std::vector<Edge> edges;
    for (const Node step : {Node{1}, static_cast<Node>(2 + random() % (n - 3))}) {
      for (Node x = 0; x < n; ++x) edges.emplace_back(x, (x + step) % n);
    }
    Request request = total_exchange_on("ring:3", PortModel::Single);
    request.topology = Topology("circulant", {graph_of_edges("circulant", n, edges)});
    const Schedule schedule = checked(kA1, request);
    CHECK(schedule.rounds() == bound_of(schedule));
  }
}

TEST_CASE("after lines 1 to 3 of a1 every node has what copies of A have for its own copy") {
  for (const char* spec : {"torus:4x3", "mesh:3x4", "product:path:3,ring:5", "ghc:3x3"}) {
    const Schedule schedule = a1_on(spec);
    const Topology& topology = schedule.topology();
    const Node n1 = topology.factors()[0].nodes;
    const Request exchange_in_b{Topology::parse(topology.factors()[1].spec),
                                Collective::TotalExchange,
                                PortModel::Single,
                                Duplex::Full,
                                0,
                                {}};
    const auto rounds = static_cast<std::uint32_t>(n1 * kA1.formula(exchange_in_b).rounds);
    CAPTURE(spec, rounds);
    for (const auto& [message, place] : places_after(schedule, rounds)) {
      const Node expected = message.origin % n1 + message.destination / n1 * n1;
      REQUIRE(place == expected);
    }
  }
}

TEST_CASE("the tables of a1 stay short where its rounds grow") {
  const auto [topology, rounds, most_segments] =
      GENERATE(table<std::string, std::uint32_t, std::size_t>(
          {{"torus:8x8", 256, 24}, {"torus:16x16", 2048, 64}, {"torus:16x16x16", 49152, 512}}));
  const Schedule schedule = kA1.plan(total_exchange_on(topology, PortModel::Single));
  const CompiledSchedule compiled = compile(schedule, 1, schedule.topology().ports());
  const NodeProgram& program = compiled.image.programs[0];
  CAPTURE(topology);
  CHECK(schedule.rounds() == rounds);
  CHECK(program.slots.size() <= 2 * schedule.topology().factors().size());
  CHECK(program.channels[0].size() <= most_segments);
}

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
