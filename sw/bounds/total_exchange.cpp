#include "bounds/total_exchange.hpp"

#include <algorithm>
#include <vector>

#include "bounds/arithmetic.hpp"
#include "bounds/distances.hpp"

namespace gossamer::bounds {
namespace {

/// Links between digits 0 .. i and the others, for each i.
std::vector<std::uint64_t> links_across(const Graph& graph) {
  std::vector<std::uint64_t> across(graph.nodes, 0), ending(graph.nodes, 0);
  for (Node x = 0; x < graph.nodes; ++x) {
    for (Port p = 0; p < graph.ports; ++p) {
      const Endpoint e = graph.peer(x, p);
      if (!e.connected()) continue;
      ++(e.node > x ? across : ending)[x];
    }
  }
  for (Node i = 1; i < graph.nodes; ++i) across[i] += across[i - 1] - ending[i];
  return across;
}

bool is_long_path(const Graph& graph) {
  const auto across = links_across(graph);
  return graph.nodes > 2 && !graph.cyclic && graph.ports == 2 &&
         std::all_of(across.begin(), across.end() - 1, [](std::uint64_t l) { return l == 1; });
}

}  // namespace

std::uint64_t status(const Graph& graph, Node x) {
  std::uint64_t total = 0;
  const Profile counts = profile(graph, x);
  for (std::size_t d = 0; d < counts.size(); ++d) total += d * counts[d];
  return total;
}

std::uint64_t status(const Topology& topology, Node x) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < topology.factors().size(); ++i) {
    const Graph& dimension = topology.factors()[i];
    total += topology.nodes() / dimension.nodes * status(dimension, topology.digit(x, i));
  }
  return total;
}

double average_status(const Graph& graph) {
  std::uint64_t total = 0;
  for (Node x = 0; x < graph.nodes; ++x) total += status(graph, x);
  return static_cast<double>(total) / graph.nodes;
}

double average_status(const Topology& topology) {
  double sum = 0;
  for (const Graph& dimension : topology.factors()) {
    sum += average_status(dimension) / dimension.nodes;
  }
  return topology.nodes() * sum;
}

std::uint64_t cut_rounds(const Topology& topology, Duplex duplex, std::uint64_t flits) {
  std::uint64_t most = 0;
  for (const Graph& dimension : topology.factors()) {
    const std::uint64_t r = dimension.nodes, copies = topology.nodes() / r;
    const std::vector<std::uint64_t> across = links_across(dimension);
    for (std::uint64_t i = 0; i + 1 < r; ++i) {
      std::uint64_t messages = multiply_saturating(copies, (i + 1) * (r - 1 - i));
      if (duplex == Duplex::Half) messages = multiply_saturating(messages, 2);
      most = std::max(most, divide_up(multiply_saturating(messages, flits), across[i]));
    }
  }
  return most;
}

std::uint64_t middle_of_path_rounds(const Topology& topology) {
  std::uint64_t most = 0;
  for (const Graph& dimension : topology.factors()) {
    if (!is_long_path(dimension)) continue;
    const std::uint64_t r = dimension.nodes, middle = topology.nodes() / r, c = r / 2;
    const std::uint64_t across = (c + 1) * (r - 1 - c) + c * (r - c);
    most = std::max(most, multiply_saturating(middle, across) + middle - 1);
  }
  return most;
}

}  // namespace gossamer::bounds
