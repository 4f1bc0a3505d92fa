#include "algorithms/translation/translation.hpp"

#include <fmt/format.h>

#include <vector>

#include "algorithms/common/gossip_room.hpp"
#include "algorithms/translation/tree.hpp"
#include "support/interrupt.hpp"

namespace gossamer {
namespace {

std::optional<std::string> refuses(const Request& request) {
  if (request.collective != Collective::Gossip) {
    return fmt::format("translation serves gossip only, not {}", to_string(request.collective));
  }
  if (request.ports != PortModel::All) return "translation uses all ports: ask for these";
  if (!request.topology.translatable()) {
    return fmt::format(
        "translation needs a topology that can be translated, such as a torus; {} "
        "cannot",
        request.topology.spec());
  }
  if (!request.cycle.empty()) return "translation takes no cycle";
  return std::nullopt;
}

/// Every link brings something new in every round, one way or both ways.
Formula formula(const Request& request) {
  const std::uint64_t others = request.topology.nodes() - std::uint64_t{1};
  const std::uint64_t ports = request.topology.ports();
  if (request.duplex == Duplex::Half) {
    return {"ceil(2(N-1)/degree)", (2 * others + ports - 1) / ports};
  }
  return {"ceil((N-1)/degree)", (others + ports - 1) / ports};
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  const Model model = {PortModel::All, request.duplex, Switching::Packet, /*combining=*/false};
  require_room_for_gossip(topology, topology.nodes());
  const translation::Metric metric(topology, request.duplex);
  Schedule schedule(topology, Collective::Gossip, model,
                    Symmetry(topology, metric.classes().generators()));
  make_room_for_gossip(schedule);
  schedule.algorithm = kTranslation.name;
  std::uint32_t round = 0;
  const auto rounds = static_cast<std::uint32_t>(formula(request).rounds);
  for (const auto& arrivals : translation::tree_of(topology, metric, rounds)) {
    stop_if_interrupted();
    ++round;
    for (const auto& [origin_class, offset, port] : arrivals) {
      const Node origin = metric.classes().representative(origin_class);
      const Node from = topology.peer(offset, port_back(topology, port)).node;
      schedule.add_hop(round, topology.translate(origin, from), topology.translate(origin, offset),
                       origin);
    }
  }
  return schedule;
}

}  // namespace

const Algorithm kTranslation = {
    .name = "translation",
    .source = "ours",
    .summary =
        "gossip on tori of any sides, hypercubes and ghc, all ports, full or half duplex, packets",
    .serves = every({Collective::Gossip}, {PortModel::All}, {Duplex::Full, Duplex::Half}),
    .refuses = refuses,
    .formula = formula,
    .plan = plan,
};

}  // namespace gossamer
