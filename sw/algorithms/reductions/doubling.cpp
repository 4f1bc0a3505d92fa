#include <fmt/format.h>

#include <bit>

#include "algorithms/common/all.hpp"
#include "algorithms/reductions/reductions.hpp"

namespace gossamer {
namespace {

using namespace reductions;

/// Does a link join each node x to x ^ mask?
bool matches(const Graph& graph, Node mask) {
  for (Node x = 0; x < graph.nodes; ++x) {
    Port p = 0;
    while (p < graph.ports && graph.peer(x, p).node != (x ^ mask)) ++p;
    if (p == graph.ports) return false;
  }
  return true;
}

/// A mask for each round within a factor of 2^d nodes: 1, 2, 4 ... or, around a ring of four, 1 and
/// 3. None if the factor has no such matchings.
std::vector<Node> masks(const Graph& graph) {
  std::vector<Node> found;
  if (!std::has_single_bit(graph.nodes)) return found;
  for (Node bit = 1; bit < graph.nodes; bit *= 2) {
    const Node mask = matches(graph, bit) ? bit : 2 * bit - 1;
    if (!matches(graph, mask)) return {};
    found.push_back(mask);
  }
  return found;
}

std::uint64_t log2(const Request& request) {
  return static_cast<std::uint64_t>(std::bit_width(request.topology.nodes()) - 1);
}

std::optional<std::string> refuses(const Request& request) {
  if (log2(request) * request.topology.nodes() > kMostTransfers) {
    return fmt::format("doubling lists {} transfers at most", kMostTransfers);
  }
  for (const Graph& factor : request.topology.factors()) {
    if (!masks(factor).empty() || factor.nodes == 1) continue;
    return fmt::format(
        "doubling needs a product of rings of 2 or 4 nodes, of complete graphs of 2, 4, 8 ..., or "
        "of hypercubes; {} is none",
        factor.spec);
  }
  return std::nullopt;
}

Formula formula(const Request& request) { return {"log2(N)", log2(request)}; }

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  Schedule schedule =
      empty_schedule(request, {request.ports, request.duplex, Switching::Packet, false});
  schedule.reserve(log2(request) * topology.nodes());
  const Message sum[] = {{request.root}};
  std::uint32_t round = 0;
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    for (const Node mask : masks(topology.factors()[f])) {
      ++round;
      for (Node x = 0; x < topology.nodes(); ++x) {
        const Node digit = topology.digit(x, f);
        const Node path[] = {x, x + ((digit ^ mask) - digit) * topology.stride(f)};
        schedule.add(round, path, sum);
      }
    }
  }
  return schedule;
}

}  // namespace

const Algorithm kDoubling = {
    .name = "doubling",
    .summary = "all-reduce on hypercubes and complete graphs of 2^d nodes, and products of them",
    .serves = every({Collective::AllReduce}, {PortModel::Single, PortModel::All}, {Duplex::Full}),
    .needs = refuses,
    .formula = formula,
    .make = plan,
};

}  // namespace gossamer
