// Gossip around perfect Lee codes: the codes, their dipaths, the search that found them, and the
// schedules.

#include "algorithms/lee_code/lee_code.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <set>

#include "algorithms/delmas_perennes/delmas_perennes.hpp"
#include "algorithms/lee_code/search.hpp"
#include "best_algorithm.hpp"
#include "bounds/bounds.hpp"
#include "delmas_play.hpp"
#include "support/error.hpp"

using namespace delmas_test;
using namespace gossamer::lee_code;
using gossamer::kDelmasPerennes;
using gossamer::kLeeCode;
namespace lee = gossamer::lee_code;

namespace {

using Vector = std::vector<int>;

/// All vectors with coordinates from 0 to side-1.
std::vector<Vector> box(const Code& code) {
  std::vector<Vector> all = {{}};
  for (unsigned j = 0; j < code.dimensions; ++j) {
    std::vector<Vector> longer;
    for (const Vector& x : all) {
      for (int v = 0; v < static_cast<int>(code.side); ++v) {
        longer.push_back(x);
        longer.back().push_back(v);
      }
    }
    all = longer;
  }
  return all;
}

Vector moved(Vector x, gossamer::lee_code::Hop hop) {
  x[std::abs(hop) - 1] += hop > 0 ? 1 : -1;
  return x;
}

Vector modulo_side(const Code& code, Vector x) {
  const int side = static_cast<int>(code.side);
  for (int& v : x) v = ((v % side) + side) % side;
  return x;
}

std::size_t longest(const std::vector<Dipath>& dipaths) {
  std::size_t hops = 0;
  for (const Dipath& dipath : dipaths) hops = std::max(hops, dipath.size());
  return hops;
}

/// Planned and checked; rounds, hops and messages equal those of the steps, and rounds the
/// formula's.
Cost checked(const std::string& topology) {
  CAPTURE(topology);
  const Request request = gossip_on(topology);
  REQUIRE_FALSE(kLeeCode.refuses(request));
  const auto report = gossamer::check(kLeeCode.plan(request));
  CHECK(first_fault(report) == "none");
  CHECK(report.rounds == kLeeCode.formula(request).rounds);
  CHECK(report.delta_sum == kLeeCode.formula(request).delta_sum);
  const Cost found{report.rounds, report.delta_sum, report.tau_sum};
  CHECK(found == cost(steps(choose(request.topology))));
  const std::uint64_t n = request.topology.nodes();
  CHECK(report.delivered == n * (n - 1));
  return found;
}

}  // namespace

TEST_CASE("lee-code: a node and its neighbours have all colours, so that the code is perfect") {
  for (const Code& code : lee::codes()) {
    CAPTURE(code.dimensions, code.side);
    for (const Vector& x : box(code)) {
      std::set<unsigned> colours = {colour(code, x)};
      for (int axis = 1; axis <= static_cast<int>(code.dimensions); ++axis) {
        colours.insert(colour(code, moved(x, static_cast<lee::Hop>(axis))));
        colours.insert(colour(code, moved(x, static_cast<lee::Hop>(-axis))));
      }
      REQUIRE(colours.size() == code.colours());
      REQUIRE(*colours.rbegin() == code.colours() - 1);
    }
  }
}

TEST_CASE("lee-code: ends of the dipaths, one of each round, add up to each vertex once") {
  for (const Code& code : lee::codes()) {
    CAPTURE(code.dimensions, code.side);
    std::multiset<Vector> sums = {Vector(code.dimensions, 0)};
    for (const auto& round : code.gossip) {
      std::multiset<Vector> longer = sums;
      for (const Dipath& dipath : round) {
        for (const Dipath& way : {dipath, opposite(dipath)}) {
          for (Vector sum : sums) {
            for (const lee::Hop hop : way) sum = moved(sum, hop);
            longer.insert(modulo_side(code, sum));
          }
        }
      }
      sums = longer;
    }
    std::multiset<Vector> vertices;
    for (const Vector& x : box(code)) {
      if (colour(code, x) == 0) vertices.insert(x);
    }
    CHECK(sums == vertices);
  }
}

TEST_CASE("lee-code: dipaths of one round, translated by the code, have no arc in common") {
  for (const Code& code : lee::codes()) {
    for (const auto& round : code.gossip) {
      REQUIRE(round.size() == code.dimensions);
      std::set<std::pair<unsigned, int>> arcs;  // colour of the tail, hop
      for (const Dipath& dipath : round) {
        for (const Dipath& way : {dipath, opposite(dipath)}) {
          Vector x(code.dimensions, 0);
          for (const lee::Hop hop : way) {
            CHECK(arcs.insert({colour(code, x), hop}).second);
            x = moved(x, hop);
          }
        }
      }
    }
  }
}

TEST_CASE("lee-code: the search finds the dipaths of the table, and none of fewer hops exist") {
  for (const Code& code : lee::codes()) {
    CAPTURE(code.dimensions, code.side);
    unsigned hops = 0;
    for (const auto& round : code.gossip) hops += static_cast<unsigned>(longest(round));
    CHECK(hops == least_hops(code));  // the farthest vertex must be reached
    const auto found = find_gossip(code, hops);
    REQUIRE(found);
    CHECK(*found == code.gossip);
    if (hops > 0) CHECK_FALSE(find_gossip(code, hops - 1));
  }
}

TEST_CASE("lee-code takes one hop less than paper 2 on 7x7x7, and 8 less on 49x49x49") {
  CHECK(checked("torus:7x7x7") == Cost{4, 11, 1 + 7 + 49 + 343});
  const Cost large = checked("torus:49x49x49");
  const auto paper = gossamer::delmas_perennes::cost(2, /*split=*/false);
  CHECK(large.rounds == paper.rounds);
  CHECK(large.delta_sum == paper.delta_sum - 8);
  CHECK(large.tau_sum == paper.tau_sum);
}

TEST_CASE("coarse rounds reach every offset once, in the rounds of the closed form") {
  for (Node a = 1; a <= 7; ++a) {
    for (Node b = 1; b <= 7; ++b) {
      for (Node c = 1; c <= 6; ++c) {
        CAPTURE(a, b, c);
        const Node sides[] = {a, b, c};
        std::multiset<Node> held = {0};
        const auto rounds = coarse_rounds(sides);
        for (const CoarseRound& round : rounds) {
          std::multiset<Node> next = held;
          std::set<lee::Hop> directions;
          for (const CoarseRoute& route : round) {
            for (const lee::Hop hop : route.dipath) CHECK(directions.insert(hop).second);
            const auto sent = lee::offsets(route.box, sides);
            CHECK(sent.size() == lee::size(route.box));
            CHECK(route.everything == (sent.size() == held.size()));
            for (const Node offset : sent) {
              REQUIRE(held.count(offset) == 1);
              std::vector<Node> x = {offset % a, offset / a % b, offset / a / b};
              for (const lee::Hop hop : route.dipath) {
                const std::size_t j = static_cast<std::size_t>(std::abs(hop)) - 1;
                x[j] = (x[j] + (hop > 0 ? sides[j] - 1 : 1)) % sides[j];
              }
              next.insert(x[0] + a * (x[1] + b * x[2]));
            }
          }
          held = next;
        }
        CHECK(held.size() == std::size_t{a} * b * c);
        CHECK(std::set<Node>(held.begin(), held.end()).size() == held.size());
        CHECK(rounds.size() == coarse_round_count(sides));
      }
    }
  }
}

TEST_CASE("lee-code broadcasts, scatters and gathers in one call a node, from any root") {
  const auto [topology, rounds, best] = GENERATE(table<std::string, std::uint32_t, bool>({
      {"ring:3", 1, true},
      {"ring:21", 3, true},  // 1, and 2 on a ring of 7
      {"torus:5x5", 2, true},
      {"torus:10x15", 4, true},
      {"torus:25x25", 4, true},
      {"torus:7x7x7", 3, true},
      {"torus:14x7x21", 5, false},
      {"torus:3x3x3x3", 2, true},
      {"torus:6x3x9x12", 6, false},
      {"torus:9x9x9x9", 4, true},
      {"ring:2", 1, true},
      {"ring:10", 3, true},
      {"torus:2x2x3", 3, false},
      {"torus:8x8", 4, false},  // no code: thirds alone
      {"torus:7x7", 4, false},
  }));
  CAPTURE(topology);
  gossamer::Request request = gossip_on(topology);
  for (const auto collective : {gossamer::Collective::Broadcast, gossamer::Collective::Scatter,
                                gossamer::Collective::Gather}) {
    for (const gossamer::Node root : {gossamer::Node{0}, request.topology.nodes() - 1}) {
      request.collective = collective;
      request.root = root;
      const auto schedule = kLeeCode.plan(request);
      const auto report = gossamer::check(schedule);
      CHECK(first_fault(report) == "none");
      CHECK(report.rounds == rounds);
      CHECK(kLeeCode.formula(request).rounds == rounds);
      CHECK(schedule.transfers().size() == request.topology.nodes() - 1);
      const auto least =
          gossamer::lower_bound_rounds(request.topology, collective, schedule.model(), root);
      CHECK((least == rounds) == best);
    }
  }
}
