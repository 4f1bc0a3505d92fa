// The code of paper 2 and the dipaths between its vertices, against brute force.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "algorithms/delmas_perennes/delmas_perennes.hpp"
#include "delmas_play.hpp"

using namespace delmas_test;
using namespace gossamer::delmas_perennes;

namespace {

using Vector = std::array<int, 3>;

const Topology kTorus7 = Topology::parse("torus:7x7x7");

Node at(const Vector& v) { return node_at(kTorus7, v[0], v[1], v[2]); }

/// Definition 5.5.
Vector times_m0(const Vector& v) { return {-2 * v[0] + v[2], v[0] + 2 * v[1] + 3 * v[2], v[1]}; }

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

TEST_CASE("The code of paper 2 is a perfect Lee code on 7x7x7 and 49x49x49") {
  const auto spec = GENERATE("torus:7x7x7", "torus:49x49x49");
  const Topology torus = Topology::parse(spec);
  std::size_t vertices = 0;
  std::size_t not_covered_once = 0;
  for (Node x = 0; x < torus.nodes(); ++x) {
    std::size_t centres = weight(torus, x) % 7 == 0;
    vertices += centres;
    for (gossamer::Port p = 0; p < torus.ports(); ++p) {
      centres += weight(torus, torus.peer(x, p).node) % 7 == 0;
    }
    not_covered_once += centres != 1;
  }
  CHECK(vertices == torus.nodes() / 7);
  CHECK(not_covered_once == 0);
}

TEST_CASE("The code vertices that paper 2 lists are in the code") {
  for (const Vector& v : {Vector{0, 0, 0}, Vector{-2, 1, 0}, Vector{2, -3, -1}}) {
    CHECK(weight(kTorus7, at(v)) % 7 == 0);
  }
}

TEST_CASE("The dipaths of rounds 2-a and 2-b lead to M0 B1 and M0^2 B1") {
  for (std::size_t d = 0; d < 6; ++d) {
    const Vector once = times_m0(kUnitVectors[d]);
    CHECK(end_of(unit_dipaths(3)[d]) == kUnitVectors[d]);
    CHECK(at(end_of(gossip_dipaths_a()[d])) == at(once));
    CHECK(at(end_of(gossip_dipaths_b()[d])) == at(times_m0(once)));
  }
}

TEST_CASE("The sums of M0 B1 and M0^2 B1 are the code, each vertex once") {
  std::multiset<Node> sums;
  std::vector<Vector> first = {{}};
  std::vector<Vector> second = {{}};
  for (const Dipath& dipath : gossip_dipaths_a()) first.push_back(end_of(dipath));
  for (const Dipath& dipath : gossip_dipaths_b()) second.push_back(end_of(dipath));
  for (const Vector& a : first) {
    for (const Vector& b : second) sums.insert(at({a[0] + b[0], a[1] + b[1], a[2] + b[2]}));
  }
  const std::vector<Node> code = code_vertices();
  CHECK(std::vector<Node>(sums.begin(), sums.end()) == code);
}

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
