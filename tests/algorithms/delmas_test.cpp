#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/common/all.hpp"
#include "algorithms/delmas_perennes/delmas_perennes.hpp"
#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "schedule/schedule.hpp"

namespace delmas_test {

using gossamer::Node;
using gossamer::Request;
using gossamer::Schedule;
using gossamer::Topology;
using gossamer::Transfer;

inline Request gossip_on(const std::string& topology) {
  return {Topology::parse(topology),
          gossamer::Collective::Gossip,
          gossamer::PortModel::All,
          gossamer::Duplex::Full,
          /*root=*/0,
          /*cycle=*/{}};
}

inline gossamer::delmas_perennes::Cost cost(unsigned i, bool split) {
  using namespace gossamer::delmas_perennes;
  return gossamer::delmas_perennes::cost(steps(kPaperCode, i, split));
}

/// A node of a torus with coordinates given as whole numbers, negative ones included.
inline Node node_at(const Topology& torus, int x1, int x2, int x3) {
  const int n = static_cast<int>(torus.factors()[0].nodes);
  const auto digit = [n](int x) { return static_cast<Node>(((x % n) + n) % n); };
  return digit(x1) + torus.stride(1) * digit(x2) + torus.stride(2) * digit(x3);
}

/// x1 + 2 x2 + 3 x3.
inline Node weight(const Topology& torus, Node x) {
  return torus.digit(x, 0) + 2 * torus.digit(x, 1) + 3 * torus.digit(x, 2);
}

inline std::string first_fault(const gossamer::CheckReport& report) {
  return report.ok() ? "none" : gossamer::to_string(report.faults.front());
}

struct RoundSums {
  std::size_t hops = 0;      ///< of the longest path
  std::size_t messages = 0;  ///< most on one path
  bool operator==(const RoundSums&) const = default;
};

/// Round by round. The checker accepts the schedule.
inline std::vector<RoundSums> sums_of_rounds(const Schedule& schedule) {
  const gossamer::CheckReport report = gossamer::check(schedule);
  CHECK(first_fault(report) == "none");
  std::vector<RoundSums> sums(schedule.rounds());
  for (std::size_t t = 0; t < schedule.transfers().size(); ++t) {
    const Transfer& transfer = schedule.transfers()[t];
    RoundSums& round = sums[transfer.round - 1];
    round.hops = std::max(round.hops, schedule.path(transfer).size() - 1);
    round.messages = std::max<std::size_t>(round.messages, report.carried[t]);
  }
  return sums;
}

}  // namespace delmas_test

// Formulas as printed in paper 2 against what its own recursion gives: evidence for
// docs/research/errata.md.

using delmas_test::cost;

namespace {

std::int64_t power_of_7(unsigned e) { return e == 0 ? 1 : 7 * power_of_7(e - 1); }

/// g_tau as printed, with N = 7^(3i), for `a` = 57 (proposition 5.17) or 22 (proposition 6.4) and
/// `b` = 7^3 or 19*7: [a/49 (7^(i-1) - 1) + b / 7^(2i) - 1 / 7^(3i)] N / 6.
/// Both quotients by 6 are whole, and 64 bits are enough up to i = 6.
std::int64_t printed(unsigned i, std::int64_t a, std::int64_t b) {
  const std::int64_t n = power_of_7(i);
  return a * ((power_of_7(i - 1) - 1) / 6) * (n * n * n / 49) + (b * n - 1) / 6;
}

std::int64_t tau(unsigned i, bool split) {
  return static_cast<std::int64_t>(cost(i, split).tau_sum);
}

/// The fewest rounds g that proposition 4.5 allows on TM(n)^3, n = 7^i: the first with
/// (2/6 + 2t - g) 7^(g-t) - 2/6 >= pi/N = floor(n^2/4) / (2n), where t = 3i. Both sides times 6n.
unsigned bound_of_proposition_4_5(unsigned i) {
  const std::int64_t n = power_of_7(i);
  const unsigned t = 3 * i;
  for (unsigned g = t; g <= 2 * t; ++g) {
    const std::int64_t left = (2 + 6 * std::int64_t{2 * t - g}) * power_of_7(g - t) * n - 2 * n;
    if (left >= 3 * (n * n / 4)) return g;
  }
  return 2 * t + 1;
}

}  // namespace

TEST_CASE("The steps of paper 2 satisfy its recursion for g_tau up to i = 6") {
  for (unsigned i = 1; i <= 6; ++i) {
    const std::int64_t nodes = power_of_7(3 * i);
    const std::int64_t inner = i == 1 ? 0 : 7 * tau(i - 1, false);
    const std::int64_t inner_split = i == 1 ? 0 : 7 * tau(i - 1, true);
    CHECK(tau(i, false) == inner + 1 + nodes / 49 + nodes / 7 + nodes);
    CHECK(tau(i, true) == inner_split + 1 + nodes / 49 + nodes / 7 + 2 * (nodes / 7));
  }
}

TEST_CASE("The corrected closed forms of g_tau hold up to i = 6") {
  for (unsigned i = 1; i <= 6; ++i) {
    const std::int64_t n = power_of_7(i);
    CHECK(48 * tau(i, false) == 57 * n * n * n - 49 * n - 8);
    CHECK(24 * tau(i, true) == 11 * n * n * n - 7 * n - 4);
  }
}

TEST_CASE("The printed closed forms of g_tau hold for i = 1 and 2 and are too large from i = 3") {
  for (unsigned i = 1; i <= 2; ++i) {
    CHECK(printed(i, 57, 343) == tau(i, false));
    CHECK(printed(i, 22, 133) == tau(i, true));
  }
  for (unsigned i = 3; i <= 6; ++i) {
    CHECK(printed(i, 57, 343) > tau(i, false));
    CHECK(printed(i, 22, 133) > tau(i, true));
  }
  CHECK(printed(3, 57, 343) == 375555216);
  CHECK(tau(3, false) == 47919558);
  CHECK(printed(3, 22, 133) == 144951171);
  CHECK(tau(3, true) == 18495303);
}

TEST_CASE("Charging each level with N of the whole torus gives the printed closed forms") {
  for (unsigned i = 1; i <= 6; ++i) {
    const std::int64_t nodes = power_of_7(3 * i);
    std::int64_t whole = 400;
    std::int64_t split = 155;
    for (unsigned j = 2; j <= i; ++j) {
      whole = 7 * whole + 1 + 57 * (nodes / 49);
      split = 7 * split + 1 + 22 * (nodes / 49);
    }
    CHECK(printed(i, 57, 343) == whole);
    CHECK(printed(i, 22, 133) == split);
  }
}

TEST_CASE("Proposition 4.5 allows fewer rounds than paper 2 needs") {
  CHECK(bound_of_proposition_4_5(1) == 3);
  CHECK(bound_of_proposition_4_5(2) == 7);
  CHECK(bound_of_proposition_4_5(3) == 10);
  for (unsigned i = 1; i <= 5; ++i) CHECK(bound_of_proposition_4_5(i) < cost(i, false).rounds);
}

// The code of paper 2 and the dipaths between its vertices, against brute force.

using namespace delmas_test;
using namespace gossamer::delmas_perennes;

namespace {

using Vector = std::array<int, 3>;

const Topology kTorus7 = Topology::parse("torus:7x7x7");

Node at(const Vector& v) { return node_at(kTorus7, v[0], v[1], v[2]); }

/// B_1 without 0, in the order of the tables: e1, -e1, e2, -e2, e3, -e3.
const std::array<Vector, 6> kUnitVectors = {
    {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};

std::vector<Dipath> gossip_dipaths_a() { return with_opposites(kPaperCode.gossip[0]); }
std::vector<Dipath> gossip_dipaths_b() { return with_opposites(kPaperCode.gossip[1]); }

Vector end_of(const Dipath& dipath) {
  Vector sum{};
  for (const Direction hop : dipath) sum[std::abs(hop) - 1] += hop > 0 ? 1 : -1;
  return sum;
}

std::vector<Node> code_vertices() {
  std::vector<Node> code;
  for (Node x = 0; x < kTorus7.nodes(); ++x) {
    if (weight(kTorus7, x) % 7 == 0) code.push_back(x);
  }
  return code;
}

/// The arcs that a dipath from `x` uses, each as node and port.
std::vector<std::pair<Node, gossamer::Port>> arcs(Node x, const Dipath& dipath) {
  std::vector<std::pair<Node, gossamer::Port>> used;
  for (const Direction hop : dipath) {
    const Node next = kTorus7.translate(x, at(end_of({hop})));
    used.emplace_back(x, kTorus7.port_to(x, next));
    x = next;
  }
  return used;
}

/// How many arcs the translations by the code use, and how many of them more than once.
struct Use {
  std::size_t arcs = 0;
  std::size_t clashes = 0;
};

Use use_of(std::span<const Dipath> dipaths) {
  std::set<std::pair<Node, gossamer::Port>> used;
  Use use;
  for (const Node x : code_vertices()) {
    for (const Dipath& dipath : dipaths) {
      for (const auto& arc : arcs(x, dipath)) {
        ++use.arcs;
        if (!used.insert(arc).second) ++use.clashes;
      }
    }
  }
  return use;
}

/// A set of arcs up to translation by the code: a bit for each axis, direction and colour of the
/// tail.
using ArcSet = std::uint64_t;

/// The arcs of every walk from 0 to `end` of at most `hops` hops that uses no arc twice.
void walks(Node end, unsigned hops, Node at_node, ArcSet used, std::vector<ArcSet>& found) {
  if (at_node == end) found.push_back(used);
  if (hops == 0) return;
  for (gossamer::Port p = 0; p < kTorus7.ports(); ++p) {
    const ArcSet arc = ArcSet{1} << (7 * p + weight(kTorus7, at_node) % 7);
    if (used & arc) continue;
    walks(end, hops - 1, kTorus7.peer(at_node, p).node, used | arc, found);
  }
}

/// Can one walk be chosen from each list so that no arc is used twice?
bool can_be_disjoint(std::span<const std::vector<ArcSet>> lists, ArcSet used = 0) {
  if (lists.empty()) return true;
  return std::any_of(lists[0].begin(), lists[0].end(), [&](ArcSet walk) {
    return (walk & used) == 0 && can_be_disjoint(lists.subspan(1), used | walk);
  });
}

bool serves(std::span<const Dipath> dipaths, unsigned hops) {
  std::vector<std::vector<ArcSet>> lists;
  for (const Dipath& dipath : dipaths) {
    walks(at(end_of(dipath)), hops, 0, 0, lists.emplace_back());
  }
  return can_be_disjoint(lists);
}

/// -u reached by walking the dipath to u from its end to its beginning.
Dipath reversed(const Dipath& dipath) {
  Dipath back(dipath.rbegin(), dipath.rend());
  for (Direction& hop : back) hop = static_cast<Direction>(-hop);
  return back;
}

}  // namespace

TEST_CASE("Dipaths of one round, translated by the code, have no arc in common") {
  const Use a = use_of(gossip_dipaths_a());
  CHECK(a.arcs == 49 * 2 * (3 + 5 + 4));
  CHECK(a.clashes == 0);
  const Use b = use_of(gossip_dipaths_b());
  CHECK(b.arcs == 49 * 2 * (4 + 5 + 5));
  CHECK(b.clashes == 0);
}

TEST_CASE("The opposite dipath keeps the order of its legs: walked backwards they would clash") {
  for (const auto& dipaths : {gossip_dipaths_a(), gossip_dipaths_b()}) {
    std::vector<Dipath> both_ways;
    for (std::size_t d = 0; d < dipaths.size(); d += 2) {
      both_ways.push_back(dipaths[d]);
      both_ways.push_back(reversed(dipaths[d]));
      CHECK(at(end_of(both_ways.back())) == at(end_of(dipaths[d + 1])));
    }
    CHECK(use_of(both_ways).clashes > 0);
  }
}

TEST_CASE("Round 2-b clashes if the legs of its first or third dipath are exchanged") {
  const std::size_t first = GENERATE(0u, 4u);  // a dipath, followed by its opposite
  std::vector<Dipath> dipaths = gossip_dipaths_b();
  for (const std::size_t d : {first, first + 1}) std::ranges::reverse(dipaths[d]);
  CHECK(use_of(dipaths).clashes > 0);
}

TEST_CASE("No dipaths of at most 4 hops serve round 2-a") {
  CHECK_FALSE(serves(gossip_dipaths_a(), 4));
  CHECK(serves(gossip_dipaths_a(), 5));
}

TEST_CASE("The families' dilated sub-tori of 49x49x49 share no arc but cross at nodes") {
  const Topology torus = Topology::parse("torus:49x49x49");
  // Each code vertex walks 7 hops along every axis to the next vertex of its family.
  std::vector<unsigned> arc_uses(torus.nodes() * std::size_t{3}, 0);
  std::vector<std::set<Node>> families(torus.nodes());
  for (Node x = 0; x < torus.nodes(); ++x) {
    if (weight(torus, x) % 7 != 0) continue;
    const Node family = torus.digit(x, 0) % 7 + 7 * (torus.digit(x, 1) % 7);
    for (unsigned axis = 0; axis < 3; ++axis) {
      Node walker = x;
      for (int hop = 0; hop < 7; ++hop) {
        ++arc_uses[walker * std::size_t{3} + axis];
        families[walker].insert(family);
        walker = torus.translate(walker, torus.stride(axis));
      }
    }
  }
  CHECK(std::count(arc_uses.begin(), arc_uses.end(), 1u) ==
        static_cast<std::ptrdiff_t>(arc_uses.size()));
  // (-2,0,0) lies between (0,0,0) and (-7,0,0), and between (-2,1,0) and (-2,-6,0).
  CHECK(families[node_at(torus, -2, 0, 0)].size() > 1);
}

// Gossip on TM(7^i)^3 in 4i rounds (Delmas-Perennes 1996, section 5).

using gossamer::kDelmasPerennes;
using gossamer::OriginSets;
using gossamer::delmas_perennes::Cost;

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

// Gossip on TM(7^i)^3 for large messages (Delmas-Perennes 1996, section 6).

using gossamer::kDelmasPerennesSplit;
using gossamer::delmas_perennes::Cost;

TEST_CASE("The checker accepts the gossip in pieces with the sums of the recursion") {
  const unsigned i = GENERATE(1u, 2u);
  const Request request = gossip_on(i == 1 ? "torus:7x7x7" : "torus:49x49x49");
  const auto report = gossamer::check(kDelmasPerennesSplit.plan(request));
  CHECK(first_fault(report) == "none");
  CHECK(report.rounds == kDelmasPerennesSplit.formula(request).rounds);
  CHECK(Cost{report.rounds, report.delta_sum, report.tau_sum} == cost(i, /*split=*/true));
  CHECK(report.delivered ==
        std::uint64_t{request.topology.nodes()} * (request.topology.nodes() - 1));
}
