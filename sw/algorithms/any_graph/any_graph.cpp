#include "algorithms/any_graph/any_graph.hpp"

#include <fmt/format.h>

#include "topology/arcs.hpp"
#include "algorithms/any_graph/effort.hpp"
#include "algorithms/any_graph/gossip.hpp"
#include "algorithms/common/gossip_room.hpp"
#include "bounds/bounds.hpp"

namespace gossamer {
namespace {

using namespace any_graph;

/// The rows of bits and the list of hops of a gossip grow with the square of the nodes.
constexpr Node kMostNodes = 8192;

Model model_of(const Request& request) {
  return {request.ports, request.duplex, Switching::Packet, /*combining=*/false};
}

std::optional<std::string> refuses(const Request& request) {
  if (request.collective != Collective::Gossip) {
    return fmt::format("any-graph has no {} yet", to_string(request.collective));
  }
  if (request.ports != PortModel::All) return "any-graph needs all ports";
  if (request.duplex != Duplex::Full) return "any-graph needs full-duplex links";
  if (!request.cycle.empty()) return "any-graph takes no cycle: use hamiltonian";
  if (request.topology.nodes() > kMostNodes) {
    return fmt::format("any-graph plans up to {} nodes, {} has {}", kMostNodes,
                       request.topology.spec(), request.topology.nodes());
  }
  return std::nullopt;
}

Effort effort_of(const Request& request) {
  Effort effort{request.seed};
  if (request.seconds) {
    using Clock = std::chrono::steady_clock;
    effort.until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(*request.seconds));
  }
  return effort;
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  const Model model = model_of(request);
  Schedule schedule(topology, request.collective, model);
  schedule.algorithm = kAnyGraph.name;
  make_room_for_gossip(schedule);
  const auto bound =
      static_cast<std::uint32_t>(lower_bound_rounds(topology, request.collective, model));
  for (const Hop& hop : gossip(Arcs(topology), bound, effort_of(request))) {
    schedule.add_hop(hop.round, hop.from, hop.to, hop.message.origin);
  }
  return schedule;
}

}  // namespace

const Algorithm kAnyGraph = {
    .name = "any-graph",
    .source = "ours",
    .summary = "gossip on any connected graph, all ports, packets; seconds: search longer",
    .refuses = refuses,
    .formula = nullptr,
    .plan = plan,
    .searches = true,
    .any_graph = true,
};

}  // namespace gossamer
