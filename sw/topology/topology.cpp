#include "topology/topology.hpp"

#include <stdexcept>
#include <utility>

namespace gossamer {

Topology::Topology(std::string spec, std::vector<Graph> factors) : spec_(std::move(spec)) {
  for (const Graph& graph : factors) {
    strides_.push_back(nodes_);
    first_ports_.push_back(ports_);
    factor_of_port_.insert(factor_of_port_.end(), graph.ports,
                           static_cast<std::uint32_t>(strides_.size() - 1));
    if (std::uint64_t{nodes_} * graph.nodes > std::uint64_t{1} << 31) {
      throw std::logic_error("Topology: more than 2^31 nodes");
    }
    nodes_ *= graph.nodes;
    ports_ += graph.ports;
    translatable_ = translatable_ && graph.cyclic;
    parallel_ = parallel_ || graph.parallel;
  }
  factors_ = std::make_shared<const std::vector<Graph>>(std::move(factors));
}

Port Topology::port_to(Node from, Node to, std::uint32_t lane) const {
  if (from >= nodes_ || to >= nodes_) return kNoPort;
  for (std::size_t f = 0; f < factors_->size(); ++f) {
    const Node here = digit(from, f), there = digit(to, f);
    if (here == there) continue;
    // Neighbours differ in exactly one digit, and this is the first that differs.
    if (from + (there - here) * strides_[f] != to) return kNoPort;
    const Graph& graph = (*factors_)[f];
    for (Port p = 0; p < graph.ports; ++p) {
      if (graph.peer(here, p).node == there && lane-- == 0) return first_ports_[f] + p;
    }
    return kNoPort;
  }
  return kNoPort;
}

Port Topology::degree(Node x) const {
  Port links = 0;
  for (Port p = 0; p < ports_; ++p) links += peer(x, p).connected() ? 1 : 0;
  return links;
}

Node Topology::translate(Node x, Node by) const {
  Node sum = 0;
  for (std::size_t f = 0; f < factors_->size(); ++f) {
    const Node radix = (*factors_)[f].nodes;
    sum += (digit(x, f) + digit(by, f)) % radix * strides_[f];
  }
  return sum;
}

Node Topology::negate(Node by) const {
  Node negative = 0;
  for (std::size_t f = 0; f < factors_->size(); ++f) {
    const Node radix = (*factors_)[f].nodes;
    negative += (radix - digit(by, f)) % radix * strides_[f];
  }
  return negative;
}

}  // namespace gossamer
