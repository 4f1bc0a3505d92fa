#include "bounds/routing.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "bounds/resources.hpp"
#include "support/job.hpp"

namespace gossamer::bounds {
namespace {

/// Lengths are whole numbers up to this one, so that all sums are exact.
constexpr std::uint64_t kLongest = 1u << 16;
/// Link ends visited by all searches together.
constexpr std::uint64_t kMostVisits = 8'000'000;
constexpr std::uint64_t kMostTrials = 150;

using Lengths = std::vector<std::uint64_t>;

class Metric {
 public:
  /// `amounts` from each node to each, by origins; empty: 1 each.
  Metric(const Arcs& arcs, const Resources& resources, std::span<const std::uint64_t> amounts)
      : arcs_(arcs), resources_(resources), amounts_(amounts), arrives_(arcs.nodes()) {}

  /// Sets the loads if each pair uses a shortest path, and returns the sum of the distances.
  std::uint64_t route(const Lengths& lengths, std::vector<double>& loads) {
    loads.assign(resources_.count(), 0);
    std::uint64_t sum = 0;
    for (Node x = 0; x < arcs_.nodes(); ++x) {
      stop_if_interrupted();
      sum = add_saturating(sum, search(x, lengths));
      load_tree(x, loads);
    }
    return sum;
  }

 private:
  std::uint64_t amount(Node from, Node to) const {
    return amounts_.empty() ? 1 : amounts_[std::size_t{from} * arcs_.nodes() + to];
  }
  /// Keeps the tree and the order of its nodes.
  std::uint64_t search(Node x, const Lengths& lengths) {
    distance_.assign(arcs_.nodes(), ~std::uint64_t{0});
    distance_[x] = 0;
    order_.clear();
    std::uint64_t sum = 0;
    const auto over = [&](std::uint64_t d, ArcId a) { return d + resources_.sum(a, lengths); };
    cheapest_ways(arcs_, {&x, 1}, distance_, arrives_, over, [&](Node y) {
      order_.push_back(y);
      sum = add_saturating(sum, multiply_saturating(distance_[y], amount(x, y)));
      return false;
    });
    return sum;
  }

  void load_tree(Node x, std::vector<double>& loads) {
    std::vector<double> below(arcs_.nodes());
    for (Node y = 0; y < arcs_.nodes(); ++y) below[y] = static_cast<double>(amount(x, y));
    for (std::size_t i = order_.size() - 1; i > 0; --i) {
      const ArcId a = arrives_[order_[i]];
      for (const Resource r : resources_.of(a)) loads[r] += below[order_[i]];
      below[arcs_.tail(a)] += below[order_[i]];
    }
  }

  const Arcs& arcs_;
  const Resources& resources_;
  std::span<const std::uint64_t> amounts_;
  std::vector<std::uint64_t> distance_;
  std::vector<ArcId> arrives_;
  std::vector<Node> order_;
};

/// Weights as whole numbers; zero where a resource hardly matters.
Lengths rounded(const std::vector<double>& weights) {
  const double most = *std::ranges::max_element(weights);
  Lengths lengths;
  for (const double w : weights) {
    lengths.push_back(static_cast<std::uint64_t>(w / most * static_cast<double>(kLongest)));
  }
  return lengths;
}

/// Is a/b less than c/d?
bool less(const RoutingLoad& a, const RoutingLoad& b) {
  return static_cast<unsigned __int128>(a.distances) * b.lengths <
         static_cast<unsigned __int128>(b.distances) * a.lengths;
}

RoutingLoad load_of(const Arcs& arcs, const Resources& resources,
                    std::span<const std::uint64_t> amounts) {
  Metric metric(arcs, resources, amounts);
  std::vector<double> weights(resources.count(), 0), loads;
  for (ArcId a = 0; a < arcs.count(); ++a) {
    for (const Resource r : resources.of(a)) weights[r] = 1;
  }
  RoutingLoad best;
  const std::uint64_t visits = std::uint64_t{arcs.nodes()} * arcs.count();
  const std::uint64_t trials = std::clamp<std::uint64_t>(kMostVisits / visits, 1, kMostTrials);
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const Lengths lengths = rounded(weights);
    RoutingLoad found{0, 0};
    for (const std::uint64_t l : lengths) found.lengths += l;
    found.distances = metric.route(lengths, loads);
    if (less(best, found)) best = found;
    const double most = *std::ranges::max_element(loads);
    const double step = 1.0 / std::sqrt(1.0 + static_cast<double>(trial));
    for (std::size_t r = 0; r < weights.size(); ++r) weights[r] *= std::exp(step * loads[r] / most);
  }
  return best;
}

/// A question that was answered.
struct Asked {
  std::vector<Node> heads;  ///< of all arcs, with the number of each node's before them
  PortModel ports;
  Duplex duplex;
  std::vector<std::uint64_t> amounts;
  bool operator==(const Asked&) const = default;
};

}  // namespace

RoutingLoad routing_load(const Topology& topology, PortModel ports, Duplex duplex,
                         std::span<const std::uint64_t> amounts) {
  const std::uint64_t n = topology.nodes();
  const bool alike = amounts.empty() && topology.translatable();
  if (n < 2 || n * n * topology.ports() > kMostVisits || alike) return {};
  const Arcs arcs(topology);
  Asked asked{{}, ports, duplex, {amounts.begin(), amounts.end()}};
  for (Node x = 0; x < n; ++x) {
    asked.heads.push_back(arcs.degree(x));
    asked.heads.insert(asked.heads.end(), arcs.neighbours(x).begin(), arcs.neighbours(x).end());
  }
  thread_local std::optional<std::pair<Asked, RoutingLoad>> last;
  if (!last || last->first != asked) {
    const RoutingLoad load = load_of(arcs, Resources(arcs, ports, duplex), amounts);
    last.emplace(std::move(asked), load);
  }
  return last->second;
}

}  // namespace gossamer::bounds
