// The gossip of paper 2 proved on the quotient: one node of each class, origins as trees.

#include <optional>

#include "algorithms/delmas_perennes/delmas_perennes.hpp"
#include "broken_rules.hpp"
#include "delmas_play.hpp"

using namespace delmas_test;
using gossamer::CheckReport;
using gossamer::kDelmasPerennes;
using gossamer::OriginSets;
using gossamer::Symmetry;
using gossamer::delmas_perennes::Cost;
using gossamer::delmas_perennes::cost;

namespace {

const char* torus_of(unsigned i) {
  return i == 1 ? "torus:7x7x7" : i == 2 ? "torus:49x49x49" : "torus:343x343x343";
}

Schedule gossip(unsigned i) { return kDelmasPerennes.plan(gossip_on(torus_of(i))); }

/// A copy, transfer by transfer; `change` receives the path of each, may change it, and returns
/// whether the transfer stays.
template <typename Change>
Schedule altered(const Schedule& schedule, Change change) {
  const Node n = schedule.topology().factors()[0].nodes;
  const Node generators[] = {(n - 2) + n, (n - 3) + n * n};
  Schedule copy(schedule.topology(), schedule.collective(), schedule.model(),
                Symmetry(schedule.topology(), generators));
  for (std::size_t t = 0; t < schedule.transfers().size(); ++t) {
    const auto path = schedule.path(schedule.transfers()[t]);
    std::vector<Node> nodes(path.begin(), path.end());
    if (change(t, nodes)) copy.add_everything(schedule.transfers()[t].round, nodes);
  }
  return copy;
}

/// Every transfer of every orbit separately, under the trivial symmetry.
Schedule expansion(const Schedule& schedule) {
  const Topology& topology = schedule.topology();
  Schedule all(topology, schedule.collective(), schedule.model());
  const std::vector<Node> elements = schedule.symmetry().elements();
  for (const Transfer& t : schedule.transfers()) {
    for (const Node by : elements) {
      std::vector<Node> path;
      for (const Node x : schedule.path(t)) path.push_back(topology.translate(x, by));
      all.add_everything(t.round, path);
    }
  }
  return all;
}

void check_equal(const CheckReport& a, const CheckReport& b) {
  CHECK(a.ok() == b.ok());
  CHECK(a.rounds == b.rounds);
  CHECK(a.delta_sum == b.delta_sum);
  CHECK(a.tau_sum == b.tau_sum);
  CHECK(a.transmissions == b.transmissions);
  CHECK(a.delivered == b.delivered);
  CHECK(a.expected == b.expected);
}

/// A transfer in the middle of the schedule, in a round of long dipaths.
std::size_t victim(const Schedule& schedule) {
  const auto transfers = schedule.transfers();
  std::size_t t = transfers.size() / 2;
  while (transfers[t].path_size < 4) ++t;
  return t;
}

}  // namespace

TEST_CASE("the gossip on 343x343x343 is proved on 343 classes with the sums of the recursion") {
  const Schedule schedule = gossip(3);
  CHECK(schedule.symmetry().classes() == 343);
  const CheckReport report = check(schedule);
  CHECK(first_fault(report) == "none");
  CHECK(Cost{report.rounds, report.delta_sum, report.tau_sum} == cost(3, /*split=*/false));
  CHECK(report.delivered == std::uint64_t{40353607} * 40353606);
}

TEST_CASE("quotient and explicit check of the gossip agree for i = 1 and 2") {
  const unsigned i = GENERATE(1u, 2u);
  const Schedule schedule = gossip(i);
  const CheckReport explicit_report = check(expansion(schedule));
  CHECK(gossamer::test::broken_rules(explicit_report) == "");
  check_equal(check(schedule, 20, OriginSets::Bits), explicit_report);
  check_equal(check(schedule, 20, OriginSets::Trees), explicit_report);
}

TEST_CASE("a dipath that is shifted takes arcs of another") {
  const unsigned i = GENERATE(1u, 2u, 3u);
  const Schedule schedule = gossip(i);
  const std::size_t chosen = victim(schedule);
  const Schedule wrong = altered(schedule, [&](std::size_t t, std::vector<Node>& path) {
    if (t == chosen) {
      for (Node& x : path) x = schedule.topology().translate(x, 1);
    }
    return true;
  });
  const CheckReport report = check(wrong);
  CHECK(gossamer::test::broken_rules(report) != "");
  CHECK(report.delivered < report.expected);
  if (i == 1) check_equal(report, check(expansion(wrong)));
}

TEST_CASE("a dipath that makes a detour uses an arc twice") {
  const unsigned i = GENERATE(1u, 2u, 3u);
  const Schedule schedule = gossip(i);
  const std::size_t chosen = victim(schedule);
  const Schedule wrong = altered(schedule, [&](std::size_t t, std::vector<Node>& path) {
    if (t != chosen) return true;
    // Around a square before the first hop: the ends are the same, four more arcs are used.
    std::vector<Node> square;
    Node at = path[0];
    for (const unsigned port : {5, 3, 4, 2}) {
      at = schedule.topology().peer(at, port).node;
      square.push_back(at);
    }
    path.insert(path.begin() + 1, square.begin(), square.end());
    return true;
  });
  const CheckReport report = check(wrong);
  REQUIRE(gossamer::test::broken_rules(report) != "");
  CHECK(first_fault(report).find("this arc already carries") != std::string::npos);
  CHECK(report.delivered == report.expected);
  if (i == 1) check_equal(report, check(expansion(wrong)));
}

TEST_CASE("a transfer that is missing is missed in the end") {
  const unsigned i = GENERATE(1u, 2u, 3u);
  const Schedule schedule = gossip(i);
  const std::size_t chosen = victim(schedule);
  const Schedule wrong =
      altered(schedule, [&](std::size_t t, std::vector<Node>&) { return t != chosen; });
  const CheckReport report = check(wrong);
  REQUIRE(gossamer::test::broken_rules(report) != "");
  CHECK_THAT(first_fault(report),
             Catch::Matchers::Contains(" lack") && Catch::Matchers::Contains(" message"));
  CHECK(report.delivered < report.expected);
  if (i == 1) check_equal(report, check(expansion(wrong)));
}
