// Broadcast on tori and hypercubes, of which a dead link or node stops nothing.
//
// Each link of the root begins a tree, which leads one piece of the message to all nodes. Let the
// root have all digits 0. The tree that begins up dimension i comes to a node so: up dimension i to
// its digit there, but half way around at most; then, with dimension i+1 first and i-1 last, the
// shorter way around each to the digits there; and last up dimension i, if its digit is beyond half
// way, or down to digit 0, if it is that. The tree that begins down dimension i is its mirror
// image.
//
// The ways to a node are in each tree others: no two have a link in common, or a node but their
// ends. (Two trees of different dimensions turn at a node by different digits; two of one dimension
// are on different sides.) So what dies is on one of them at most. One piece is the exclusive or of
// the others: a node works out what it lacks (Schedule::tolerance).
#include <fmt/format.h>

#include <algorithm>

#include "algorithms/common/all.hpp"

namespace gossamer {
namespace {

/// A tree by the link of the root that begins it.
struct First {
  std::size_t dimension = 0;
  bool up = true;
};

Node side(const Topology& topology, std::size_t f) { return topology.factors()[f].nodes; }

std::vector<First> links_of_root(const Topology& topology) {
  std::vector<First> all;
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    if (side(topology, f) > 1) all.push_back({f, true});
    if (side(topology, f) > 2) all.push_back({f, false});
  }
  return all;
}

/// One step along a dimension.
Node step(const Topology& topology, Node x, std::size_t f, bool up) {
  const Node d = topology.digit(x, f), r = side(topology, f);
  return x + ((up ? d + 1 : d + r - 1) % r - d) * topology.stride(f);
}

/// The node before `x` on its way from node 0.
Node before(const Topology& topology, const First& first, Node x) {
  const auto [i, up] = first;
  const Node r = side(topology, i), d = topology.digit(x, i);
  const Node steps = up ? d : (r - d) % r, half = up ? r / 2 : (r - 1) / 2;
  if (steps == 0) return step(topology, x, i, up);
  if (steps > half) return step(topology, x, i, !up);
  for (std::size_t k = topology.factors().size() - 1; k > 0; --k) {
    const std::size_t f = (i + k) % topology.factors().size();
    const Node digit = topology.digit(x, f);
    if (digit != 0) return step(topology, x, f, digit > side(topology, f) / 2);
  }
  return step(topology, x, i, !up);
}

std::vector<Branch> tree(const Topology& topology, const First& first, Node root) {
  std::vector<Branch> all;
  std::vector<bool> reached(topology.nodes());
  std::vector<std::uint32_t> branch_to(topology.nodes(), TransferHop::kNone);
  reached[0] = true;
  for (Node end = 1; end < topology.nodes(); ++end) {
    std::vector<Node> way;
    for (Node x = end; !reached[x]; x = before(topology, first, x)) {
      way.push_back(x);
      reached[x] = true;
    }
    for (auto x = way.rbegin(); x != way.rend(); ++x) {
      branch_to[*x] = static_cast<std::uint32_t>(all.size());
      all.push_back({topology.translate(*x, root), branch_to[before(topology, first, *x)]});
    }
  }
  return all;
}

std::optional<std::string> refuses(const Request& request) {
  const Topology& topology = request.topology;
  const bool rings =
      topology.translatable() &&
      std::ranges::all_of(topology.factors(), [](const Graph& g) { return g.ports <= 2; });
  if (!rings || topology.ports() < 2) {
    return fmt::format("{} is no torus or hypercube in which nodes have two links at least",
                       topology.spec());
  }
  if (request.tolerance.value_or(request.tolerant ? 0 : 1) == 1) return std::nullopt;
  return "independent-trees tolerates one dead link or node: ask for a tolerance of 1";
}

Schedule plan(const Request& request) {
  Schedule schedule = empty_schedule(
      request, {request.ports, request.duplex, Switching::Circuit, /*combining=*/false});
  const std::vector<First> links = links_of_root(request.topology);
  const auto pieces =
      static_cast<std::uint32_t>(std::min<std::size_t>(links.size(), request.flits + 1));
  schedule.cut(pieces);
  schedule.tolerance = 1;
  for (std::uint32_t k = 0; k < pieces; ++k) {
    const Message piece[] = {{request.root, kNoNode, k}};
    schedule.add_tree(1, request.root, tree(request.topology, links[k], request.root), piece);
  }
  return schedule;
}

}  // namespace

const Algorithm kIndependentTrees = {
    .name = "independent-trees",
    .summary = "broadcast that tolerates a dead link or node, on tori and hypercubes",
    .serves = every({Collective::Broadcast}, {PortModel::All}, {Duplex::Full}),
    .needs = refuses,
    .make = plan,
    .tolerates = [](const Request&) { return 1u; },
    .switching = Switching::Circuit,
    .most_nodes = 65536,
};

}  // namespace gossamer
