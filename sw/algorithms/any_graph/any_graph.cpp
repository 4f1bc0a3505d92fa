#include "algorithms/any_graph/any_graph.hpp"

#include <fmt/format.h>

#include "algorithms/any_graph/broadcast.hpp"
#include "algorithms/any_graph/chunk_trees.hpp"
#include "algorithms/any_graph/effort.hpp"
#include "algorithms/any_graph/gossip.hpp"
#include "algorithms/any_graph/scatter.hpp"
#include "algorithms/any_graph/total_exchange.hpp"
#include "algorithms/common/gossip_room.hpp"
#include "bounds/bounds.hpp"
#include "bounds/chunks.hpp"
#include "bounds/resources.hpp"
#include "schedule/chunks.hpp"

namespace gossamer {
namespace {

using namespace any_graph;

/// The lists of hops, and what the searches keep, grow with the square of the nodes; those of a
/// total exchange also with the distances.
constexpr Node kMostNodes = 8192;
constexpr Node kMostNodesOfTotalExchange = 1024;

std::optional<std::string> refuses(const Request& request) {
  if (!request.cycle.empty()) return "any-graph takes no cycle: use hamiltonian";
  const bool exchange = request.collective == Collective::TotalExchange;
  const Node most = exchange ? kMostNodesOfTotalExchange : kMostNodes;
  if (request.topology.nodes() > most) {
    return fmt::format("any-graph plans {} on up to {} nodes, {} has {}",
                       to_string(request.collective), most, request.topology.spec(),
                       request.topology.nodes());
  }
  return std::nullopt;
}

std::vector<Hop> scatter(const Request& request, const Arcs& arcs,
                         const bounds::Resources& resources, std::uint32_t bound) {
  if (request.duplex == Duplex::Half) {
    return scatter_half_duplex(arcs, request.root, resources, request.ports, bound,
                               effort_of(request));
  }
  if (request.ports == PortModel::Single) return scatter_single_port(arcs, request.root);
  return scatter_all_ports(arcs, request.root, bound);
}

std::vector<Hop> hops_of(const Request& request, std::uint32_t bound) {
  const Arcs arcs(request.topology);
  const bounds::Resources resources(arcs, request.ports, request.duplex);
  const bool all_ports = request.ports == PortModel::All;
  const Effort effort = effort_of(request);
  switch (request.collective) {
    case Collective::Broadcast:
      return all_ports ? broadcast_all_ports(arcs, request.root)
                       : broadcast_single_port(arcs, request.root, bound, effort);
    case Collective::Scatter: return scatter(request, arcs, resources, bound);
    case Collective::Gather: return reversed(scatter(request, arcs, resources, bound));
    case Collective::TotalExchange: return total_exchange(arcs, resources, bound, effort);
    case Collective::Gossip: break;
  }
  if (all_ports && request.duplex == Duplex::Full) return gossip(arcs, bound, effort);
  return gossip_by_claims(arcs, resources, bound, effort);
}

/// Of a group of members: what each chunk's origin sends to whom.
std::vector<Hop> hops_of_group(const Schedule& empty, const Effort& effort, std::uint32_t bound) {
  const Arcs arcs(empty.topology());
  const bounds::Resources resources(arcs, empty.model().ports, empty.model().duplex);
  std::vector<Demand> demands;
  for (Node x = 0; x < arcs.nodes(); ++x) {
    for_each_initial(empty, x, [&](const Message& m) {
      Demand demand{m, {}};
      for_each_receiver(empty, m, [&](Node to) { demand.receivers.push_back(to); });
      if (!demand.receivers.empty()) demands.push_back(std::move(demand));
    });
  }
  return send_down_trees(arcs, resources, demands, bound, effort);
}

Schedule plan(const Request& request) {
  const Model model{request.ports, request.duplex, Switching::Packet, /*combining=*/false};
  Schedule schedule(request.topology, request.collective, model);
  schedule.algorithm = kAnyGraph.name;
  schedule.members = request.members;
  if (has_root(request.collective)) schedule.root = request.root;
  if (request.collective == Collective::Gossip) make_room_for_gossip(schedule);
  const bool group = !request.members.all();
  const auto bound = static_cast<std::uint32_t>(
      group ? chunk_bound(schedule).value
            : lower_bound_rounds(request.topology, request.collective, model, request.root));
  for (const Hop& hop :
       group ? hops_of_group(schedule, effort_of(request), bound) : hops_of(request, bound)) {
    const Node path[] = {hop.from, hop.to};
    schedule.add(hop.round, path, {&hop.message, 1});
  }
  return schedule;
}

}  // namespace

const Algorithm kAnyGraph = {
    .name = "any-graph",
    .source = "ours",
    .summary =
        "every collective on any connected graph, in every model, packets; seconds: search longer",
    .serves = every({Collective::Gossip, Collective::TotalExchange, Collective::Broadcast,
                     Collective::Scatter, Collective::Gather},
                    {PortModel::Single, PortModel::All}, {Duplex::Full, Duplex::Half}),
    .refuses = refuses,
    .formula = nullptr,
    .plan = plan,
    .searches = true,
    .any_graph = true,
    .groups = true,
};

}  // namespace gossamer
