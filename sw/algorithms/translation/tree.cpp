// Two conditions must hold at once: an order (the neighbour has the message already) and a balance
// (no lane has more arrivals than there are rounds). The balance is kept as a plan, which gives
// each item that is still to come a lane: at first an even one, and in every round one that fits
// the remaining rounds. The order follows the distance: in each round each lane takes the nearest
// of the items planned for it whose neighbour has the message. If there is none, it takes an
// item planned for another lane, and items change lanes along a chain until the plan is even
// again; or it takes what another lane has already taken in this round, and that lane searches
// again.
//
// Messages go along shortest paths only.

#include "algorithms/translation/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <tuple>

#include "algorithms/translation/plan.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/steps.hpp"

namespace gossamer::translation {
namespace {

/// Orders among items of equal distance that are tried until a tree is found.
constexpr unsigned kTries = 200;
constexpr Item kNobody = 0;  // an origin itself: nothing arrives there

/// One attempt.
class Growth {
 public:
  Growth(const Metric& metric, std::uint32_t rounds, unsigned seed);
  /// Empty if no item could be placed.
  std::vector<std::vector<Arrival>> grow();

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, Item>;  // distance, tie, item

  Key key(Item x) const { return {metric_.distance(x), tie_[x], x}; }
  bool plan_evenly();
  void arrived(Item x);
  Port port_to(Item x, Lane l) const;
  std::optional<std::vector<Arrival>> play_round();
  bool serve(Lane l, std::vector<bool>& asked);
  std::optional<Item> planned_for(Lane l) const;
  std::optional<Item> take_from_plan_of_others(Lane l);
  bool take_from_round_of(Lane other, Lane l, std::vector<bool>& asked);
  bool in_reach(Item x, Lane l) const { return within_reach_[l].count(key(x)) != 0; }

  const Metric& metric_;
  std::uint32_t rounds_;
  std::vector<std::uint32_t> tie_;
  std::vector<bool> has_arrived_;
  std::vector<std::set<Key>> within_reach_;  ///< by lane: items whose neighbour has the message

  /// What changes within a round, and is restored if an attempt fails.
  struct State {
    explicit State(const Metric& metric, std::uint32_t rounds)
        : plan(metric), capacity(metric.lanes(), rounds), taken(metric.lanes(), kNobody) {}
    Plan plan;
    std::vector<std::uint32_t> capacity;  ///< by lane: arrivals in its remaining rounds
    std::vector<Item> taken;              ///< by lane: its item in this round, or kNobody
  } state_;
};

Growth::Growth(const Metric& metric, std::uint32_t rounds, unsigned seed)
    : metric_(metric),
      rounds_(rounds),
      tie_(metric.items()),
      has_arrived_(metric.items(), false),
      within_reach_(metric.lanes()),
      state_(metric, rounds) {
  std::mt19937 random(seed);
  for (std::uint32_t& tie : tie_) {
    stop_if_interrupted();
    tie = static_cast<std::uint32_t>(random());
  }
}

/// Starts with the nearest, so that the plan is even at every distance: on a 2 x n torus the hops
/// across must not all come at the beginning, or all at the end.
bool Growth::plan_evenly() {
  std::vector<Key> order;
  order.reserve(metric_.items());
  for (Item x = 1; x < metric_.items(); ++x) {
    stop_if_interrupted();
    if (metric_.distance(x) > 0) order.push_back(key(x));
  }
  std::sort(order.begin(), order.end(), [](const Key& a, const Key& b) {
    stop_if_interrupted();
    return a < b;
  });
  for (const auto& [distance, tie, x] : order) {
    stop_if_interrupted();
    Lane best = kNoLane;
    for (Lane l = 0; l < metric_.lanes(); ++l) {
      if (!metric_.may_arrive(x, l)) continue;
      if (best == kNoLane || state_.plan.load(l) < state_.plan.load(best)) best = l;
    }
    state_.plan.assign(x, best);
  }
  for (Lane l = 0; l < metric_.lanes(); ++l) {
    if (!state_.plan.relieve(l, state_.capacity)) return false;
  }
  return true;
}

/// Its neighbours come within reach.
void Growth::arrived(Item x) {
  has_arrived_[x] = true;
  for (Port p = 0; p < metric_.ports(); ++p) {
    const Item y = metric_.next(x, p);
    if (state_.plan.is_open(y) && metric_.distance(y) > metric_.distance(x)) {
      within_reach_[metric_.lane(x, p)].insert(key(y));
    }
  }
}

/// One through which a neighbour that has the message sends it on.
Port Growth::port_to(Item x, Lane l) const {
  const std::vector<Port>& ports = metric_.ports_of(l);
  return *std::ranges::find_if(ports, [&](Port p) {
    return metric_.may_arrive_through(x, l, p) && has_arrived_[metric_.parent(x, p)];
  });
}

std::optional<Item> Growth::planned_for(Lane l) const {
  for (const auto& [distance, tie, x] : within_reach_[l]) {
    if (state_.plan.lane(x) == l) return x;
  }
  return std::nullopt;
}

/// An item that the lane may take in this round if it gives away another one for later.
std::optional<Item> Growth::take_from_plan_of_others(Lane l) {
  Plan& plan = state_.plan;
  for (const auto& [distance, tie, x] : within_reach_[l]) {
    if (!plan.is_open(x)) continue;
    const Lane before = plan.lane(x);
    plan.close(x);
    if (plan.relieve(l, state_.capacity)) return x;
    plan.assign(x, before);
  }
  return std::nullopt;
}

bool Growth::take_from_round_of(Lane other, Lane l, std::vector<bool>& asked) {
  const Item x = state_.taken[other];
  if (x == kNobody || asked[other] || !in_reach(x, l)) return false;
  State before = state_;
  state_.taken[other] = kNobody;
  state_.taken[l] = x;
  ++state_.capacity[other];
  if (state_.plan.relieve(l, state_.capacity) && serve(other, asked)) return true;
  state_ = std::move(before);
  return false;
}

/// Finds an item for a lane in this round, or leaves the lane idle if the plan allows.
bool Growth::serve(Lane l, std::vector<bool>& asked) {
  asked[l] = true;
  --state_.capacity[l];
  std::optional<Item> item = planned_for(l);
  if (!item) item = take_from_plan_of_others(l);
  if (item) {
    state_.plan.close(*item);
    state_.taken[l] = *item;
    return true;
  }
  for (Lane other = 0; other < metric_.lanes(); ++other) {
    if (take_from_round_of(other, l, asked)) return true;
  }
  return state_.plan.relieve(l, state_.capacity);
}

/// Nothing if the round cannot be completed.
std::optional<std::vector<Arrival>> Growth::play_round() {
  std::fill(state_.taken.begin(), state_.taken.end(), kNobody);
  for (Lane l = 0; l < metric_.lanes(); ++l) {
    std::vector<bool> asked(metric_.lanes(), false);
    if (!serve(l, asked)) return std::nullopt;
  }
  std::vector<Arrival> arrivals;
  for (Lane l = 0; l < metric_.lanes(); ++l) {
    const Item x = state_.taken[l];
    if (x == kNobody) continue;
    arrivals.push_back({metric_.class_of(x), metric_.offset(x), port_to(x, l)});
    for (std::set<Key>& reach : within_reach_) reach.erase(key(x));
  }
  for (const Item x : state_.taken) {
    if (x != kNobody) arrived(x);
  }
  return arrivals;
}

std::vector<std::vector<Arrival>> Growth::grow() {
  if (!plan_evenly()) return {};
  for (Item x = 0; x < metric_.items(); ++x) {
    if (metric_.distance(x) == 0) arrived(x);
  }
  std::vector<std::vector<Arrival>> rounds(rounds_);
  for (std::vector<Arrival>& arrivals : rounds) {
    step_done(static_cast<std::uint64_t>(&arrivals - rounds.data()));
    auto played = play_round();
    if (!played) return {};
    arrivals = std::move(*played);
  }
  return rounds;
}

}  // namespace

std::vector<std::vector<Arrival>> tree_of(const Topology& topology, const Metric& metric,
                                          std::uint32_t rounds) {
  for (unsigned seed = 1; seed <= kTries; ++seed) {
    auto tree = Growth(metric, rounds, seed).grow();
    if (!tree.empty()) return tree;
  }
  throw InputError(fmt::format("translation found no schedule of {} rounds for {} in {} attempts",
                               rounds, topology.spec(), kTries));
}

}  // namespace gossamer::translation
