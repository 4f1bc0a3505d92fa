#include "algorithms/common/sender_classes.hpp"

#include "support/job.hpp"

namespace gossamer {
namespace {

Node power_of_two_in(Node n) { return n & (~n + 1); }

/// By dimension: has it links through the same port of both ends?
std::vector<bool> dimensions_of_equal_ends(const Topology& topology) {
  std::vector<bool> all(topology.factors().size(), false);
  for (Port p = 0; p < topology.ports(); ++p) {
    if (port_back(topology, p) != p) continue;
    const Node end = topology.peer(0, p).node;
    for (std::size_t f = 0; f < all.size(); ++f) {
      if (topology.digit(end, f) != 0) all[f] = true;
    }
  }
  return all;
}

}  // namespace

SenderClasses::SenderClasses(const Topology& topology, Duplex duplex) {
  const auto factors = topology.factors();
  std::vector<Node> weights(factors.size(), 0);
  if (duplex == Duplex::Half) {
    const std::vector<bool> equal_ends = dimensions_of_equal_ends(topology);
    for (std::size_t f = 0; f < factors.size(); ++f) {
      if (!equal_ends[f] || power_of_two_in(factors[f].nodes) <= count_) continue;
      count_ = power_of_two_in(factors[f].nodes);
      unit_ = topology.stride(f);
    }
    for (std::size_t f = 0; f < factors.size(); ++f) {
      if (equal_ends[f]) weights[f] = count_ / power_of_two_in(factors[f].nodes);
    }
  }
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const Node step = topology.stride(f);
    const bool is_unit = step == unit_;
    generators_.push_back(is_unit ? count_ % factors[f].nodes * step
                                  : topology.translate(step, topology.negate(weights[f] * unit_)));
  }
  if (count_ == 1) return;
  class_of_.assign(topology.nodes(), 0);
  for (Node x = 0; x < topology.nodes(); ++x) {
    stop_if_interrupted();
    for (std::size_t f = 0; f < factors.size(); ++f) {
      class_of_[x] = (class_of_[x] + topology.digit(x, f) * weights[f]) % count_;
    }
  }
}

}  // namespace gossamer
