#include "algorithms/tdm/tdm_search.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "algorithms/registry.hpp"
#include "best_algorithm.hpp"
#include "bounds/bounds.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"

using namespace gossamer;

namespace {

/// Slots of the best schedules known for 3x3 ... 12x12.
const std::map<Node, std::uint32_t> kSlots = {{3, 9},  {4, 17}, {5, 26},   {6, 38},   {7, 51},
                                              {8, 67}, {9, 93}, {10, 128}, {11, 168}, {12, 219}};

Request exchange_on(const std::string& topology) {
  Request request{.topology = Topology::parse(topology), .cycle = {}};
  request.collective = Collective::TotalExchange;
  return request;
}

Request exchange_on(Node side) { return exchange_on(fmt::format("torus:{0}x{0}", side)); }

std::uint64_t bound(const Request& request, const Schedule& schedule) {
  return lower_bound_rounds(request.topology, Collective::TotalExchange, schedule.model());
}

void check_accepted(const Schedule& schedule) {
  const CheckReport report = check(schedule);
  CAPTURE(report.faults.empty() ? "" : to_string(report.faults.front()));
  CHECK(test::broken_rules(report) == "");
  const std::uint64_t nodes = schedule.topology().nodes();
  CHECK(report.delivered == nodes * (nodes - 1));
}

/// Counted by hand, without checker and orbits: no node injects or receives twice in a slot, no
/// link is used twice, every node receives a message of every other. Returns 1 + last - first link
/// slot.
std::uint32_t slots_by_hand(const Schedule& schedule) {
  const Topology& topology = schedule.topology();
  std::set<std::pair<std::uint32_t, Node>> injections, arrivals;
  std::set<std::tuple<std::uint32_t, Node, Node>> links;
  std::set<std::pair<Node, Node>> served;
  std::uint32_t first = ~0u, last = 0;
  for (const Transfer& t : schedule.transfers()) {
    for (Node shift = 0; shift < topology.nodes(); ++shift) {
      std::vector<Node> path;
      for (const Node x : schedule.path(t)) path.push_back(topology.translate(x, shift));
      const auto hops = static_cast<std::uint32_t>(path.size() - 1);
      CHECK(injections.insert({t.round, path.front()}).second);
      CHECK(arrivals.insert({t.round + hops - 1, path.back()}).second);
      CHECK(served.insert({path.front(), path.back()}).second);
      for (std::uint32_t h = 0; h < hops; ++h) {
        CHECK(links.insert({t.round + h, path[h], path[h + 1]}).second);
      }
      first = std::min(first, t.round);
      last = std::max(last, t.round + hops - 1);
    }
  }
  CHECK(served.size() == std::size_t{topology.nodes()} * (topology.nodes() - 1));
  return 1 + last - first;
}

}  // namespace

TEST_CASE("tdm-search: the table's schedules are accepted and as short as the bound") {
  for (const auto& [side, slots] : kSlots) {
    CAPTURE(side);
    const Request request = exchange_on(side);
    REQUIRE_FALSE(kTdmSearch.refuses(request));
    const Schedule schedule = kTdmSearch.plan(request);
    check_accepted(schedule);
    CHECK(check(schedule).rounds == slots);
    CHECK(kTdmSearch.formula(request).rounds == slots);
    CHECK(bound(request, schedule) == slots);
  }
}

TEST_CASE("tdm-search: slots, links and ports counted by hand") {
  const Node side = GENERATE(3, 4, 5, 6, 7, 8);
  CAPTURE(side);
  CHECK(slots_by_hand(kTdmSearch.plan(exchange_on(side))) == kSlots.at(side));
}

TEST_CASE("tdm-search: the table is never longer than S4NOC's, and shorter than Poseidon's") {
  // The slots of S4NOC's tables, and those that Poseidon reports, for 3x3 ... 10x10.
  constexpr std::array<std::uint32_t, 8> kS4noc = {9, 18, 26, 41, 57, 86, 112, 156};
  constexpr std::array<std::uint32_t, 8> kPoseidon = {10, 19, 30, 43, 61, 85, 113, 151};
  for (Node side = 3; side <= 10; ++side) {
    CHECK(kSlots.at(side) <= kS4noc[side - 3]);
    CHECK(kSlots.at(side) < kPoseidon[side - 3]);
  }
}

TEST_CASE("tdm-search: what it cannot serve is refused") {
  const auto reason = [](const Request& request) {
    return kTdmSearch.refuses(request).value_or("");
  };
  CHECK(reason(exchange_on("torus:13x13")).find("none of torus:13x13") != std::string::npos);
  CHECK(reason(exchange_on("torus:3x5")).find("none of torus:3x5") != std::string::npos);
  CHECK(reason(exchange_on("torus:3x3x3")).find("none of torus:3x3x3") != std::string::npos);
  CHECK(reason(exchange_on("torus:2x4")).find("none of torus:2x4") != std::string::npos);
  CHECK(reason(exchange_on("torus:33x33")).find("none of torus:33x33") != std::string::npos);
  CHECK(reason(exchange_on("mesh:4x4")).find("none of mesh:4x4") != std::string::npos);
  Request request = exchange_on(4);
  request.collective = Collective::Gossip;
  CHECK(reason(request).find("total-exchange only") != std::string::npos);
  request = exchange_on(4);
  request.ports = PortModel::All;
  CHECK(reason(request).find("single ports") != std::string::npos);
  request = exchange_on(4);
  request.duplex = Duplex::Half;
  CHECK(reason(request).find("full duplex") != std::string::npos);
}

TEST_CASE("tdm-search is taken by name only") {
  CHECK(best_algorithm(exchange_on(4)).name != kTdmSearch.name);
}
