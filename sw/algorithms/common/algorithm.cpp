#include "algorithms/common/algorithm.hpp"

#include <fmt/format.h>

#include <cmath>

#include "support/memory.hpp"

namespace gossamer {

std::vector<Serves> every(const std::vector<Collective>& collectives,
                          const std::vector<PortModel>& ports,
                          const std::vector<Duplex>& duplexes) {
  std::vector<Serves> all;
  for (const Collective collective : collectives) {
    for (const PortModel port : ports) {
      for (const Duplex duplex : duplexes) all.push_back({collective, port, duplex});
    }
  }
  return all;
}

namespace {

constexpr double kBytesOfHop = sizeof(Transfer) + 2 * sizeof(Node) + sizeof(Message);

std::uint64_t transfers(const Topology& topology, std::uint64_t order) {
  return std::uint64_t{topology.nodes()} * (topology.nodes() - 1) / order;
}

}  // namespace

void require_room_for_gossip(const Topology& topology, std::uint64_t order) {
  const std::uint64_t count = transfers(topology, order);
  require_memory(
      kBytesOfHop * static_cast<double>(count),
      fmt::format("{}: the schedule of {} transfers (translations of one another counted "
                  "once)",
                  topology.spec(), count),
      [&](double free) {
        // How the group grows with the fabric is not known: this assumes one of the same
        // order.
        const double fit = std::sqrt(free / kBytesOfHop * static_cast<double>(order));
        return fmt::format("enough for about {:.0f} nodes", fit);
      });
}

void make_room_for_gossip(Schedule& schedule) {
  const Node order = schedule.symmetry().order();
  require_room_for_gossip(schedule.topology(), order);
  schedule.reserve(transfers(schedule.topology(), order));
}

}  // namespace gossamer
