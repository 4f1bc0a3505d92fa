// Statements printed in paper 5 against the truth: evidence for docs/research/errata.md.

#include <set>
#include <tuple>

#include "algorithms/common/all.hpp"
#include "paper5_play.hpp"

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
