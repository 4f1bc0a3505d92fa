#include "topology/topology.hpp"

#include <algorithm>
#include <charconv>
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
    one_way_ = one_way_ || !graph.silent.empty();
  }
  factors_ = std::make_shared<const std::vector<Graph>>(std::move(factors));
}

std::string Topology::name(Node x) const {
  return named() && x < nodes_ ? factors_->front().names[x] : std::to_string(x);
}

std::optional<Node> Topology::node_named(std::string_view text) const {
  if (named()) {
    const auto& names = factors_->front().names;
    const auto at = std::ranges::find(names, text);
    if (at != names.end()) return static_cast<Node>(at - names.begin());
  }
  Node x = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc{} || stop != text.data() + text.size() || x >= nodes_) return {};
  return x;
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
      if (graph.peer(here, p).node != there || !sends(from, first_ports_[f] + p)) continue;
      if (lane-- == 0) return first_ports_[f] + p;
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
