// Collectives of few flits in slots of one hop's cycles: rules, bounds, and how close to them.
#include "algorithms/common/all.hpp"
#include "bounds/bounds.hpp"
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
            const auto time = timed(schedule, flits, links)->time;
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
