// Adaptive nodes and faults in SystemC and in the RTL: dead nodes, links and directions of all
// kinds, which the nodes do not know. Both must send the same flits in the same cycles, hold the
// same words at the end, and, if the schedule is not made for faults, raise the same errors.
#include <fmt/format.h>

#include <set>

#include "catch.hpp"
#include "driver/case.hpp"
#include "engines/prepared.hpp"
#include "runner/fabric_runner.hpp"
#include "side_by_side.hpp"

namespace gossamer::test {
namespace {

constexpr std::uint64_t kLimit = 3000;

Schedule planned(const std::string& algorithm, const std::string& topology, PortModel ports,
                 Collective collective = Collective::Gossip, Duplex duplex = Duplex::Full) {
  Case c;
  c.topology = topology;
  c.algorithm = algorithm;
  c.ports = ports;
  c.collective = collective;
  c.duplex = duplex;
  // A gossip has no root unless one node starts it.
  if (collective != Collective::Gossip && collective != Collective::TotalExchange) c.root = "2";
  if (algorithm == "chau-fu-initiated") c.root = "2";
  return make_plan(c).schedule;
}

/// Runs both; returns the errors of the nodes.
std::vector<NodeError> check_same(const Schedule& schedule, unsigned flits) {
  INFO("faults " << to_string(schedule.faults) << ", " << flits << " flits");
  const Port ports = schedule.topology().ports();
  const FabricImage image = prepare(schedule, flits, ports);
  Pair pair = load_both(prepare(schedule, flits, ports_of_tile(schedule)), image);
  REQUIRE(first_difference(pair, schedule.topology(), kLimit, Compare::NotData) == "");
  CHECK(pair.tile->done());
  CHECK(pair.model->flits_moved() == pair.tile->flits_moved());
  CHECK(log_difference(pair, image, ports) == "");
  CHECK(text(pair.model->errors()) == text(pair.tile->errors()));
  return pair.tile->errors();
}

FaultSet faults(const std::string& text, const Schedule& s, std::uint32_t seed) {
  return parse_faults(text, s.topology(), seed);
}

}  // namespace

TEST_CASE("adaptive nodes tolerate the same faults in SystemC as in the RTL") {
  using enum PortModel;
  const Schedule schedules[] = {
      planned("chau-fu", "hypercube:3", Single),
      planned("chau-fu", "hypercube:3", All),
      planned("chau-fu-initiated", "hypercube:3", Single),
      planned("chau-fu-initiated", "hypercube:3", All),
      planned("chau-fu", "hypercube:4", Single, Collective::Broadcast),
      planned("chau-fu", "hypercube:4", All, Collective::Broadcast),
  };
  for (Schedule s : schedules) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      s.faults = faults(fmt::format("random:{};from={}", 1 + seed % 7, 1 + seed % 5), s, seed);
      CHECK(check_same(s, 1 + seed % 3).empty());
    }
  }
}

TEST_CASE("the SystemC engine's run with faults is judged as any other") {
  Schedule s = planned("chau-fu-initiated", "hypercube:4", PortModel::All);
  s.faults = faults("nodes=3;links=0-1;arcs=5>4;from=2", s, 1);
  RunOptions options;
  options.flits = 3;
  RunResult results[2];
  for (const int systemc : {0, 1}) {
    options.engine = systemc ? "systemc" : "tile";
    results[systemc] = tb::FabricRunner().run(s, options);
    CHECK(results[systemc].problems == std::vector<std::string>{});
    CHECK(results[systemc].link_cycles_checked > 0);
  }
  CHECK(results[1].cycles_measured == results[0].cycles_measured);
  CHECK(results[1].flits_moved == results[0].flits_moved);
  CHECK(results[1].delivered == results[0].delivered);
  CHECK(results[1].words_checked == results[0].words_checked);
}

TEST_CASE("nodes that are not adaptive miss the same under faults in SystemC as in the RTL") {
  using enum Collective;
  const Schedule schedules[] = {
      planned("ring", "ring:6", PortModel::Single),
      planned("ring", "ring:5", PortModel::Single, Gossip, Duplex::Half),
      planned("product", "hypercube:3", PortModel::Single, Gossip, Duplex::Half),
      planned("translation", "torus:3x3", PortModel::All),
      planned("bertsekas", "hypercube:4", PortModel::All, TotalExchange),
      planned("delmas-perennes", "torus:7x7x7", PortModel::All),  // circuits
  };
  std::set<std::uint32_t> codes;
  for (Schedule s : schedules) {
    const std::uint32_t runs = s.topology().nodes() > 100 ? 2 : 20;
    for (std::uint32_t seed = 0; seed < runs; ++seed) {
      s.faults = faults(fmt::format("random:{};from={}", 1 + seed % 3, 1 + seed % 4), s, seed);
      for (const NodeError& e : check_same(s, 2)) codes.insert(e.first_code);
    }
  }
  CHECK(codes.contains(static_cast<std::uint32_t>(rtl::error_e::ERR_MISSING)));
  CHECK(codes.contains(static_cast<std::uint32_t>(rtl::error_e::ERR_UNWRITTEN)));
}

}  // namespace gossamer::test
