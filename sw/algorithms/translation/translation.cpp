#include "algorithms/translation/translation.hpp"

#include <fmt/format.h>

#include <vector>

#include "algorithms/common/gossip_room.hpp"
#include "algorithms/translation/tree.hpp"
#include "support/interrupt.hpp"

namespace gossamer {
namespace {

constexpr Model kModel = {PortModel::All, Duplex::Full, Switching::Packet, /*combining=*/false};

std::optional<std::string> refuses(const Request& request) {
  if (request.collective != Collective::Gossip) {
    return fmt::format("translation serves gossip only, not {}", to_string(request.collective));
  }
  if (request.ports != PortModel::All || request.duplex != Duplex::Full) {
    return "translation uses all ports in full duplex: ask for these";
  }
  if (!request.topology.translatable()) {
    return fmt::format(
        "translation needs a topology that can be translated, such as a torus; {} "
        "cannot",
        request.topology.spec());
  }
  if (!request.cycle.empty()) return "translation takes no cycle: use hamiltonian";
  return std::nullopt;
}

/// Every port of every node receives something new in every round.
Formula formula(const Request& request) {
  const std::uint64_t others = request.topology.nodes() - std::uint64_t{1};
  const std::uint64_t ports = request.topology.ports();
  return {"ceil((N-1)/degree)", (others + ports - 1) / ports};
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  std::vector<Node> generators;
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    generators.push_back(topology.stride(f));
  }
  Schedule schedule(topology, Collective::Gossip, kModel, Symmetry(topology, generators));
  make_room_for_gossip(schedule);
  schedule.algorithm = kTranslation.name;
  std::uint32_t round = 0;
  const auto rounds = static_cast<std::uint32_t>(formula(request).rounds);
  for (const auto& arrivals : translation::tree_of(topology, rounds)) {
    stop_if_interrupted();
    ++round;
    for (const auto& [offset, port] : arrivals) {
      const Node from = topology.peer(offset, topology.peer(0, port).port).node;
      schedule.add_hop(round, from, offset, /*origin=*/0);
    }
  }
  return schedule;
}

}  // namespace

const Algorithm kTranslation = {
    .name = "translation",
    .source = "ours",
    .summary = "gossip on tori of any sides, hypercubes and ghc, all ports, packets",
    .serves = every({Collective::Gossip}, {PortModel::All}, {Duplex::Full}),
    .refuses = refuses,
    .formula = formula,
    .plan = plan,
};

}  // namespace gossamer
