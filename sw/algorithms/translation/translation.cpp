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

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "algorithms/common/algorithm.hpp"
#include "algorithms/common/all.hpp"
#include "support/error.hpp"
#include "support/job.hpp"
#include "topology/topology.hpp"

namespace gossamer::translation {
namespace {

/// The message from the origin of one class to one offset: class * nodes + offset.
using Item = std::uint32_t;
/// Links that some translation maps to one another. One hop of a schedule that is the same
/// everywhere occupies all links of its lane.
using Lane = std::uint32_t;
constexpr Lane kNoLane = std::numeric_limits<Lane>::max();
constexpr std::uint32_t kNotYet = ~std::uint32_t{0};

/// The distances of the items from their origins, and the lanes over which they can arrive from a
/// nearer node.
///
/// Over full-duplex links each port is a lane. Over half-duplex links a port and the port back make
/// one lane, for each class of senders.
class Metric {
 public:
  Metric(const Topology& topology, Duplex duplex)
      : topology_(topology), classes_(topology, duplex) {
    for (Port p = 0; p < topology.ports(); ++p) back_.push_back(port_back(topology, p));
    distance_.assign(topology.nodes(), kNotYet);
    distance_[0] = 0;
    std::queue<Node> queue;
    for (queue.push(0); !queue.empty(); queue.pop()) {
      stop_if_interrupted();
      const Node x = queue.front();
      for (Port p = 0; p < topology.ports(); ++p) {
        const Node y = topology.peer(x, p).node;
        if (distance_[y] != kNotYet) continue;
        distance_[y] = distance_[x] + 1;
        queue.push(y);
      }
    }
    number_lanes(duplex);
  }

  const SenderClasses& classes() const { return classes_; }
  Port ports() const { return topology_.ports(); }
  Lane lanes() const { return static_cast<Lane>(ports_of_.size()); }
  /// Those of distance 0 are the origins.
  Item items() const { return classes_.count() * topology_.nodes(); }
  Node offset(Item x) const { return classes_.count() == 1 ? x : x % topology_.nodes(); }
  Node class_of(Item x) const { return classes_.count() == 1 ? 0 : x / topology_.nodes(); }
  std::uint32_t distance(Item x) const { return distance_[offset(x)]; }

  Item next(Item x, Port p) const {
    const Node at = offset(x);
    return x - at + topology_.peer(at, p).node;
  }
  Item parent(Item x, Port p) const { return next(x, back_[p]); }
  /// The hop in which it arrives through port `p` of its sender.
  Hop hop(std::uint32_t round, Item x, Port p) const {
    const Node origin = classes_.representative(class_of(x));
    const Node from = topology_.translate(origin, offset(parent(x, p)));
    return {round, from, topology_.translate(origin, offset(x)), {origin}};
  }
  /// Where a hop from here goes.
  Lane lane(Item x, Port p) const {
    if (classes_.count() == 1) return lane_of_[p];
    const Node c = (class_of(x) + classes_.of(offset(x))) % classes_.count();
    return lane_of_[c * ports() + p];
  }
  /// The ports of the hops on a lane, with those of other classes.
  const std::vector<Port>& ports_of(Lane l) const { return ports_of_[l]; }
  /// Does the hop through port p that brings x go over lane l, and come from nearer?
  bool may_arrive_through(Item x, Lane l, Port p) const {
    const Item from = parent(x, p);
    return distance(from) < distance(x) && (classes_.count() == 1 || lane(from, p) == l);
  }
  bool may_arrive(Item x, Lane l) const {
    for (const Port p : ports_of_[l]) {
      if (may_arrive_through(x, l, p)) return true;
    }
    return false;
  }

 private:
  void number_lanes(Duplex duplex) {
    lane_of_.assign(std::size_t{classes_.count()} * ports(), kNoLane);
    for (Node c = 0; c < classes_.count(); ++c) {
      for (Port p = 0; p < ports(); ++p) {
        Lane& here = lane_of_[c * ports() + p];
        if (here != kNoLane) continue;
        here = lanes();
        ports_of_.push_back({p});
        if (duplex == Duplex::Full) continue;
        const Node receiver = (c + classes_.of(topology_.peer(0, p).node)) % classes_.count();
        lane_of_[receiver * ports() + back_[p]] = here;
        if (back_[p] != p) ports_of_.back().push_back(back_[p]);
      }
    }
  }

  const Topology& topology_;
  std::vector<Port> back_;  ///< the port that leads back along the link of port p
  std::vector<std::uint32_t> distance_;
  SenderClasses classes_;
  std::vector<Lane> lane_of_;  ///< by class of the sender and port
  std::vector<std::vector<Port>> ports_of_;
};

/// A lane for every item that has not arrived, and the number of items of each lane.
class Plan {
 public:
  explicit Plan(const Metric& metric)
      : metric_(&metric), lane_(metric.items(), kNoLane), load_(metric.lanes(), 0) {}

  Lane lane(Item x) const { return lane_[x]; }
  std::uint32_t load(Lane l) const { return load_[l]; }
  bool is_open(Item x) const { return lane_[x] != kNoLane; }

  void assign(Item x, Lane l) {
    close(x);
    lane_[x] = l;
    ++load_[l];
  }
  void close(Item x) {
    if (is_open(x)) --load_[lane_[x]];
    lane_[x] = kNoLane;
  }

  /// Brings lane `from` down to its capacity: moves an item to another lane that it may arrive
  /// over, from there another one, and so on, up to a lane with room. Returns false if that is
  /// impossible.
  bool relieve(Lane from, const std::vector<std::uint32_t>& capacity) {
    if (load_[from] <= capacity[from]) return true;
    struct Reached {
      Lane lane;
      std::size_t came_by;
      Item moved;
    };
    std::vector<Reached> steps = {{from, 0, 0}};  // breadth first over the lanes
    std::vector<bool> seen(metric_->lanes(), false);
    seen[from] = true;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (Lane to = 0; to < metric_->lanes(); ++to) {
        if (seen[to]) continue;
        const std::optional<Item> moved = movable(steps[i].lane, to);
        if (!moved) continue;
        seen[to] = true;
        steps.push_back({to, i, *moved});
        if (load_[to] >= capacity[to]) continue;
        for (std::size_t s = steps.size() - 1; s != 0; s = steps[s].came_by) {
          assign(steps[s].moved, steps[s].lane);
        }
        return relieve(from, capacity);
      }
    }
    return false;
  }

 private:
  /// The last item in order, so that the choice is deterministic.
  std::optional<Item> movable(Lane from, Lane to) const {
    for (Item x = metric_->items() - 1; x > 0; --x) {
      stop_if_interrupted();
      if (lane_[x] == from && metric_->may_arrive(x, to)) return x;
    }
    return std::nullopt;
  }

  const Metric* metric_;  // a pointer, because plans are assigned
  std::vector<Lane> lane_;
  std::vector<std::uint32_t> load_;
};

/// Rounds in which items arrive, and through which ports their senders send them: neighbours that
/// are nearer to the origin.
using Arrivals = std::vector<std::tuple<std::uint32_t, Item, Port>>;

/// Orders among items of equal distance that are tried until a tree is found.
constexpr unsigned kTries = 200;
constexpr Item kNobody = 0;  // an origin itself: nothing arrives there

/// One attempt.
class Growth {
 public:
  Growth(const Metric& metric, std::uint32_t rounds, unsigned seed)
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

  /// Empty if no item could be placed.
  Arrivals grow() {
    if (!plan_evenly()) return {};
    arrivals_.reserve(metric_.items());
    for (Item x = 0; x < metric_.items(); ++x) {
      if (metric_.distance(x) == 0) arrived(x);
    }
    for (std::uint32_t round = 1; round <= rounds_; ++round) {
      step_done(round - 1);
      if (!play_round(round)) return {};
    }
    return std::move(arrivals_);
  }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, Item>;  // distance, tie, item

  Key key(Item x) const { return {metric_.distance(x), tie_[x], x}; }

  /// Starts with the nearest, so that the plan is even at every distance: on a 2 x n torus the hops
  /// across must not all come at the beginning, or all at the end.
  bool plan_evenly() {
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
  void arrived(Item x) {
    has_arrived_[x] = true;
    for (Port p = 0; p < metric_.ports(); ++p) {
      const Item y = metric_.next(x, p);
      if (state_.plan.is_open(y) && metric_.distance(y) > metric_.distance(x)) {
        within_reach_[metric_.lane(x, p)].insert(key(y));
      }
    }
  }

  /// One through which a neighbour that has the message sends it on.
  Port port_to(Item x, Lane l) const {
    const std::vector<Port>& ports = metric_.ports_of(l);
    return *std::ranges::find_if(ports, [&](Port p) {
      return metric_.may_arrive_through(x, l, p) && has_arrived_[metric_.parent(x, p)];
    });
  }

  /// Nothing if the round cannot be completed.
  bool play_round(std::uint32_t round) {
    std::fill(state_.taken.begin(), state_.taken.end(), kNobody);
    for (Lane l = 0; l < metric_.lanes(); ++l) {
      std::vector<bool> asked(metric_.lanes(), false);
      if (!serve(l, asked)) return false;
    }
    for (Lane l = 0; l < metric_.lanes(); ++l) {
      const Item x = state_.taken[l];
      if (x == kNobody) continue;
      arrivals_.emplace_back(round, x, port_to(x, l));
      for (std::set<Key>& reach : within_reach_) reach.erase(key(x));
    }
    for (const Item x : state_.taken) {
      if (x != kNobody) arrived(x);
    }
    return true;
  }

  /// Finds an item for a lane in this round, or leaves the lane idle if the plan allows.
  bool serve(Lane l, std::vector<bool>& asked) {
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

  std::optional<Item> planned_for(Lane l) const {
    for (const auto& [distance, tie, x] : within_reach_[l]) {
      if (state_.plan.lane(x) == l) return x;
    }
    return std::nullopt;
  }

  /// An item that the lane may take in this round if it gives away another one for later.
  std::optional<Item> take_from_plan_of_others(Lane l) {
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

  bool take_from_round_of(Lane other, Lane l, std::vector<bool>& asked) {
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
  bool in_reach(Item x, Lane l) const { return within_reach_[l].count(key(x)) != 0; }

  const Metric& metric_;
  std::uint32_t rounds_;
  std::vector<std::uint32_t> tie_;
  std::vector<bool> has_arrived_;
  Arrivals arrivals_;
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

/// By rounds: every item arrives once, every lane is used at most once per round, and the neighbour
/// has had the message since an earlier round. Takes `rounds` rounds. Throws InputError if it finds
/// no such tree; this has happened on no topology tried (docs/research/beyond.md).
Arrivals tree_of(const Topology& topology, const Metric& metric, std::uint32_t rounds) {
  for (unsigned seed = 1; seed <= kTries; ++seed) {
    auto tree = Growth(metric, rounds, seed).grow();
    if (!tree.empty()) return tree;
  }
  throw InputError(fmt::format("translation found no schedule of {} rounds for {} in {} attempts",
                               rounds, topology.spec(), kTries));
}

}  // namespace

}  // namespace gossamer::translation

namespace gossamer {
namespace {

std::optional<std::string> refuses(const Request& request) {
  if (request.topology.translatable()) return std::nullopt;
  return fmt::format(
      "translation needs a topology that can be translated, such as a torus; {} cannot",
      request.topology.spec());
}

/// Every link brings something new in every round, one way or both ways.
Formula formula(const Request& request) {
  const std::uint64_t others = request.topology.nodes() - std::uint64_t{1};
  const std::uint64_t ports = request.topology.ports();
  if (request.duplex == Duplex::Half) {
    return {"ceil(2(N-1)/degree)", (2 * others + ports - 1) / ports};
  }
  return {"ceil((N-1)/degree)", (others + ports - 1) / ports};
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  const Model model = {PortModel::All, request.duplex, Switching::Packet, /*combining=*/false};
  require_room_for_gossip(topology, topology.nodes());
  const translation::Metric metric(topology, request.duplex);
  Schedule schedule(topology, Collective::Gossip, model,
                    Symmetry(topology, metric.classes().generators()));
  make_room_for_gossip(schedule);
  const auto rounds = static_cast<std::uint32_t>(formula(request).rounds);
  for (const auto& [round, item, port] : translation::tree_of(topology, metric, rounds)) {
    stop_if_interrupted();
    schedule.add(metric.hop(round, item, port));
  }
  return schedule;
}

}  // namespace

const Algorithm kTranslation = {
    .name = "translation",
    .summary =
        "gossip on tori of any sides, hypercubes and ghc, all ports, full or half duplex, packets",
    .serves = every({Collective::Gossip}, {PortModel::All}, {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .formula = formula,
    .make = plan,
};

}  // namespace gossamer
