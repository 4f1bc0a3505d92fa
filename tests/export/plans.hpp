#pragma once

#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "driver/case.hpp"
#include "tables/programs.hpp"

namespace export_test {

/// The schedule that `gossamer plan` would compute.
inline gossamer::Schedule planned(const std::string& topology, const std::string& algorithm,
                                  const std::string& collective) {
  gossamer::Case c;
  c.topology = topology;
  c.algorithm = algorithm;
  c.collective = gossamer::parse_collective(collective);
  c.flits_given = false;
  return gossamer::make_plan(c).schedule;
}

/// What a user asks for.
inline gossamer::Case asked(const std::string& topology, gossamer::Collective collective,
                            gossamer::PortModel ports, gossamer::Duplex duplex, unsigned flits,
                            const std::string& stages = "0", const std::string& algorithm = "") {
  gossamer::Case c;
  c.topology = topology;
  c.algorithm = algorithm;
  c.collective = collective;
  c.ports = ports;
  c.duplex = duplex;
  c.flits = flits;
  c.stages = gossamer::LinkStages::parse(stages);
  return c;
}

/// A fabric for one schedule.
inline std::vector<gossamer::Program> alone(const gossamer::Schedule& schedule, unsigned flits,
                                            const gossamer::PortStages& stages = {},
                                            std::uint32_t seed = 1) {
  return {{.schedule = &schedule, .flits = flits, .stages = stages, .seed = seed}};
}

/// A schedule of every algorithm in every collective and model that it serves, on the first sample
/// where it does; without those whose content is decided at run time, and, unless `sums`, those
/// that reduce.
inline std::vector<gossamer::Schedule> of_every_model(bool sums = false) {
  using namespace gossamer;
  std::vector<Schedule> all;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.tolerates != nullptr) continue;
    for (const Serves& served : algorithm.serves) {
      if (reduces(served.collective) && !sums) continue;
      for (const char* sample : kSampleTopologies) {
        const Request request{.topology = Topology::parse(sample),
                              .collective = served.collective,
                              .ports = served.ports,
                              .duplex = served.duplex};
        if (algorithm.refuses(request)) continue;
        all.push_back(algorithm.plan(request));
        break;
      }
    }
  }
  return all;
}

/// "scatter on ring:8 by any-graph, all ports, half duplex"
inline std::string title(const gossamer::Schedule& s) {
  std::string text(to_string(s.collective()));
  text += " on " + s.topology().spec() + " by " + s.algorithm + ", ";
  text += std::string(to_string(s.model().ports)) + " ports, ";
  return text + std::string(to_string(s.model().duplex)) + " duplex";
}

}  // namespace export_test
