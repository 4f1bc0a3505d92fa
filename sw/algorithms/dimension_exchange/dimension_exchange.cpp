#include "algorithms/dimension_exchange/dimension_exchange.hpp"

#include <algorithm>
#include <numeric>

#include "algorithms/any_graph/factor_plan.hpp"
#include "algorithms/dimension_exchange/dimension_exchange_path.hpp"
#include "algorithms/dimension_exchange/dimension_exchange_ring.hpp"
#include "algorithms/dimension_exchange/dimension_exchange_words.hpp"
#include "topology/arcs.hpp"

namespace gossamer::dimension_exchange {
namespace {

bool is_path(const Graph& graph) {
  if (graph.ports != 2 || graph.peer(graph.nodes - 1, 0).connected()) return false;
  for (Node x = 0; x + 1 < graph.nodes; ++x) {
    if (graph.peer(x, 0).node != x + 1) return false;
  }
  return true;
}

/// Each node sends to the node `offset` digits on.
Hop direct(Node offset) { return {0, offset, 0, offset}; }

Exchange complete_single_port(Node n) {
  Stage stage;
  for (Node offset = 1; offset < n; ++offset) stage.push_back({direct(offset)});
  return {1, {stage}};
}

Exchange complete_all_port(Node n) {
  Round round;
  for (Node offset = 1; offset < n; ++offset) round.push_back(direct(offset));
  return {1, {{round}}};
}

const Schedule& planned(const Graph& graph, PortModel ports) {
  return factor_plan(graph, Collective::TotalExchange, ports, Duplex::Full);
}

/// A stage is a round of it.
Exchange exchange_of(const Schedule& plan) {
  Exchange exchange{plan.topology().nodes(), std::vector<Stage>(plan.rounds(), Stage(1))};
  for (const Transfer& t : plan.transfers()) {
    const Message m = plan.messages(t)[0];
    const auto path = plan.path(t);
    exchange.stages[t.round - 1][0].push_back({path[0], path[1], m.origin, m.destination});
  }
  return exchange;
}

std::uint64_t distances_of(const Arcs& arcs, Node x) {
  const std::vector<std::uint32_t> distances = distances_from(arcs, x);
  return std::accumulate(distances.begin(), distances.end(), std::uint64_t{0});
}

}  // namespace

Kind kind_of(const Graph& graph) {
  if (graph.cyclic && graph.ports + 1 == graph.nodes) return Kind::Complete;
  if (graph.cyclic && graph.ports == 2 && graph.peer(0, 0).node == 1) return Kind::Ring;
  return is_path(graph) ? Kind::Path : Kind::Other;
}

bool is_cayley(const Graph& graph) {
  return kind_of(graph) != Kind::Path && translations_of(graph).has_value();
}

std::vector<Round> rounds_of(const Exchange& exchange) {
  std::vector<Round> rounds;
  for (const Stage& stage : exchange.stages) {
    rounds.insert(rounds.end(), stage.begin(), stage.end());
  }
  return rounds;
}

Exchange single_port(const Graph& graph) {
  switch (kind_of(graph)) {
    case Kind::Ring: return ring_single_port(graph.nodes);
    case Kind::Path: return path_single_port(graph.nodes);
    case Kind::Complete: return complete_single_port(graph.nodes);
    default: break;
  }
  if (const auto moved = translations_of(graph)) return words_single_port(graph, *moved);
  return exchange_of(planned(graph, PortModel::Single));
}

std::uint64_t single_port_rounds(const Graph& graph) {
  const std::uint64_t n = graph.nodes;
  switch (kind_of(graph)) {
    case Kind::Ring: return n * n / 4;
    case Kind::Path: return n % 2 == 0 ? n * n / 2 - 1 : (n * n - 1) / 2;
    case Kind::Complete: return n - 1;
    default: break;
  }
  if (translations_of(graph)) return distances_of(Arcs(Topology(graph.spec, {graph})), 0);
  return planned(graph, PortModel::Single).rounds();
}

Exchange all_port(const Graph& graph) {
  switch (kind_of(graph)) {
    case Kind::Ring: return ring_all_port(graph.nodes);
    case Kind::Path: return path_all_port(graph.nodes);
    case Kind::Complete: return complete_all_port(graph.nodes);
    default: return exchange_of(planned(graph, PortModel::All));
  }
}

std::uint64_t all_port_rounds(const Graph& graph) {
  const std::uint64_t n = graph.nodes;
  switch (kind_of(graph)) {
    case Kind::Ring: return n % 2 == 1 ? (n * n - 1) / 8 : (n * n + 7) / 8;
    case Kind::Path: return n / 2 * (n - n / 2);
    case Kind::Complete: return 1;
    default: return planned(graph, PortModel::All).rounds();
  }
}

std::uint64_t hops(const Graph& graph) {
  const std::uint64_t n = graph.nodes;
  switch (kind_of(graph)) {
    case Kind::Ring: return n * (n * n / 4);
    case Kind::Path: return n * (n * n - 1) / 3;
    case Kind::Complete: return n * (n - 1);
    default: break;
  }
  const Arcs arcs(Topology(graph.spec, {graph}));
  if (translations_of(graph)) return n * distances_of(arcs, 0);
  std::uint64_t sum = 0;
  for (Node x = 0; x < graph.nodes; ++x) sum += distances_of(arcs, x);
  return sum;
}

Node single_port_period(const Graph& graph) {
  const Kind kind = kind_of(graph);
  return kind == Kind::Path || kind == Kind::Other ? graph.nodes : 1;
}

Node all_port_period(const Graph& graph) {
  const Kind kind = kind_of(graph);
  if (kind == Kind::Path || kind == Kind::Other) return graph.nodes;
  return kind == Kind::Ring && graph.nodes % 2 == 0 ? 2 : 1;
}

}  // namespace gossamer::dimension_exchange
