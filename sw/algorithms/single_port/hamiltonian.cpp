#include <algorithm>
#include <numeric>
#include <utility>

#include "algorithms/common/algorithm.hpp"
#include "algorithms/common/all.hpp"
#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"
#include "algorithms/single_port/single_port.hpp"

namespace gossamer {
namespace {

std::optional<std::string> refuses(const Request& request) {
  if (!request.cycle.empty()) return why_no_cycle(request.topology, request.cycle);
  return why_no_hamiltonian_cycle(request.topology);
}

Formula formula(const Request& request) {
  return ring_algorithm::formula(request.topology.nodes(), request.duplex);
}

/// The most often that one translation can be repeated before it returns to its start.
std::uint64_t most_repetitions(const Topology& topology) {
  std::uint64_t most = 1;
  for (const Graph& factor : topology.factors()) {
    if (factor.cyclic) most = std::lcm(most, std::uint64_t{factor.nodes});
  }
  return std::min<std::uint64_t>(most, topology.nodes());
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  require_room_for_gossip(topology, most_repetitions(topology));
  std::vector<Node> cycle = request.cycle;
  if (cycle.empty()) cycle = hamiltonian_cycle(topology).cycle;
  const CycleGossip gossip(topology, std::move(cycle), request.duplex);
  return schedule_of(gossip, topology, request.duplex);
}

}  // namespace

const Algorithm kHamiltonian = {
    .name = "hamiltonian",
    .source = "Dimakopoulos 1999, section 3",
    .summary = "gossip along a hamiltonian cycle of any graph, single port, full or half duplex",
    .serves = every({Collective::Gossip}, {PortModel::Single}, {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .formula = formula,
    .make = plan,
    .any_graph = true,
    .takes_cycle = true,
    .slow = [](const Request& request) { return request.topology.nodes() > 2048; },
};

}  // namespace gossamer
