#include "algorithms/hamiltonian.hpp"

#include <utility>

#include "algorithms/cycle_gossip.hpp"
#include "algorithms/hamiltonian_cycle.hpp"
#include "algorithms/ring.hpp"

namespace gossamer {
namespace {

std::optional<std::string> refuses(const Request& request) {
  if (const auto why = refuses_all_but_gossip("hamiltonian", request)) return why;
  if (!request.cycle.empty()) return why_no_cycle(request.topology, request.cycle);
  const FoundCycle found = hamiltonian_cycle(request.topology);
  if (found.cycle.empty()) return found.why_none;
  return std::nullopt;
}

Formula formula(const Request& request) {
  return ring_algorithm::formula(request.topology.nodes(), request.duplex);
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  std::vector<Node> cycle = request.cycle;
  if (cycle.empty()) cycle = hamiltonian_cycle(topology).cycle;
  const CycleGossip gossip(topology, std::move(cycle), request.duplex);
  return schedule_of(gossip, topology, request.duplex, kHamiltonian.name);
}

}  // namespace

const Algorithm kHamiltonian = {
    .name = "hamiltonian",
    .source = "paper 1, section 3",
    .summary = "gossip along a hamiltonian cycle of any graph, single port, full or half duplex",
    .refuses = refuses,
    .formula = formula,
    .plan = plan,
};

}  // namespace gossamer
