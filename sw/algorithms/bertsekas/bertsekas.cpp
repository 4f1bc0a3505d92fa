#include "algorithms/bertsekas/bertsekas.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gossamer {
namespace bertsekas {

unsigned dimension(const Topology& topology) {
  const auto factors = topology.factors();
  const bool cube = std::ranges::all_of(factors, [](const Graph& g) { return g.nodes == 2; }) &&
                    topology.translatable();
  return cube ? static_cast<unsigned>(factors.size()) : 0;
}

Schedule empty_schedule(const Topology& topology, Collective collective, bool all_alike) {
  std::vector<Node> generators;
  for (unsigned k = 1; all_alike && k <= dimension(topology); ++k) generators.push_back(unit(k));
  const Model model{PortModel::All, Duplex::Full, Switching::Packet, /*combining=*/false};
  Schedule schedule(topology, collective, model, Symmetry(topology, generators));
  schedule.algorithm = kBertsekas.name;
  return schedule;
}

}  // namespace bertsekas

namespace {

/// Transfers that a schedule may list: about 1 GB.
constexpr std::uint64_t kMostTransfers = std::uint64_t{1} << 24;

/// How many transfers the schedule lists (one node's, where all are alike).
std::uint64_t transfers(Collective collective, unsigned d) {
  if (same_to_all(collective)) return bertsekas::all_ones(d);
  return d * (std::uint64_t{1} << (d - 1));
}

std::optional<std::string> refuses(const Request& request) {
  const Topology& topology = request.topology;
  if (reduces(request.collective)) return "bertsekas reduces nothing";
  if (request.ports != PortModel::All) return "bertsekas needs all ports";
  if (request.duplex != Duplex::Full) return "bertsekas needs full-duplex links";
  if (!request.cycle.empty()) return "bertsekas takes no cycle";
  if (bertsekas::dimension(topology) == 0) {
    return fmt::format("bertsekas needs a hypercube, such as hypercube:4; {} is none",
                       topology.spec());
  }
  const std::uint64_t listed = transfers(request.collective, bertsekas::dimension(topology));
  if (listed > kMostTransfers) {
    return fmt::format("bertsekas would list {} transfers on {}; it lists up to {}", listed,
                       topology.spec(), kMostTransfers);
  }
  return std::nullopt;
}

Formula formula(const Request& request) {
  const unsigned d = bertsekas::dimension(request.topology);
  switch (request.collective) {
    case Collective::Broadcast: return {"d", d};
    case Collective::TotalExchange: return {"2^(d-1)", std::uint64_t{1} << (d - 1)};
    default: break;
  }
  return {"ceil((2^d-1)/d)", bertsekas::packets_over_links(d)};
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  switch (request.collective) {
    case Collective::Broadcast: return bertsekas::broadcast(topology, request.root);
    case Collective::Scatter: return bertsekas::scatter(topology, request.root);
    case Collective::Gather: return bertsekas::gather(topology, request.root);
    case Collective::TotalExchange: return bertsekas::total_exchange(topology);
    default: break;
  }
  return bertsekas::gossip(topology);
}

}  // namespace

const Algorithm kBertsekas = {
    .name = "bertsekas",
    .source = "Bertsekas et al. 1991",
    .summary = "gossip, broadcast, scatter, gather, total exchange on hypercubes, all ports",
    .serves = every({Collective::Gossip, Collective::TotalExchange, Collective::Broadcast,
                     Collective::Scatter, Collective::Gather},
                    {PortModel::All}, {Duplex::Full}),
    .refuses = refuses,
    .formula = formula,
    .plan = plan,
};

}  // namespace gossamer
