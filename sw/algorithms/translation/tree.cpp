// Two conditions must hold at once: an order (the neighbour has the message already) and a balance
// (no port has more arrivals than there are rounds). The balance is kept as a plan, which gives
// each offset that is still to come a port: at first an even one, and in every round one that fits
// the remaining rounds. The order follows the distance: in each round each port takes the nearest
// of the offsets planned for it whose neighbour has the message. If there is none, it takes an
// offset planned for another port, and offsets change ports along a chain until the plan is even
// again; or it takes what another port has already taken in this round, and that port searches
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

/// Orders among offsets of equal distance that are tried until a tree is found.
constexpr unsigned kTries = 200;
constexpr Node kNobody = 0;  // the origin itself: nothing arrives there

/// One attempt.
class Growth {
 public:
  Growth(const Metric& metric, std::uint32_t rounds, unsigned seed);
  /// Empty if no offset could be placed.
  std::vector<std::vector<Arrival>> grow();

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, Node>;  // distance, tie, offset

  Key key(Node x) const { return {metric_.distance(x), tie_[x], x}; }
  bool plan_evenly();
  void arrived(Node offset);
  std::optional<std::vector<Arrival>> play_round();
  bool serve(Port p, std::vector<bool>& asked);
  std::optional<Node> planned_for(Port p) const;
  std::optional<Node> take_from_plan_of_others(Port p);
  bool take_from_round_of(Port other, Port p, std::vector<bool>& asked);
  bool in_reach(Node offset, Port p) const { return within_reach_[p].count(key(offset)) != 0; }

  const Metric& metric_;
  std::uint32_t rounds_;
  std::vector<std::uint32_t> tie_;
  std::vector<std::set<Key>> within_reach_;  ///< by port: offsets whose neighbour has the message

  /// What changes within a round, and is restored if an attempt fails.
  struct State {
    explicit State(const Metric& metric, std::uint32_t rounds)
        : plan(metric), capacity(metric.ports(), rounds), taken(metric.ports(), kNobody) {}
    Plan plan;
    std::vector<std::uint32_t> capacity;  ///< by port: arrivals in its remaining rounds
    std::vector<Node> taken;              ///< by port: its offset in this round, or kNobody
  } state_;
};

Growth::Growth(const Metric& metric, std::uint32_t rounds, unsigned seed)
    : metric_(metric),
      rounds_(rounds),
      tie_(metric.nodes()),
      within_reach_(metric.ports()),
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
  order.reserve(metric_.nodes());
  for (Node x = 1; x < metric_.nodes(); ++x) {
    stop_if_interrupted();
    order.push_back(key(x));
  }
  std::sort(order.begin(), order.end(), [](const Key& a, const Key& b) {
    stop_if_interrupted();
    return a < b;
  });
  for (const auto& [distance, tie, x] : order) {
    stop_if_interrupted();
    Port best = kNoPort;
    for (Port p = 0; p < metric_.ports(); ++p) {
      if (!metric_.may_arrive(x, p)) continue;
      if (best == kNoPort || state_.plan.load(p) < state_.plan.load(best)) best = p;
    }
    state_.plan.assign(x, best);
  }
  for (Port p = 0; p < metric_.ports(); ++p) {
    if (!state_.plan.relieve(p, state_.capacity)) return false;
  }
  return true;
}

/// Its neighbours come within reach.
void Growth::arrived(Node offset) {
  for (Port p = 0; p < metric_.ports(); ++p) {
    const Node x = metric_.next(offset, p);
    if (state_.plan.is_open(x) && metric_.may_arrive(x, p)) {
      within_reach_[p].insert(key(x));
    }
  }
}

std::optional<Node> Growth::planned_for(Port p) const {
  for (const auto& [distance, tie, x] : within_reach_[p]) {
    if (state_.plan.port(x) == p) return x;
  }
  return std::nullopt;
}

/// An offset that p may take in this round if it gives away another one for later.
std::optional<Node> Growth::take_from_plan_of_others(Port p) {
  Plan& plan = state_.plan;
  for (const auto& [distance, tie, x] : within_reach_[p]) {
    if (!plan.is_open(x)) continue;
    const Port before = plan.port(x);
    plan.close(x);
    if (plan.relieve(p, state_.capacity)) return x;
    plan.assign(x, before);
  }
  return std::nullopt;
}

bool Growth::take_from_round_of(Port other, Port p, std::vector<bool>& asked) {
  const Node x = state_.taken[other];
  if (x == kNobody || asked[other] || !in_reach(x, p)) return false;
  State before = state_;
  state_.taken[other] = kNobody;
  state_.taken[p] = x;
  ++state_.capacity[other];
  if (state_.plan.relieve(p, state_.capacity) && serve(other, asked)) return true;
  state_ = std::move(before);
  return false;
}

/// Finds an offset for port p in this round, or leaves it idle if the plan allows.
bool Growth::serve(Port p, std::vector<bool>& asked) {
  asked[p] = true;
  --state_.capacity[p];
  std::optional<Node> offset = planned_for(p);
  if (!offset) offset = take_from_plan_of_others(p);
  if (offset) {
    state_.plan.close(*offset);
    state_.taken[p] = *offset;
    return true;
  }
  for (Port other = 0; other < metric_.ports(); ++other) {
    if (take_from_round_of(other, p, asked)) return true;
  }
  return state_.plan.relieve(p, state_.capacity);
}

/// Nothing if the round cannot be completed.
std::optional<std::vector<Arrival>> Growth::play_round() {
  std::fill(state_.taken.begin(), state_.taken.end(), kNobody);
  for (Port p = 0; p < metric_.ports(); ++p) {
    std::vector<bool> asked(metric_.ports(), false);
    if (!serve(p, asked)) return std::nullopt;
  }
  std::vector<Arrival> arrivals;
  for (Port p = 0; p < metric_.ports(); ++p) {
    if (state_.taken[p] != kNobody) arrivals.push_back({state_.taken[p], p});
  }
  for (const Arrival& arrival : arrivals) {
    for (std::set<Key>& reach : within_reach_) reach.erase(key(arrival.offset));
  }
  for (const Arrival& arrival : arrivals) arrived(arrival.offset);
  return arrivals;
}

std::vector<std::vector<Arrival>> Growth::grow() {
  if (!plan_evenly()) return {};
  arrived(0);
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

std::vector<std::vector<Arrival>> tree_of(const Topology& topology, std::uint32_t rounds) {
  const Metric metric(topology);
  for (unsigned seed = 1; seed <= kTries; ++seed) {
    auto tree = Growth(metric, rounds, seed).grow();
    if (!tree.empty()) return tree;
  }
  throw InputError(fmt::format("translation found no schedule of {} rounds for {} in {} attempts",
                               rounds, topology.spec(), kTries));
}

}  // namespace gossamer::translation
