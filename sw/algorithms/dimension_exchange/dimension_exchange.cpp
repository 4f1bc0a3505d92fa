#include "algorithms/dimension_exchange/dimension_exchange.hpp"

#include <algorithm>

#include "algorithms/dimension_exchange/dimension_exchange_path.hpp"
#include "algorithms/dimension_exchange/dimension_exchange_ring.hpp"

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

}  // namespace

Kind kind_of(const Graph& graph) {
  if (graph.cyclic && graph.ports + 1 == graph.nodes) return Kind::Complete;
  if (graph.cyclic && graph.ports == 2 && graph.peer(0, 0).node == 1) return Kind::Ring;
  return is_path(graph) ? Kind::Path : Kind::Other;
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
    default: return complete_single_port(graph.nodes);
  }
}

std::uint64_t single_port_rounds(const Graph& graph) {
  const std::uint64_t n = graph.nodes;
  switch (kind_of(graph)) {
    case Kind::Ring: return n * n / 4;
    case Kind::Path: return n % 2 == 0 ? n * n / 2 - 1 : (n * n - 1) / 2;
    default: return n - 1;
  }
}

Exchange all_port(const Graph& graph) {
  switch (kind_of(graph)) {
    case Kind::Ring: return ring_all_port(graph.nodes);
    case Kind::Path: return path_all_port(graph.nodes);
    default: return complete_all_port(graph.nodes);
  }
}

std::uint64_t all_port_rounds(const Graph& graph) {
  const std::uint64_t n = graph.nodes;
  switch (kind_of(graph)) {
    case Kind::Ring: return n % 2 == 1 ? (n * n - 1) / 8 : (n * n + 7) / 8;
    case Kind::Path: return n / 2 * (n - n / 2);
    default: return 1;
  }
}

std::uint64_t hops(const Graph& graph) {
  const std::uint64_t n = graph.nodes;
  switch (kind_of(graph)) {
    case Kind::Ring: return n * (n * n / 4);
    case Kind::Path: return n * (n * n - 1) / 3;
    default: return n * (n - 1);
  }
}

Node single_port_period(const Graph& graph) {
  return kind_of(graph) == Kind::Path ? graph.nodes : 1;
}

Node all_port_period(const Graph& graph) {
  if (kind_of(graph) == Kind::Path) return graph.nodes;
  return kind_of(graph) == Kind::Ring && graph.nodes % 2 == 0 ? 2 : 1;
}

}  // namespace gossamer::dimension_exchange
