// Routes of small load for many packets.
//
// First a fractional routing, by multiplicative weights: origin after origin sends along cheapest
// paths, and each time the resources on these cost more. That is done some times over, and each
// packet takes the route that it had at one of these times, drawn by chance. Then packets that use
// a resource with more hops than `goal` are removed and routed again, one by one, many times. There
// the cost of a hop grows with the hops that its resources already have: by a factor e for each
// percent of the load (or each hop, if that is more). So busy resources are avoided even if the way
// is longer.

// A schedule for packets whose routes are given.
//
// In a round arcs claim their resources (Claims), in the order of the hops that their busier
// resource still has to serve. An arc sends the packet whose way needs it most: the one with the
// largest sum of the hops up to a resource on its way and the hops which that resource still has to
// serve.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "algorithms/any_graph/any_graph.hpp"
#include "support/job.hpp"

namespace gossamer::any_graph {
namespace {

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
      for (const Resource r : resources_.of(arrives_[x])) costs_[r] *= 1 + step;
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

  /// Counts the packet's hops, or with -1 takes them away.
  void count(const Packet& packet, std::int64_t by = 1) {
    for (const ArcId a : packet.route) {
      for (const Resource r : resources_.of(a)) {
        loads_[r] += static_cast<std::uint64_t>(by);
        price(r);
      }
    }
  }

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
    return std::ranges::any_of(packet.route,
                               [&](ArcId a) { return resources_.most(a, loads_) > goal; });
  }

  /// Cheapest paths from `x` to `end`, or to all nodes (Dijkstra).
  void grow(Node x, Node end = kNoNode) {
    std::ranges::fill(cost_to_, std::numeric_limits<double>::infinity());
    std::ranges::fill(arrives_, kNoArcId);
    cost_to_[x] = 0;
    const auto over = [&](double cost, ArcId a) { return cost + resources_.sum(a, costs_); };
    cheapest_ways(arcs_, {&x, 1}, cost_to_, arrives_, over, [&](Node y) { return y == end; });
  }

  std::uint64_t busiest() const { return *std::ranges::max_element(loads_); }

 private:
  void price(Resource r) {
    // Every hop costs something, so that paths stay short where nothing is busy.
    costs_[r] =
        1e-4 + std::exp((static_cast<double>(loads_[r]) - static_cast<double>(busiest_)) / scale_);
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
  std::vector<std::uint32_t> order = numbers_below(static_cast<std::uint32_t>(packets.size()));
  for (unsigned pass = 0; pass < kFruitless && least > goal && visits < kMostVisits; ++pass) {
    router.begin_pass();
    random.shuffle(order);
    for (const std::uint32_t i : order) {
      Packet& packet = packets[i];
      if (!router.hot(packet, goal)) continue;
      stop_if_interrupted();
      router.count(packet, -1);
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

namespace {

/// Sends packets along their routes, as many at once as the resources allow.
class Lists {
 public:
  Lists(const Arcs& arcs, const bounds::Resources& resources, const std::vector<Packet>& packets,
        std::uint32_t seed)
      : arcs_(arcs),
        resources_(resources),
        packets_(packets),
        random_(seed),
        left_(resources.count(), 0),
        claims_(arcs, resources),
        waiting_(arcs.count()),
        queue_(arcs.count(), 0),
        position_(packets.size()),
        end_(packets.size()) {
    for (std::uint32_t p = 0; p < packets_.size(); ++p) {
      position_[p] = static_cast<std::uint32_t>(routes_.size());
      routes_.insert(routes_.end(), packets_[p].route.begin(), packets_[p].route.end());
      end_[p] = static_cast<std::uint32_t>(routes_.size());
    }
    compared_ = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(kCompared / (routes_.size() + 1), 4, 32));
    for (const ArcId a : routes_) {
      for (const Resource r : resources_.of(a)) ++left_[r];
    }
    for (std::uint32_t p = 0; p < packets_.size(); ++p) {
      ++queue_[routes_[position_[p]]];
      enqueue(p);
    }
  }

  /// No hops once it is certain that they take `most` rounds or more.
  std::vector<Hop> run(std::uint32_t most = std::numeric_limits<std::uint32_t>::max()) {
    while (!active_.empty()) {
      stop_if_interrupted();
      if (round_ + most_left() >= most) return {};
      ++round_;
      play_round();
    }
    return std::move(hops_);
  }

 private:
  std::uint64_t left(ArcId a) const { return resources_.most(a, left_); }

  std::uint64_t most_left() const {
    std::uint64_t most = 0;
    for (const ArcId a : active_) most = std::max(most, left(a));
    return most;
  }

  void enqueue(std::uint32_t p) {
    if (position_[p] == end_[p]) return;
    const ArcId a = routes_[position_[p]];
    if (waiting_[a].empty()) active_.push_back(a);
    waiting_[a].push_back(p);
  }

  /// How much the rest of the way needs the packet to move on now. What already waits for the next
  /// arc keeps that arc busy without it.
  double urgency(std::uint32_t p) const {
    const std::uint32_t here = position_[p];
    double most = 0;
    for (std::uint32_t i = here + 1; i < end_[p]; ++i) {
      double need = static_cast<double>(left(routes_[i]) + i - here);
      if (i == here + 1) need -= static_cast<double>(queue_[routes_[i]]);
      most = std::max(most, need);
    }
    return most + static_cast<double>(end_[p] - here);
  }

  /// The packet that an arc sends. Only some of those that wait are compared.
  std::uint32_t take_most_urgent(ArcId a) {
    std::vector<std::uint32_t>& all = waiting_[a];
    const auto count = static_cast<std::uint32_t>(all.size());
    const std::uint32_t begin = random_.below(count);
    std::uint32_t best = begin;
    double most = -1;
    for (std::uint32_t i = 0; i < std::min(count, compared_); ++i) {
      const std::uint32_t at = (begin + i) % count;
      const double u = urgency(all[at]);
      if (u <= most) continue;
      most = u;
      best = at;
    }
    const std::uint32_t p = all[best];
    all[best] = all.back();
    all.pop_back();
    return p;
  }

  void play_round() {
    random_.shuffle(active_);
    std::ranges::stable_sort(active_, std::greater{}, [&](ArcId a) { return left(a); });
    claims_.begin_round();
    for (const ArcId a : active_) claims_.claim(a, [&](ArcId b) { return !waiting_[b].empty(); });
    const std::vector<ArcId> before = std::exchange(active_, {});
    std::vector<std::uint32_t> moved;
    for (const ArcId a : before) {
      if (claims_.sends(a)) moved.push_back(send(a));
      if (!waiting_[a].empty()) active_.push_back(a);
    }
    for (const std::uint32_t p : moved) enqueue(p);
  }

  std::uint32_t send(ArcId a) {
    const std::uint32_t p = take_most_urgent(a);
    hops_.push_back({round_, arcs_.tail(a), arcs_.head(a), packets_[p].message});
    for (const Resource r : resources_.of(a)) --left_[r];
    --queue_[a];
    ++position_[p];
    if (position_[p] < end_[p]) ++queue_[routes_[position_[p]]];
    return p;
  }

  static constexpr std::uint64_t kCompared = 8'000'000;  ///< about so many in all

  const Arcs& arcs_;
  const bounds::Resources& resources_;
  const std::vector<Packet>& packets_;
  Random random_;
  std::uint32_t compared_ = 0;       ///< of those that wait for an arc
  std::vector<std::uint64_t> left_;  ///< hops that each resource has to serve
  Claims claims_;
  std::vector<std::vector<std::uint32_t>> waiting_;  ///< at the tail of each arc
  std::vector<std::uint32_t> queue_;  ///< how many wait there, with those that arrive in this round
  std::vector<ArcId> active_;         ///< arcs for which packets wait
  std::vector<ArcId> routes_;         ///< of all packets, one after the other
  std::vector<std::uint32_t> position_;  ///< of each packet, there
  std::vector<std::uint32_t> end_;       ///< of its route
  std::uint32_t round_ = 0;
  std::vector<Hop> hops_;
};

}  // namespace

std::vector<Message> all_to_all(Node nodes) {
  std::vector<Message> messages;
  for (Node x = 0; x < nodes; ++x) {
    for (Node y = 0; y < nodes; ++y) {
      if (x != y) messages.push_back({x, y});
    }
  }
  return messages;
}

std::vector<Hop> send_along_routes(const Arcs& arcs, const bounds::Resources& resources,
                                   const std::vector<Message>& messages, std::uint32_t bound,
                                   const Effort& effort) {
  constexpr std::uint64_t kEnough = 300'000;  // hops planned
  constexpr unsigned kMostRoutes = 4;
  std::uint32_t seed = effort.seed;
  std::vector<Packet> packets = balanced_routes(arcs, resources, messages, bound, seed);
  std::vector<Hop> best = Lists(arcs, resources, packets, seed).run();
  const std::uint64_t of_one = work_of(best.size(), best.back().round, arcs.count());
  best_so_far(effort, [&] {
    unsigned routes = 1;
    for (std::uint64_t work = of_one; best.back().round > bound; work += of_one) {
      const bool enough = work >= enough_work(kEnough, of_one);
      if (effort.over(work, enough_work(kEnough, of_one))) break;
      ++seed;
      const bool anew = seed % 4 == 0 && (enough || ++routes <= kMostRoutes);
      if (anew) packets = balanced_routes(arcs, resources, messages, bound, seed);
      std::vector<Hop> next = Lists(arcs, resources, packets, seed).run(best.back().round);
      if (!next.empty()) best = std::move(next);
    }
  });
  return best;
}

}  // namespace gossamer::any_graph
