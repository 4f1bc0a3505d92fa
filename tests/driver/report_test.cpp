// What only a schedule of its own can show; reports on wrong runs and plans are in
// tests/judges/written_reports.cpp.
#include "driver/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "fake_runner.hpp"
#include "refusal.hpp"

using namespace gossamer;

namespace {

constexpr Model kSingle{PortModel::Single, Duplex::Full, Switching::Packet, true};

/// The case and plan of a schedule whose lines a test adds.
struct Own {
  Case asked;
  Plan plan;

  Own(const std::string& topology, unsigned flits)
      : plan{Schedule(Topology::parse(topology), Collective::Gossip, kSingle), {}} {
    asked.topology = topology;
    asked.flits = flits;
  }
};

}  // namespace

TEST_CASE("Cycles below the lower bound are a problem, and cycles that meet it are none") {
  // As many rounds as the bound asks for, but with a message of one node alone in each.
  Own light("hypercube:3", 16);
  for (Node round = 1; round <= 3; ++round) light.plan.schedule.add_hop(round, 0, 1u << (round - 1), 0);
  const Facts below = examine(light.asked, light.plan, /*ignore_faults=*/true);
  REQUIRE(below.cycles_predicted().has_value());
  REQUIRE(below.cycles_bound.has_value());
  CHECK(*below.cycles_predicted() < below.cycles_bound->value);
  CHECK(below.problems == std::vector<std::string>{fmt::format(
                              "{} cycles predicted are below the lower bound {} ({})",
                              *below.cycles_predicted(), below.cycles_bound->value,
                              below.cycles_bound->source)});
  // Two nodes that send each other a message take as long as one hop and the flits do.
  Own meets("path:2", 16);
  for (const Node x : {0, 1}) meets.plan.schedule.add_hop(1, x, 1 - x, x);
  const Facts met = examine(meets.asked, meets.plan);
  CHECK(met.cycles_predicted() == met.cycles_bound->value);
  CHECK(met.problems.empty());
}

TEST_CASE("A run of adaptive nodes that is forced says what was refused, and compares no numbers") {
  Own own("hypercube:2", 4);
  for (const Node to : {1u, 2u}) own.plan.schedule.add_new(1, std::vector<Node>{0, to});
  FakeRunner runner([](const Schedule&, RunResult& result) { result.expected = 12; });
  Facts report = examine(own.asked, own.plan, /*ignore_faults=*/true);
  REQUIRE_FALSE(report.check.ok());
  RunOptions options;
  options.flits = own.asked.flits;
  measure(report, runner, options);
  for (const std::string& p : report.problems) CHECK(p.find("by the checker") == std::string::npos);
  const auto json = to_json(report, /*measured=*/true);
  REQUIRE(json["refused"].size() == report.check.faults.size());
  CHECK(json["refused"][0] == to_string(report.check.faults[0]));
  for (const std::vector<Node>& path : {std::vector<Node>{0, 1, 3}, {0, 1, 0}, {0, 1, 3, 2, 0}}) {
    Own far("hypercube:2", 4);
    far.plan.schedule.add_new(1, path, 2);
    Facts refused = examine(far.asked, far.plan, /*ignore_faults=*/true);
    CHECK_FALSE(refused.cycles_predicted().has_value());
    CHECK(refusal([&] { measure(refused, runner, options); }) ==
          "line 2, round 1, link 0-1: an adaptive node cannot send over several links at once");
  }
}
