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

Request request_for(const char* topology, Collective collective, unsigned flits,
                    PortModel ports = PortModel::All, Duplex duplex = Duplex::Full) {
  return {.topology = Topology::parse(topology),
          .collective = collective,
          .ports = ports,
          .duplex = duplex,
          .flits = flits};
}

std::uint64_t bound_of(const Request& request, const Schedule& schedule,
                       const PortStages& stages = {}) {
  return lower_bound_cycles(request.topology, request.collective, schedule.model(), request.root,
                            request.flits, stages)
      .value;
}

/// With half duplex, whichever the topology, the timing refuses links that turn at once.
constexpr std::pair<PortModel, Duplex> kModels[] = {{PortModel::All, Duplex::Full},
                                                    {PortModel::All, Duplex::Half},
                                                    {PortModel::Single, Duplex::Full},
                                                    {PortModel::Single, Duplex::Half}};

}  // namespace

TEST_CASE("cut-through keeps the rules and is no faster than the bound") {
  unsigned count = 0;
  for (const char* spec : test::kSmallGraphs) {
    for (const Collective collective : kAll) {
      for (const std::uint32_t stages : {0u, 2u}) {
        for (const unsigned flits : {1, 2, 3, 5, 8}) {
          for (const bool group : {false, true}) {
            const auto [ports, duplex] = kModels[count++ % std::size(kModels)];
            CAPTURE(spec, to_string(collective), stages, flits, group, to_string(ports),
                    to_string(duplex));
            Request request = request_for(spec, collective, flits, ports, duplex);
            const Node last = request.topology.nodes() - 1;
            request.hop = 1 + stages;
            request.root = last;
            if (group) request.members = Members({0, last}, request.topology);
            REQUIRE(!kCutThrough.refuses(request));
            const Schedule schedule = kCutThrough.plan(request);
            CHECK(test::broken_rules(schedule) == "");
            const std::uint32_t hop = schedule.model().hop_rounds;
            const bool swarm = collective == Collective::Broadcast;
            const bool by_cycles = ports == PortModel::All && !swarm && flits <= stages;
            CHECK(hop == (by_cycles ? 1 + stages : 1));
            CHECK(schedule.pieces() == (flits * hop + stages) / (1 + stages));
            const PortStages links(request.topology.ports(), stages);
            const auto time = timed(schedule, flits, nullptr, links)->time;
            CHECK(std::ranges::max(time.length) == (1 + stages) / hop);
            if (group) continue;
            CHECK(time.last_arrival >= bound_of(request, schedule, links));
          }
        }
      }
    }
  }
}

/// All collectives in messages of one flit; broadcasts, whose pieces go in opposite orders around a
/// ring; scatters and gathers through single ports.
TEST_CASE("cut-through meets the bound in cycles where it is said to") {
  const auto meets = [](const char* spec, Collective collective, unsigned flits, PortModel ports) {
    CAPTURE(spec, to_string(collective), flits, to_string(ports));
    const Request request = request_for(spec, collective, flits, ports);
    const Schedule schedule = kCutThrough.plan(request);
    CHECK(timed(schedule, flits)->time.last_arrival == bound_of(request, schedule));
  };
  for (const char* spec :
       {"torus:8x8", "torus:7x7x7", "mesh:8x8", "hypercube:6", "ring:16", "path:9"}) {
    for (const Collective collective : kAll) meets(spec, collective, 1, PortModel::All);
    meets(spec, Collective::Broadcast, 8, PortModel::All);
    for (const unsigned flits : {1u, 2u, 5u}) {
      meets(spec, Collective::Scatter, flits, PortModel::Single);
      meets(spec, Collective::Gather, flits, PortModel::Single);
    }
  }
}

TEST_CASE("over links with registers cut-through nearly meets the bound with few flits") {
  for (const char* spec : {"torus:8x8", "torus:4x4x4", "mesh:8x8", "hypercube:6", "ring:16"}) {
    for (const Collective collective : kAll) {
      if (collective == Collective::Broadcast) continue;
      for (const std::uint32_t stages : {1u, 2u, 5u}) {
        for (unsigned flits = 1; flits <= stages; ++flits) {
          CAPTURE(spec, to_string(collective), stages, flits);
          Request request = request_for(spec, collective, flits);
          request.hop = 1 + stages;
          const Schedule schedule = kCutThrough.plan(request);
          const PortStages links(request.topology.ports(), stages);
          const double cycles =
              static_cast<double>(timed(schedule, flits, nullptr, links)->time.last_arrival);
          CHECK(cycles <= 1.35 * static_cast<double>(bound_of(request, schedule, links)));
        }
      }
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
      "cut-through plans messages of 8 flits at most here"));
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
  request.collective = Collective::Broadcast;
  request.flits = 60'000;
  CHECK(!kCutThrough.refuses(request));
  request.sizes = Sizes(5, {1, 2, 3, 4, 5});
  CHECK(kCutThrough.refuses(request) == "cut-through serves messages that are equally long");
}

TEST_CASE("retimed steps: one on an arc in a round, each when its flit is there") {
  std::mt19937 random(1);
  for (unsigned run = 0; run < 200; ++run) {
    std::vector<cut_through::Step> steps(1 + random() % 60);
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
      steps[i].arc = random() % 8;
      if (i > 0 && random() % 4 != 0) steps[i].before = random() % i;
      steps[i].round = i;
    }
    // Links of two arcs each, or of one direction only.
    std::vector<std::uint32_t> reverse;
    if (run % 2 == 1) reverse = {1, 0, 3, 2, 5, 4, 7, 6};
    const std::uint32_t hop = 1 + run / 2 % 4;
    const auto rounds = cut_through::retimed(steps, reverse, hop);
    REQUIRE(rounds.size() == steps.size());
    std::set<std::pair<std::uint32_t, std::uint32_t>> used;
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
      CAPTURE(run, i);
      CHECK(rounds[i] > 0);
      CHECK(used.emplace(steps[i].arc, rounds[i]).second);
      if (steps[i].before == cut_through::kNoStep) continue;
      const std::uint32_t waits = rounds[i] - rounds[steps[i].before];
      CHECK((waits == hop || (waits >= hop + 2 && waits < 1000)));
    }
    CHECK(rounds == cut_through::retimed(steps, reverse, hop));
    for (const auto& [arc, round] : used) {
      if (reverse.empty()) continue;
      for (std::uint32_t later = 0; later <= hop; ++later) {
        CHECK(!used.contains({reverse[arc], round + later}));
      }
    }
  }
}
