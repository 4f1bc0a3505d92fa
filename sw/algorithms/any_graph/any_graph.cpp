#include "algorithms/any_graph/any_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "algorithms/common/algorithm.hpp"
#include "algorithms/common/all.hpp"
#include "bounds/bounds.hpp"
#include "bounds/flows.hpp"
#include "gossamer_constants.hpp"
#include "schedule/chunks.hpp"

namespace gossamer {
namespace {

Request request_of(const Graph& graph, Collective collective, PortModel ports, Duplex duplex) {
  return {Topology(graph.spec, {graph}), collective, ports, duplex};
}

std::vector<Node> neighbours_of(const Graph& graph) {
  std::vector<Node> neighbours;
  for (const Endpoint& end : graph.peers) neighbours.push_back(end.node);
  return neighbours;
}

}  // namespace

const Schedule& factor_plan(const Graph& graph, Collective collective, PortModel ports,
                            Duplex duplex) {
  struct Planned {
    std::once_flag once;
    std::optional<Schedule> schedule;
  };
  using Key = std::tuple<Node, std::vector<Node>, Collective, PortModel, Duplex>;
  static std::mutex mutex;
  static std::map<Key, Planned> plans;  // which stay where they are
  const auto plan_of = [&](Key key) -> Planned& {
    const std::lock_guard lock(mutex);
    return plans[std::move(key)];
  };
  Planned& plan = plan_of({graph.nodes, neighbours_of(graph), collective, ports, duplex});
  std::call_once(plan.once, [&] {
    plan.schedule = kAnyGraph.plan(request_of(graph, collective, ports, duplex));
  });
  return *plan.schedule;
}

std::optional<std::string> factor_refusal(const Graph& graph, Collective collective,
                                          PortModel ports, Duplex duplex) {
  return kAnyGraph.refuses(request_of(graph, collective, ports, duplex));
}

namespace {

using namespace any_graph;

/// The lists of hops, and what the searches keep, grow with the square of the nodes; those of a
/// total exchange also with the distances. A broadcast breadth first grows with the links.
constexpr Node kMostNodes = 8192;
constexpr Node kMostNodesBreadthFirst = 1 << 24;
constexpr Node kMostNodesOfTotalExchange = 1024;

std::optional<std::string> refuses(const Request& request) {
  const bool exchange = request.collective == Collective::TotalExchange;
  const std::uint32_t pieces = request.pieces.value_or(1);
  if (pieces > request.flits) {
    return fmt::format("messages of {} flits cannot be cut into {} pieces; expected {} at most",
                       request.flits, pieces, request.flits);
  }
  const bool breadth_first = request.collective == Collective::Broadcast && request.regular() &&
                             request.ports == PortModel::All && pieces == 1;
  const Node most = breadth_first ? kMostNodesBreadthFirst
                                  : (exchange ? kMostNodesOfTotalExchange : kMostNodes) / pieces;
  if (request.topology.nodes() > most) {
    return fmt::format("any-graph plans {}{} on up to {} nodes, {} has {}",
                       to_string(request.collective),
                       pieces == 1 ? "" : fmt::format(" in {} pieces", pieces), most,
                       request.topology.spec(), request.topology.nodes());
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
    case Collective::TotalExchange:
      return send_along_routes(arcs, resources, all_to_all(arcs.nodes()), bound, effort);
    default: return gossip(arcs, resources, bound, effort);
  }
}

/// Of whatever chunks there are: what each one's origin sends to whom.
std::vector<Hop> hops_of_chunks(const Request& request, const Schedule& empty) {
  const Arcs arcs(empty.topology());
  const ChunkFlits flits = empty.chunk_flits(request.flits);
  // Of messages that are equally long the schedule is the same, whatever their length.
  const std::uint64_t all_alike = request.sizes.equal() ? 1024 : 0;
  const std::uint32_t stages = request.hop - rtl::TIME_DELTA;
  const bounds::Resources resources(arcs, empty.model().ports, empty.model().duplex);
  std::vector<Demand> demands;
  for (Node x = 0; x < arcs.nodes(); ++x) {
    for_each_initial(empty, x, [&](const Message& m) {
      Demand demand{m, {}, all_alike};
      if (demand.cycles == 0) demand.cycles = std::max(flits.of(m), rtl::TIME_LAT + stages);
      for_each_receiver(empty, m, [&](Node to) { demand.receivers.push_back(to); });
      if (!demand.receivers.empty()) demands.push_back(std::move(demand));
    });
  }
  if (demands.empty()) return {};
  const std::uint64_t bound = all_alike > 0 ? chunk_bound(empty, empty.pieces()).value * all_alike
                                            : chunk_bound_packets(empty, request.flits, stages) -
                                                  rtl::TIME_START - request.hop;
  return send_down_trees(arcs, resources, demands, bound, effort_of(request));
}

bool slow(const Request& request) {
  if (request.collective == Collective::TotalExchange) return request.topology.nodes() > 512;
  return request.collective == Collective::Gossip && request.topology.nodes() > 2048;
}

Schedule plan(const Request& request) {
  const Model model{request.ports, request.duplex, Switching::Packet, /*combining=*/false};
  Schedule schedule = empty_schedule(request, model);
  schedule.cut(request.pieces.value_or(1));
  if (request.collective == Collective::Gossip) make_room_for_gossip(schedule);
  const auto hops = [&] {
    if (!request.regular() || schedule.pieces() > 1) return hops_of_chunks(request, schedule);
    return hops_of(request, static_cast<std::uint32_t>(lower_bound_rounds(
                                request.topology, request.collective, model, request.root)));
  };
  for (const Hop& hop : hops()) schedule.add(hop);
  return schedule;
}

}  // namespace

const Algorithm kAnyGraph = {
    .name = "any-graph",
    .summary =
        "all but reductions on any connected graph, in every model, packets; seconds: search "
        "longer",
    .serves = every({Collective::Gossip, Collective::TotalExchange, Collective::Broadcast,
                     Collective::Scatter, Collective::Gather},
                    {PortModel::Single, PortModel::All}, {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .make = plan,
    .searches = true,
    .any_graph = true,
    .slow = slow,
    .cuts = true,
    .any_chunks = true,
};

}  // namespace gossamer
