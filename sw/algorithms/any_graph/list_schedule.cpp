// A schedule for packets whose routes are given.
//
// In a round arcs claim their resources (claims.hpp), in the order of the hops that their busier
// resource still has to serve. An arc sends the packet whose way needs it most: the one with the
// largest sum of the hops up to a resource on its way and the hops which that resource still has to
// serve.
#include "algorithms/any_graph/list_schedule.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/any_graph/claims.hpp"
#include "algorithms/any_graph/random.hpp"
#include "support/interrupt.hpp"

namespace gossamer::any_graph {
namespace {

using bounds::kNoResource;
using bounds::Resource;

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
      for (const Resource r : resources_.of(a)) {
        if (r != kNoResource) ++left_[r];
      }
    }
    for (std::uint32_t p = 0; p < packets_.size(); ++p) {
      ++queue_[routes_[position_[p]]];
      enqueue(p);
    }
  }

  std::vector<Hop> run(std::uint32_t most) {
    while (!active_.empty()) {
      stop_if_interrupted();
      if (round_ + most_left() >= most) return {};
      ++round_;
      play_round();
    }
    return std::move(hops_);
  }

 private:
  std::uint64_t left(ArcId a) const {
    const auto [one, other] = resources_.of(a);
    return other == kNoResource ? left_[one] : std::max(left_[one], left_[other]);
  }

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
    for (const Resource r : resources_.of(a)) {
      if (r != kNoResource) --left_[r];
    }
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

std::vector<Hop> list_schedule(const Arcs& arcs, const bounds::Resources& resources,
                               const std::vector<Packet>& packets, std::uint32_t seed,
                               std::uint32_t most) {
  return Lists(arcs, resources, packets, seed).run(most);
}

}  // namespace gossamer::any_graph
