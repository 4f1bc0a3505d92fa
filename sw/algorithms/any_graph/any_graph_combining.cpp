#include "algorithms/any_graph/any_graph_combining.hpp"

#include <fmt/format.h>

#include "algorithms/any_graph/broadcast.hpp"
#include "algorithms/any_graph/combining.hpp"
#include "algorithms/any_graph/effort.hpp"
#include "bounds/bounds.hpp"

namespace gossamer {
namespace {

using namespace any_graph;

constexpr Node kMostNodes = 2048;
constexpr Node kMostNodesOfTotalExchange = 512;  // its messages grow with the distances, too

std::optional<std::string> refuses(const Request& request) {
  if (reduces(request.collective)) return "any-graph-combining reduces nothing";
  if (request.collective == Collective::Broadcast) {
    return "any-graph-combining: a broadcast has nothing to combine";
  }
  if (!request.cycle.empty()) return "any-graph-combining takes no cycle";
  const bool exchange = request.collective == Collective::TotalExchange;
  const Node most = exchange ? kMostNodesOfTotalExchange : kMostNodes;
  if (request.topology.nodes() > most) {
    return fmt::format("any-graph-combining plans {} on up to {} nodes, {} has {}",
                       to_string(request.collective), most, request.topology.spec(),
                       request.topology.nodes());
  }
  return std::nullopt;
}

std::vector<Batch> batches_of(const Request& request, std::uint32_t bound) {
  const Arcs arcs(request.topology);
  const Effort effort = effort_of(request);
  if (!has_root(request.collective)) {
    auto gossip = gossip_combining(arcs, request.ports, request.duplex, bound, effort);
    if (request.collective == Collective::Gossip) return gossip;
    return exchange_along(gossip, arcs.nodes());
  }
  const auto broadcast = request.ports == PortModel::All
                             ? broadcast_all_ports(arcs, request.root)
                             : broadcast_single_port(arcs, request.root, bound, effort);
  std::vector<Batch> scatter = scatter_along(broadcast, request.root, arcs.nodes());
  return request.collective == Collective::Scatter ? scatter : reversed(std::move(scatter));
}

Schedule plan(const Request& request) {
  const Model model{request.ports, request.duplex, Switching::Packet, /*combining=*/true};
  Schedule schedule(request.topology, request.collective, model);
  schedule.algorithm = kAnyGraphCombining.name;
  if (has_root(request.collective)) schedule.root = request.root;
  const std::uint64_t bound =
      lower_bound_rounds(request.topology, request.collective, model, request.root);
  for (const Batch& batch : batches_of(request, static_cast<std::uint32_t>(bound))) {
    const Node path[] = {batch.from, batch.to};
    schedule.add(batch.round, path, batch.messages);
  }
  return schedule;
}

}  // namespace

const Algorithm kAnyGraphCombining = {
    .name = "any-graph-combining",
    .source = "ours",
    .summary =
        "all but broadcast on any connected graph, in every model, packets, combining; seconds: "
        "search longer",
    .serves = every(
        {Collective::Gossip, Collective::TotalExchange, Collective::Scatter, Collective::Gather},
        {PortModel::Single, PortModel::All}, {Duplex::Full, Duplex::Half}),
    .refuses = refuses,
    .formula = nullptr,
    .plan = plan,
    .searches = true,
    .combining = true,
};

}  // namespace gossamer
