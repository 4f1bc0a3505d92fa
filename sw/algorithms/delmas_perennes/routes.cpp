// From the rounds of paper 2 to transfers: one representative of each orbit.

#include <fmt/format.h>

#include <cstdlib>

#include "algorithms/delmas_perennes/delmas_perennes.hpp"

namespace gossamer::delmas_perennes {
namespace {

/// A node of TM(n)^3 that walks.
class Walker {
 public:
  Walker(Node n, Node x1) : n_(n), x_{x1, 0, 0} {}
  Node node() const { return x_[0] + n_ * (x_[1] + n_ * x_[2]); }
  void hop(unsigned axis, bool backwards) { x_[axis] = (x_[axis] + (backwards ? n_ - 1 : 1)) % n_; }

 private:
  Node n_;
  std::array<Node, 3> x_;
};

Node power_of_7(unsigned e) { return e == 0 ? 1 : 7 * power_of_7(e - 1); }

std::vector<Node> dilated_path(Walker walker, const Dipath& dipath, std::uint64_t dilation) {
  std::vector<Node> path = {walker.node()};
  for (const Leg& leg : dipath) {
    const bool backwards = leg.steps < 0;
    const std::uint64_t hops = dilation * static_cast<std::uint64_t>(std::abs(leg.steps));
    for (std::uint64_t h = 0; h < hops; ++h) {
      walker.hop(leg.axis, backwards);
      path.push_back(walker.node());
    }
  }
  return path;
}

unsigned colour_after(unsigned colour, const Dipath& dipath) {
  int sum = static_cast<int>(colour);
  for (const Leg& leg : dipath) sum += (leg.axis + 1) * leg.steps;
  return static_cast<unsigned>(((sum % 7) + 7) % 7);
}

/// Does an active node of colour `from` send to one of colour `to` in a round of this kind?
bool talks(StepKind kind, unsigned from, unsigned to) {
  switch (kind) {
    case StepKind::Concentrate: return from != 0 && to == 0;
    case StepKind::ExchangePieces: return to != 0;  // code vertices have all pieces already
    default: return from == 0;
  }
}

}  // namespace

std::vector<Route> routes(const Step& step, unsigned i) {
  const Node n = power_of_7(i);
  const Node classes = n / static_cast<Node>(step.dilation);
  std::vector<Route> found;
  // Node (x1,0,0) has weight x1, so these are one active node of each class.
  for (Node c = 0; c < classes; ++c) {
    const Walker start(n, c * static_cast<Node>(step.dilation));
    for (const Dipath& dipath : step.dipaths) {
      const unsigned from = c % 7;
      const unsigned to = colour_after(from, dipath);
      if (!talks(step.kind, from, to)) continue;
      found.push_back({from, to, dilated_path(start, dipath, step.dilation)});
    }
  }
  return found;
}

unsigned exponent(const Topology& topology) {
  if (topology.factors().size() != 3) return 0;
  const Node n = topology.factors()[0].nodes;
  for (const Graph& factor : topology.factors()) {
    if (factor.spec != fmt::format("ring:{}", n)) return 0;
  }
  unsigned i = 0;
  Node rest = n;
  for (; rest % 7 == 0; rest /= 7) ++i;
  return rest == 1 ? i : 0;
}

std::optional<std::string> refuses(const Request& request) {
  if (request.collective != Collective::Gossip) {
    return fmt::format("it serves gossip only, not {}", to_string(request.collective));
  }
  if (request.ports != PortModel::All) return "it needs all ports";
  if (request.duplex != Duplex::Full) return "it needs full-duplex links";
  if (exponent(request.topology) == 0) {
    return "it needs three equal rings of a power of 7, such as torus:7x7x7";
  }
  return std::nullopt;
}

Schedule empty_schedule(const Topology& topology) {
  const Node n = topology.factors()[0].nodes;
  // (-2,1,0) and (-3,0,1) generate all nodes of weight 0.
  const Node generators[] = {(n - 2) + n, (n - 3) + n * n};
  const Model model{PortModel::All, Duplex::Full, Switching::Circuit, /*combining=*/true};
  return {topology, Collective::Gossip, model, Symmetry(topology, generators)};
}

}  // namespace gossamer::delmas_perennes
