#include "algorithms/any_graph/factor_plan.hpp"

#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "algorithms/common/all.hpp"

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

}  // namespace gossamer
