#include "algorithms/dimension_exchange/copies_of_dimension.hpp"

#include <fmt/format.h>

#include "algorithms/any_graph/factor_plan.hpp"
#include "bounds/arithmetic.hpp"

namespace gossamer::copies {
namespace {

/// Transfers that a schedule may list: about 2 GB.
constexpr std::uint64_t kMostTransfers = std::uint64_t{1} << 25;

std::uint64_t listed_transfers(const Topology& topology, Node (*period_of)(const Graph&)) {
  std::uint64_t hops = 0, order = 1;
  for (const Graph& graph : topology.factors()) {
    const std::uint64_t copies = topology.nodes() / graph.nodes;
    hops = bounds::add_saturating(
        hops, bounds::multiply_saturating(copies * copies, dimension_exchange::hops(graph)));
    order *= graph.nodes / period_of(graph);
  }
  return hops / order;
}

}  // namespace

Symmetry symmetry_of(const Topology& topology, Node (*period_of)(const Graph&)) {
  std::vector<Node> generators;
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    const Graph& graph = topology.factors()[f];
    const Node period = period_of(graph);
    if (period < graph.nodes) generators.push_back(period * topology.stride(f));
  }
  return Symmetry(topology, generators);
}

Writer::Writer(Schedule& schedule) : schedule_(schedule) {
  const Topology& topology = schedule.topology();
  const Symmetry& symmetry = schedule.symmetry();
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    auto& by_digit = nodes_.emplace_back(topology.factors()[f].nodes);
    for (Node c = 0; c < symmetry.classes(); ++c) {
      const Node x = symmetry.representative(c);
      by_digit[topology.digit(x, f)].push_back(x);
    }
  }
}

Node Writer::replace_digit(Node x, std::size_t dimension, Node digit) const {
  const Topology& topology = schedule_.topology();
  return x + (digit - topology.digit(x, dimension)) * topology.stride(dimension);
}

Node Writer::offset(std::size_t dimension, const dimension_exchange::Hop& hop) const {
  const Node n = schedule_.topology().factors()[dimension].nodes;
  return (hop.destination + n - hop.origin) % n;
}

void Writer::add(std::uint32_t round, std::size_t dimension, const dimension_exchange::Hop& hop,
                 const Carried& carried) {
  const Topology& topology = schedule_.topology();
  for (const Node x : nodes_[dimension][hop.from]) {
    const Node path[] = {x, replace_digit(x, dimension, hop.to)};
    const Node start = replace_digit(x, dimension, hop.origin);
    const Message message[] = {{.origin = topology.translate(start, carried.origin),
                                .destination = topology.translate(start, carried.destination)}};
    schedule_.add(round, path, message);
  }
}

std::optional<std::string> refuses(std::string_view name, const Request& request,
                                   Node (*period_of)(const Graph&)) {
  const Topology& topology = request.topology;
  const PortModel ports = request.ports;
  for (const Graph& graph : topology.factors()) {
    if (dimension_exchange::kind_of(graph) != dimension_exchange::Kind::Other) continue;
    if (bounds::multiply_saturating(graph.nodes, graph.nodes - 1) > kMostTransfers) {
      return fmt::format("{} would list more than {} transfers on {}", name, kMostTransfers,
                         graph.spec);
    }
    if (ports == PortModel::Single && dimension_exchange::is_cayley(graph)) continue;
    if (topology.factors().size() == 1) {
      return fmt::format("{} needs a product, or a graph that it has a rule for", name);
    }
    if (const auto why = factor_refusal(graph, request.collective, ports, request.duplex)) {
      return fmt::format("{} has no exchange for {}: {}", name, graph.spec, *why);
    }
  }
  const std::uint64_t listed = listed_transfers(topology, period_of);
  if (listed > kMostTransfers) {
    return fmt::format("{} would list {} transfers on {}; it lists up to {}", name, listed,
                       topology.spec(), kMostTransfers);
  }
  return std::nullopt;
}

}  // namespace gossamer::copies
