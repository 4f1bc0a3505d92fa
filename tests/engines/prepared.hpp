#pragma once

#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "fabric/payload.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"

namespace gossamer::test {

/// An algorithm's gossip on a topology.
inline Schedule plan(const std::string& topology, const std::string& name, Duplex duplex) {
  Request request{.topology = Topology::parse(topology), .cycle = {}};
  request.duplex = duplex;
  const Algorithm& chosen = algorithm(name);
  if (const auto why = chosen.refuses(request)) throw std::logic_error(*why);
  return chosen.plan(request);
}

/// A schedule by an algorithm, whatever the collective and the ports it is for.
inline Schedule plan_any(const std::string& topology, const std::string& name,
                         Collective collective, PortModel ports, unsigned flits = 1) {
  Request request{.topology = Topology::parse(topology), .cycle = {}};
  request.collective = collective;
  request.ports = ports;
  request.flits = flits;
  const Algorithm& chosen = algorithm(name);
  if (const auto why = chosen.refuses(request)) throw std::logic_error(*why);
  return chosen.plan(request);
}

/// The seed of the messages that prepare() puts into nodes.
inline constexpr std::uint32_t kPayloadSeed = 7;

/// A schedule compiled for nodes of `ports` ports, with own words; with a quotient, for its nodes.
inline FabricImage prepare(const Schedule& schedule, unsigned flits, Port ports,
                           std::shared_ptr<const Quotient> quotient = nullptr,
                           const PortStages& stages = {}) {
  FabricImage image =
      compile(schedule, flits, ports, false, std::move(quotient), nullptr, stages).image;
  const Payload payload(schedule, flits, kPayloadSeed);
  add_own_words(image, schedule, payload);
  return image;
}

/// Images of one kind of nodes, none of which may be seen in the next one: more words, faults, a
/// table with errors, longer tables, and at last few words.
inline std::vector<FabricImage> unlike(Duplex duplex, Port ports) {
  const Schedule products = plan("torus:4x4", "product", duplex),
                 cycles = plan("torus:4x4", "hamiltonian", duplex);
  std::vector<FabricImage> images = {prepare(products, 5, ports), prepare(products, 2, ports),
                                     prepare(products, 2, ports), prepare(cycles, 3, ports),
                                     prepare(products, 4, ports), prepare(cycles, 1, ports)};
  images[1].dead.assign(images[1].topology.nodes(), 1);
  images[2].programs.front().slots.front().receive = 0;
  images[4].programs.front().slots.front().length = 3;
  return images;
}

}  // namespace gossamer::test
