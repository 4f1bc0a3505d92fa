// Collectives of few flits in slots of one hop's cycles: rules, bounds, and how close to them.
#include "algorithms/cut_through/cut_through.hpp"

#include <random>
#include <set>

#include "algorithms/cut_through/retiming.hpp"
#include "bounds/cycles.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "small_graphs.hpp"
#include "tables/timing.hpp"

using namespace gossamer;

namespace {

constexpr Collective kAll[] = {Collective::Gossip, Collective::TotalExchange, Collective::Broadcast,
                               Collective::Scatter, Collective::Gather};

Request request_for(const char* topology, Collective collective, unsigned flits) {
  return {.topology = Topology::parse(topology),
          .collective = collective,
          .ports = PortModel::All,
          .flits = flits};
}

}  // namespace

TEST_CASE("cut-through keeps the rules and is no faster than the bound") {
  for (const char* spec : test::kSmallGraphs) {
    for (const Collective collective : kAll) {
      for (const std::uint32_t stages : {0u, 2u}) {
        for (unsigned flits = 1; flits <= 8; ++flits) {
          for (const bool group : {false, true}) {
            CAPTURE(spec, to_string(collective), stages, flits, group);
            Request request = request_for(spec, collective, flits);
            const Node last = request.topology.nodes() - 1;
            request.hop = 1 + stages;
            request.root = last;
            if (group) request.members = Members({0, last}, request.topology);
            REQUIRE(!kCutThrough.refuses(request));
            const Schedule schedule = kCutThrough.plan(request);
            CHECK(test::broken_rules(schedule) == "");
            CHECK(schedule.pieces() == (flits + stages) / (1 + stages));
            const PortStages links(request.topology.ports(), stages);
            const auto time = timed(schedule, flits, nullptr, links)->time;
            CHECK(std::ranges::max(time.length) == 1 + stages);
            if (group) continue;
            CHECK(time.last_arrival >= lower_bound_cycles(request.topology, collective,
                                                          schedule.model(), request.root, flits,
                                                          stages)
                                           .value);
          }
        }
      }
    }
  }
}

TEST_CASE("cut-through meets the bound in cycles with messages of one flit") {
  for (const char* spec : {"torus:8x8", "torus:7x7x7", "torus:4x4x4", "mesh:8x8", "hypercube:6",
                           "ring:16", "path:9"}) {
    for (const Collective collective : kAll) {
      CAPTURE(spec, to_string(collective));
      const Request request = request_for(spec, collective, 1);
      const Schedule schedule = kCutThrough.plan(request);
      CHECK(timed(schedule, 1)->time.last_arrival ==
            lower_bound_cycles(request.topology, collective, schedule.model(), 0, 1).value);
    }
  }
}

TEST_CASE("cut-through leaves out the circles of packets") {
  // The packets of this scatter visit nodes twice.
  const Request request = request_for("torus:8x8", Collective::Scatter, 1);
  const Schedule schedule = kCutThrough.plan(request);
  std::uint64_t distances = 0;
  for (const std::uint32_t d : distances_from(Arcs(request.topology), 0)) distances += d;
  CHECK(check(schedule).transmissions < distances + distances / 4);
}

TEST_CASE("cut-through refuses what it cannot do, and says so") {
  Request request = request_for("ring:5", Collective::Gossip, 9);
  CHECK(kCutThrough.refuses(request).value().starts_with(
      "cut-through plans messages of 8 flits at most"));
  request.hop = 2;
  CHECK(!kCutThrough.refuses(request));
  request.pieces = 4;
  CHECK(kCutThrough.refuses(request) ==
        "cut-through cuts 9 flits into 5 pieces at least, and 9 at most");
  request.pieces = 9;
  CHECK(!kCutThrough.refuses(request));
  request.pieces = 10;
  CHECK(kCutThrough.refuses(request).has_value());
  request.pieces.reset();
  request.ports = PortModel::Single;
  CHECK(kCutThrough.refuses(request) == "cut-through uses all ports: ask for these");
  request.ports = PortModel::All;
  request.duplex = Duplex::Half;
  CHECK(kCutThrough.refuses(request) == "cut-through needs full-duplex links");
}

TEST_CASE("retimed steps: one on an arc in a round, each when its flit is there") {
  std::mt19937 random(1);
  for (unsigned run = 0; run < 200; ++run) {
    std::vector<cut_through::Step> steps(1 + random() % 60);
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
      steps[i].arc = random() % 7;
      if (i > 0 && random() % 4 != 0) steps[i].before = random() % i;
      steps[i].round = i;
    }
    const auto rounds = cut_through::retimed(steps);
    REQUIRE(rounds.size() == steps.size());
    std::set<std::pair<std::uint32_t, std::uint32_t>> used;
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
      CAPTURE(run, i);
      CHECK(rounds[i] > 0);
      CHECK(used.emplace(steps[i].arc, rounds[i]).second);
      if (steps[i].before == cut_through::kNoStep) continue;
      const std::uint32_t waits = rounds[i] - rounds[steps[i].before];
      CHECK((waits == 1 || (waits >= 3 && waits < 1000)));
    }
    CHECK(rounds == cut_through::retimed(steps));
  }
}
