#include "algorithms/single_port/cycle_gossip.hpp"

#include <utility>

#include "algorithms/single_port/ring.hpp"
#include "support/interrupt.hpp"

namespace gossamer {
namespace {

/// Can the topology be translated by `by`?
bool translates(const Topology& topology, Node by) {
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    if (topology.digit(by, f) != 0 && !topology.factors()[f].cyclic) return false;
  }
  return true;
}

/// Is moving `places` along the cycle the same translation everywhere?
bool repeats(const Topology& topology, const std::vector<Node>& cycle, Node places) {
  const Node n = topology.nodes();
  const Node by = topology.translate(cycle[places], topology.negate(cycle[0]));
  if (!translates(topology, by)) return false;
  for (Node i = 0; i < n; ++i) {
    stop_if_interrupted();
    if (cycle[(i + std::uint64_t{places}) % n] != topology.translate(cycle[i], by)) return false;
  }
  return true;
}

/// The translation by the fewest places that leaves the cycle and the roles of its places unchanged
/// (the ring may be rotated by multiples of `period` places); 0 if there is none. A schedule kept
/// as orbits of this translation is smaller by the size of an orbit.
Node cycle_period(const Topology& topology, const std::vector<Node>& cycle, Node period) {
  const Node n = topology.nodes();
  if (period == 0) return 0;
  for (Node places = period; places < n; places += period) {
    stop_if_interrupted();
    if (n % places == 0 && repeats(topology, cycle, places)) {
      return topology.translate(cycle[places], topology.negate(cycle[0]));
    }
  }
  return 0;
}

}  // namespace

CycleGossip::CycleGossip(const Topology& topology, std::vector<Node> cycle, Duplex duplex)
    : cycle_(std::move(cycle)), place_(cycle_.size()), duplex_(duplex) {
  for (Node i = 0; i < nodes(); ++i) {
    stop_if_interrupted();
    place_[cycle_[i]] = i;
  }
  period_ = cycle_period(topology, cycle_, ring_algorithm::period(nodes(), duplex));
}

std::uint32_t CycleGossip::steps() const {
  return static_cast<std::uint32_t>(ring_algorithm::formula(nodes(), duplex_).rounds);
}

std::optional<Send> CycleGossip::send(std::uint32_t step, Node x) const {
  const Node i = place_[x];
  const auto index = ring_algorithm::send(nodes(), duplex_, step, i);
  if (!index) return std::nullopt;
  return Send{cycle_[(i + 1) % nodes()], *index};
}

Node CycleGossip::origin(Node x, std::uint32_t index) const {
  return cycle_[(place_[x] + nodes() - index) % nodes()];
}

}  // namespace gossamer
