#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>

#include "algorithms/registry.hpp"
#include "bounds/bounds.hpp"
#include "bounds/claims.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"

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
