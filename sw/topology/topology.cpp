#include "topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "support/job.hpp"
#include "support/memory.hpp"
#include "support/words.hpp"

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
  const auto x = number_of<Node>(text);
  return x && *x < nodes_ ? x : std::nullopt;
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

namespace {

/// A translation may change a digit only in a factor that can be translated.
void require_translation(const Topology& topology, Node by) {
  if (by >= topology.nodes()) throw std::logic_error("Symmetry: generator is no node");
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    if (topology.digit(by, f) != 0 && !topology.factors()[f].cyclic) {
      throw std::logic_error("Symmetry: generator moves along a factor that is not cyclic");
    }
  }
}

/// gcd(a,b) = a*x + b*y.
struct Bezout {
  std::int64_t gcd, x, y;
};

Bezout bezout(std::int64_t a, std::int64_t b) {
  if (b == 0) return {a, 1, 0};
  const Bezout inner = bezout(b, a % b);
  return {inner.gcd, inner.y, inner.x - a / b * inner.y};
}

}  // namespace

Symmetry::Symmetry(const Topology& topology, std::span<const Node> generators)
    : nodes_(topology.nodes()) {
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    const Node radix = topology.factors()[f].nodes;
    axes_.push_back({radix, topology.stride(f), radix, 0, std::vector<Node>(f + 1, 0)});
  }
  for (const Node g : generators) {
    require_translation(topology, g);
    insert(digits_of(g), axes_.size());
  }
  for (Axis& axis : axes_) {
    axis.class_stride = classes_;
    classes_ *= axis.pivot;
  }
}

/// Adds the translation with these digits, which moves nothing from factor `end` on (Hermite normal
/// form, from the last factor down). The least step that it and the basis can make together becomes
/// the pivot. What remains of either, and the multiple of the new basis element that leads once
/// around, do not move this factor and are passed to the factors before it.
void Symmetry::insert(std::vector<Node> digits, std::size_t end) {
  while (end > 0 && digits[end - 1] == 0) --end;
  if (end == 0) return;
  const std::size_t f = end - 1;
  Axis& axis = axes_[f];
  const auto combination = [&](std::int64_t a, const std::vector<Node>& u, std::int64_t b,
                               const std::vector<Node>& v) {
    std::vector<Node> sum(end);
    for (std::size_t g = 0; g < end; ++g) {
      const std::int64_t radix = axes_[g].radix;
      const std::int64_t digit = (a % radix * u[g] + b % radix * v[g]) % radix;
      sum[g] = static_cast<Node>(digit < 0 ? digit + radix : digit);
    }
    return sum;
  };

  const std::int64_t old_pivot = axis.pivot, step = digits[f];
  const Bezout least = bezout(old_pivot, step);
  const std::vector<Node> old_basis = axis.basis;
  std::vector<Node> rest = combination(1, digits, 0, digits);
  if (least.gcd != old_pivot) {
    axis.basis = combination(least.x, old_basis, least.y, digits);
    axis.pivot = static_cast<Node>(least.gcd);
    insert(combination(1, old_basis, -(old_pivot / least.gcd), axis.basis), f);
    insert(combination(axis.radix / axis.pivot, axis.basis, 0, digits), f);
  }
  insert(combination(1, rest, -(step / least.gcd), axis.basis), f);
}

std::vector<Node> Symmetry::digits_of(Node x) const {
  std::vector<Node> digits;
  for (const Axis& axis : axes_) digits.push_back(x / axis.stride % axis.radix);
  return digits;
}

Node Symmetry::node_of(const std::vector<Node>& digits) const {
  Node x = 0;
  for (std::size_t f = 0; f < axes_.size(); ++f) x += digits[f] * axes_[f].stride;
  return x;
}

/// Translates to the representative: every digit below its pivot, starting with the last.
void Symmetry::reduce(std::vector<Node>& digits) const {
  for (std::size_t f = axes_.size(); f-- > 0;) {
    const Axis& axis = axes_[f];
    const std::uint64_t times = digits[f] / axis.pivot;
    if (times == 0) continue;
    for (std::size_t g = 0; g <= f; ++g) {
      const std::uint64_t radix = axes_[g].radix;
      const std::uint64_t back = times * axis.basis[g] % radix;
      digits[g] = static_cast<Node>((digits[g] + radix - back) % radix);
    }
  }
}

std::vector<Node> Symmetry::elements() const {
  const std::size_t bytes =
      sizeof(Node) + sizeof(std::vector<Node>) + 2 * sizeof(Node) * axes_.size() + 32;
  require_memory(static_cast<double>(order()) * static_cast<double>(bytes),
                 fmt::format("the list of {} translations", order()));
  std::vector<std::vector<Node>> found = {std::vector<Node>(axes_.size(), 0)};
  for (std::size_t f = 0; f < axes_.size(); ++f) {
    const Axis& axis = axes_[f];
    const std::size_t size = found.size();
    for (std::uint64_t times = 1; times < axis.radix / axis.pivot; ++times) {
      for (std::size_t e = 0; e < size; ++e) {
        stop_if_interrupted();
        std::vector<Node> digits = found[e];
        for (std::size_t g = 0; g <= f; ++g) {
          digits[g] = static_cast<Node>((digits[g] + times * axis.basis[g]) % axes_[g].radix);
        }
        found.push_back(std::move(digits));
      }
    }
  }
  std::vector<Node> nodes;
  for (const auto& digits : found) nodes.push_back(node_of(digits));
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

std::vector<Node> Symmetry::generators() const {
  std::vector<Node> nodes;
  for (const Axis& axis : axes_) {
    if (axis.pivot == axis.radix) continue;
    Node x = 0;
    for (std::size_t f = 0; f < axis.basis.size(); ++f) x += axis.basis[f] * axes_[f].stride;
    nodes.push_back(x);
  }
  return nodes;
}

Node Symmetry::representative(Node c) const {
  if (trivial()) return c;
  Node x = 0;
  for (const Axis& axis : axes_) x += c / axis.class_stride % axis.pivot * axis.stride;
  return x;
}

Node Symmetry::class_of(Node x) const {
  if (trivial()) return x;
  if (classes_ == 1) return 0;
  std::vector<Node> digits = digits_of(x);
  reduce(digits);
  Node c = 0;
  for (std::size_t f = 0; f < axes_.size(); ++f) c += digits[f] * axes_[f].class_stride;
  return c;
}

Node Symmetry::shift(Node x) const {
  if (trivial()) return 0;
  if (classes_ == 1) return x;
  const std::vector<Node> digits = digits_of(x);
  std::vector<Node> moved = digits;
  reduce(moved);
  for (std::size_t f = 0; f < axes_.size(); ++f) {
    moved[f] = (digits[f] + axes_[f].radix - moved[f]) % axes_[f].radix;
  }
  return node_of(moved);
}

Arcs::Arcs(const Topology& topology) : first_{0} {
  const Node n = topology.nodes();
  std::vector<ArcId> arc_at(std::size_t{n} * topology.ports(), kNoArcId);
  for (Node x = 0; x < n; ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (!topology.sends(x, p)) continue;
      arc_at[std::size_t{x} * topology.ports() + p] = static_cast<ArcId>(heads_.size());
      heads_.push_back(e.node);
      tails_.push_back(x);
    }
    first_.push_back(static_cast<ArcId>(heads_.size()));
  }
  reverse_.resize(heads_.size());
  for (Node x = 0; x < n; ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (!topology.sends(x, p)) continue;
      reverse_[arc_at[std::size_t{x} * topology.ports() + p]] =
          arc_at[std::size_t{e.node} * topology.ports() + e.port];
    }
  }
}

std::vector<std::uint32_t> distances_from(const Arcs& arcs, Node x) {
  std::vector<std::uint32_t> distance(arcs.nodes(), ~std::uint32_t{0});
  std::vector<Node> order = {x};
  distance[x] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Node y : arcs.neighbours(order[i])) {
      if (distance[y] != ~std::uint32_t{0}) continue;
      distance[y] = distance[order[i]] + 1;
      order.push_back(y);
    }
  }
  return distance;
}

}  // namespace gossamer
