#include "algorithms/single_port/single_port.hpp"

#include <fmt/format.h>

#include <utility>

#include "algorithms/common/gossip_room.hpp"

namespace gossamer {

Model single_port_model(Duplex duplex) {
  return {PortModel::Single, duplex, Switching::Packet, /*combining=*/false};
}

std::optional<std::string> refuses_all_but_gossip(std::string_view name, const Request& request) {
  if (request.collective != Collective::Gossip) {
    return fmt::format("{} serves gossip only, not {}", name, to_string(request.collective));
  }
  if (request.ports != PortModel::Single) {
    return fmt::format("{} is a single-port algorithm: ask for single ports", name);
  }
  return std::nullopt;
}

Schedule schedule_of(const SinglePortGossip& gossip, const Topology& topology, Duplex duplex,
                     std::string algorithm) {
  const Node generator[] = {gossip.period()};
  Schedule schedule(topology, Collective::Gossip, single_port_model(duplex),
                    Symmetry(topology, generator));
  schedule.algorithm = std::move(algorithm);
  make_room_for_gossip(schedule);
  const Symmetry& symmetry = schedule.symmetry();
  for (std::uint32_t step = 1; step <= gossip.steps(); ++step) {
    for (Node c = 0; c < symmetry.classes(); ++c) {
      const Node x = symmetry.representative(c);
      const auto send = gossip.send(step, x);
      if (send) schedule.add_hop(step, x, send->to, gossip.origin(x, send->index));
    }
  }
  return schedule;
}

}  // namespace gossamer
