#include "algorithms/common/algorithm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::optional<std::string> Algorithm::refuses(const Request& request) const {
  std::vector<Serves> left = serves;
  const auto keep = [&](auto part, auto asked) {
    std::erase_if(left, [&](const Serves& s) { return s.*part != asked; });
    return !left.empty();
  };
  if (!keep(&Serves::collective, request.collective)) {
    std::vector<std::string_view> names;
    for (const Serves& s : serves) {
      if (names.empty() || names.back() != to_string(s.collective)) {
        names.push_back(to_string(s.collective));
      }
    }
    return fmt::format("{} serves {} only, not {}", name, fmt::join(names, ", "),
                       to_string(request.collective));
  }
  if (!keep(&Serves::ports, request.ports)) {
    return name + (request.ports == PortModel::All ? " needs a single port" : " needs all ports");
  }
  if (!keep(&Serves::duplex, request.duplex)) {
    return fmt::format("{} needs {}-duplex links", name,
                       request.duplex == Duplex::Full ? "half" : "full");
  }
  if (!request.cycle.empty() && !takes_cycle) return name + " takes no cycle";
  if (request.topology.nodes() > most_nodes) {
    return fmt::format("{} plans on up to {} nodes, {} has {}", name, most_nodes,
                       request.topology.spec(), request.topology.nodes());
  }
  return needs == nullptr ? std::nullopt : needs(request);
}

Schedule Algorithm::plan(const Request& request) const {
  Schedule schedule = make(request);
  schedule.algorithm = name;
  return schedule;
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

std::vector<Hop> reversed(std::vector<Hop> hops) {
  std::ranges::reverse(hops);
  const std::uint32_t rounds = hops.empty() ? 0 : hops.front().round;
  for (Hop& hop : hops) {
    hop.round = rounds + 1 - hop.round;
    std::swap(hop.from, hop.to);
    std::swap(hop.message.origin, hop.message.destination);
  }
  return hops;
}

}  // namespace gossamer
