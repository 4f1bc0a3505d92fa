// Routes of small load for many packets.
//
// First a fractional routing, by multiplicative weights: origin after origin sends along cheapest
// paths, and each time the resources on these cost more. That is done some times over, and each
// packet takes the route that it had at one of these times, drawn by chance. Then packets that use
// a resource with more hops than `goal` are removed and routed again, one by one, many times. There
// the cost of a hop grows with the hops that its resources already have: by a factor e for each
// percent of the load (or each hop, if that is more). So busy resources are avoided even if the way
// is longer.
#include "algorithms/any_graph/routes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>

#include "algorithms/any_graph/random.hpp"
#include "support/interrupt.hpp"

namespace gossamer::any_graph {
namespace {

using bounds::kNoResource;
using bounds::Resource;

class Router {
 public:
  Router(const Arcs& arcs, const bounds::Resources& resources)
      : arcs_(arcs),
        resources_(resources),
        loads_(resources.count(), 0),
        costs_(resources.count(), 1),
        cost_to_(arcs.nodes()),
        arrives_(arcs.nodes()) {}

  /// Part of a fractional routing: the resources on the route that the packet would take now are to
  /// cost more, by a factor e to the power of `step` for each hop.
  void spread(const Packet& packet, double step) {
    for (Node x = packet.message.destination; arrives_[x] != kNoArcId;
         x = arcs_.tail(arrives_[x])) {
      for (const Resource r : resources_.of(arrives_[x])) {
        if (r != kNoResource) costs_[r] *= 1 + step;
      }
    }
  }

  /// Costs of at most 1.
  void normalise() {
    const double most = *std::ranges::max_element(costs_);
    for (double& cost : costs_) cost = std::max(cost / most, 1e-6);
  }

  /// What one more hop costs is measured against the busiest resource of this moment.
  void begin_pass() {
    busiest_ = *std::ranges::max_element(loads_);
    scale_ = std::max(1.0, static_cast<double>(busiest_) / 100);
    for (Resource r = 0; r < loads_.size(); ++r) price(r);
  }

  void take_away(const Packet& packet) { change(packet, -1); }

  void count(const Packet& packet) { change(packet, 1); }

  /// The packet's route becomes the cheapest of the tree that grow() made.
  void take_route(Packet& packet) const {
    packet.route.clear();
    for (Node x = packet.message.destination; arrives_[x] != kNoArcId;
         x = arcs_.tail(arrives_[x])) {
      packet.route.push_back(arrives_[x]);
    }
    std::ranges::reverse(packet.route);
  }

  /// Does the packet use a resource that has too many hops?
  bool hot(const Packet& packet, std::uint64_t goal) const {
    return std::ranges::any_of(packet.route, [&](ArcId a) {
      const auto [one, other] = resources_.of(a);
      return loads_[one] > goal || (other != kNoResource && loads_[other] > goal);
    });
  }

  /// Cheapest paths from `x` to `end`, or to all nodes (Dijkstra).
  void grow(Node x, Node end = kNoNode) {
    std::ranges::fill(cost_to_, std::numeric_limits<double>::infinity());
    std::ranges::fill(arrives_, kNoArcId);
    using Entry = std::pair<double, Node>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> near;
    near.push({cost_to_[x] = 0, x});
    while (!near.empty()) {
      const auto [cost, y] = near.top();
      near.pop();
      if (cost != cost_to_[y]) continue;
      if (y == end) return;
      for (ArcId a = arcs_.first(y); a < arcs_.first(y) + arcs_.degree(y); ++a) {
        const double more = cost + cost_of(a);
        if (more >= cost_to_[arcs_.head(a)]) continue;
        cost_to_[arcs_.head(a)] = more;
        arrives_[arcs_.head(a)] = a;
        near.push({more, arcs_.head(a)});
      }
    }
  }

  std::uint64_t busiest() const { return *std::ranges::max_element(loads_); }

 private:
  double cost_of(ArcId a) const {
    const auto [one, other] = resources_.of(a);
    return costs_[one] + (other == kNoResource ? 0 : costs_[other]);
  }

  void price(Resource r) {
    // Every hop costs something, so that paths stay short where nothing is busy.
    costs_[r] =
        1e-4 + std::exp((static_cast<double>(loads_[r]) - static_cast<double>(busiest_)) / scale_);
  }

  void change(const Packet& packet, std::int64_t by) {
    for (const ArcId a : packet.route) {
      for (const Resource r : resources_.of(a)) {
        if (r == kNoResource) continue;
        loads_[r] += static_cast<std::uint64_t>(by);
        price(r);
      }
    }
  }

  const Arcs& arcs_;
  const bounds::Resources& resources_;
  std::vector<std::uint64_t> loads_;
  std::vector<double> costs_;
  std::uint64_t busiest_ = 0;
  double scale_ = 1;
  std::vector<double> cost_to_;
  std::vector<ArcId> arrives_;
};

/// Each packet takes one of the routes of a fractional routing. Packets are in the order of
/// origins.
void spread_packets(const Arcs& arcs, Router& router, std::vector<Packet>& packets,
                    std::uint64_t goal, Random& random) {
  constexpr std::uint64_t kEnoughVisits = 8'000'000;  // of arcs, in all searches
  const std::uint64_t visits = std::uint64_t{arcs.nodes()} * arcs.count();
  const auto times =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kEnoughVisits / visits, 4, 24));
  // The first routes are not yet good.
  const std::uint32_t first = times / 4;
  std::vector<std::uint32_t> drawn;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    drawn.push_back(first + random.below(times - first));
  }
  std::vector<std::size_t> begins;  // of the packets of each origin
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (i == 0 || packets[i].message.origin != packets[i - 1].message.origin) begins.push_back(i);
  }
  for (std::uint32_t time = 0; time < times; ++time) {
    const double step = 3 / std::sqrt(1.0 + time) / static_cast<double>(goal);
    router.normalise();
    random.shuffle(begins);
    for (const std::size_t begin : begins) {
      stop_if_interrupted();
      const Node origin = packets[begin].message.origin;
      router.grow(origin);
      for (std::size_t i = begin; i < packets.size() && packets[i].message.origin == origin; ++i) {
        router.spread(packets[i], step);
        if (drawn[i] == time) router.take_route(packets[i]);
      }
    }
  }
}

}  // namespace

std::vector<Packet> balanced_routes(const Arcs& arcs, const bounds::Resources& resources,
                                    std::vector<Message> messages, std::uint64_t goal,
                                    std::uint32_t seed) {
  constexpr std::uint64_t kMostVisits = 3'000'000;  // of arcs, in all searches for one packet
  constexpr unsigned kFruitless = 6;                // passes
  Random random(seed);
  std::ranges::stable_sort(messages, {}, &Message::origin);
  std::vector<Packet> packets;
  for (const Message& m : messages) packets.push_back({m, {}});

  Router router(arcs, resources);
  spread_packets(arcs, router, packets, goal, random);
  for (const Packet& packet : packets) router.count(packet);
  std::vector<Packet> best = packets;
  std::uint64_t least = router.busiest(), visits = 0;
  std::vector<std::uint32_t> order(packets.size());
  std::iota(order.begin(), order.end(), 0u);
  for (unsigned pass = 0; pass < kFruitless && least > goal && visits < kMostVisits; ++pass) {
    router.begin_pass();
    random.shuffle(order);
    for (const std::uint32_t i : order) {
      Packet& packet = packets[i];
      if (!router.hot(packet, goal)) continue;
      stop_if_interrupted();
      router.take_away(packet);
      router.grow(packet.message.origin, packet.message.destination);
      router.take_route(packet);
      router.count(packet);
      visits += arcs.count() / 2;
      if (visits >= kMostVisits) break;
    }
    if (router.busiest() >= least) continue;
    least = router.busiest();
    best = packets;
    pass = 0;
  }
  return best;
}

}  // namespace gossamer::any_graph
