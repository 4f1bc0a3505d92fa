// Two things must come out at once: an order (the neighbour has the message already) and a balance
// (no port has more arrivals than there are rounds). The balance is kept as a plan, a port for each
// offset that is still to come: at first an even one, and in every round one that the remaining
// rounds can carry. The order follows the distance: in each round each port takes the nearest of
// the offsets planned for it whose neighbour has the message. If there is none, it takes an offset
// planned for another port, and offsets change ports along a chain until the plan is even again.
//
// Messages go along shortest paths first of all. On a few small tori (2x5, 2x9) that cannot do, and
// a hop to a node that is as far from the origin must help.

#include "algorithms/translation_tree.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>

namespace gossamer::translation {
namespace {

/// Orders among offsets of equal distance that are tried until a tree is found.
constexpr unsigned kTries = 200;
constexpr std::uint32_t kNotYet = ~std::uint32_t{0};

/// Distances from node 0, and through which ports an offset can arrive from a nearer one.
class Metric {
 public:
  Metric(const Topology& topology, bool shortest) : topology_(topology), shortest_(shortest) {
    for (Port p = 0; p < topology.ports(); ++p) back_.push_back(topology.peer(0, p).port);
    distance_.assign(topology.nodes(), kNotYet);
    distance_[0] = 0;
    std::queue<Node> queue;
    for (queue.push(0); !queue.empty(); queue.pop()) {
      const Node x = queue.front();
      for (Port p = 0; p < topology.ports(); ++p) {
        const Node y = next(x, p);
        if (distance_[y] != kNotYet) continue;
        distance_[y] = distance_[x] + 1;
        queue.push(y);
      }
    }
  }

  Port ports() const { return topology_.ports(); }
  Node nodes() const { return topology_.nodes(); }
  Node next(Node x, Port p) const { return topology_.peer(x, p).node; }
  Node parent(Node x, Port p) const { return next(x, back_[p]); }
  std::uint32_t distance(Node x) const { return distance_[x]; }
  bool may_arrive(Node x, Port p) const {
    const std::uint32_t before = distance_[parent(x, p)];
    return before < distance_[x] || (!shortest_ && before == distance_[x]);
  }

 private:
  const Topology& topology_;
  bool shortest_;  ///< paths only
  std::vector<Port> back_;  ///< the port that leads back from where port p leads
  std::vector<std::uint32_t> distance_;
};

/// A port for every offset that has not arrived, and how many each port has.
class Plan {
 public:
  explicit Plan(const Metric& metric)
      : metric_(metric), port_(metric.nodes(), kNoPort), load_(metric.ports(), 0) {}

  Port port(Node offset) const { return port_[offset]; }
  std::uint32_t load(Port p) const { return load_[p]; }
  bool is_open(Node offset) const { return port_[offset] != kNoPort; }

  void assign(Node offset, Port p) {
    close(offset);
    port_[offset] = p;
    ++load_[p];
  }
  void close(Node offset) {
    if (is_open(offset)) --load_[port_[offset]];
    port_[offset] = kNoPort;
  }

  /// Brings port `from` down to its capacity: moves an offset to a port that it may arrive through,
  /// from there another, and so on, to a port with room. False, and nothing changed, if impossible.
  bool relieve(Port from, const std::vector<std::uint32_t>& capacity);

 private:
  std::optional<Node> movable(Port from, Port to) const;

  const Metric& metric_;
  std::vector<Port> port_;
  std::vector<std::uint32_t> load_;
};

/// The last offset in node order, so that the choice is the same every time.
std::optional<Node> Plan::movable(Port from, Port to) const {
  for (Node x = metric_.nodes() - 1; x > 0; --x) {
    if (port_[x] == from && metric_.may_arrive(x, to)) return x;
  }
  return std::nullopt;
}

bool Plan::relieve(Port from, const std::vector<std::uint32_t>& capacity) {
  if (load_[from] <= capacity[from]) return true;
  struct Step {
    Port port;
    std::size_t came_by;
    Node moved;
  };
  std::vector<Step> steps = {{from, 0, 0}};  // breadth first over the ports
  std::vector<bool> seen(metric_.ports(), false);
  seen[from] = true;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (Port to = 0; to < metric_.ports(); ++to) {
      if (seen[to]) continue;
      const std::optional<Node> moved = movable(steps[i].port, to);
      if (!moved) continue;
      seen[to] = true;
      steps.push_back({to, i, *moved});
      if (load_[to] >= capacity[to]) continue;
      for (std::size_t s = steps.size() - 1; s != 0; s = steps[s].came_by) {
        assign(steps[s].moved, steps[s].port);
      }
      return relieve(from, capacity);
    }
  }
  return false;
}

/// One attempt.
class Growth {
 public:
  Growth(const Metric& metric, std::uint32_t rounds, unsigned seed);
  /// Empty if it got stuck.
  std::vector<std::vector<Arrival>> grow();

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, Node>;  // distance, tie, offset

  Key key(Node x) const { return {metric_.distance(x), tie_[x], x}; }
  bool plan_evenly();
  void arrived(Node offset);
  bool play_round(std::vector<Arrival>& arrivals);
  std::optional<Node> planned_for(Port p) const;
  std::optional<Node> taken_from_others(Port p);
  void take(Node offset, Port p, std::vector<Arrival>& arrivals);

  const Metric& metric_;
  std::uint32_t rounds_;
  Plan plan_;
  std::vector<std::uint32_t> tie_;
  std::vector<std::uint32_t> capacity_;   ///< by port: arrivals that it can still have
  std::vector<std::set<Key>> within_reach_;  ///< by port: offsets whose neighbour has the message
  std::mt19937 random_;
};

Growth::Growth(const Metric& metric, std::uint32_t rounds, unsigned seed)
    : metric_(metric),
      rounds_(rounds),
      plan_(metric),
      tie_(metric.nodes()),
      capacity_(metric.ports(), rounds),
      within_reach_(metric.ports()),
      random_(seed) {
  for (std::uint32_t& tie : tie_) tie = static_cast<std::uint32_t>(random_());
}

/// From the near to the far, so that the plan is even at every distance: on a 2 x n torus the hops
/// across must not all come at the beginning, or all at the end.
bool Growth::plan_evenly() {
  std::vector<Key> order;
  for (Node x = 1; x < metric_.nodes(); ++x) order.push_back(key(x));
  std::sort(order.begin(), order.end());
  for (const auto& [distance, tie, x] : order) {
    Port best = kNoPort;
    for (Port p = 0; p < metric_.ports(); ++p) {
      if (!metric_.may_arrive(x, p)) continue;
      if (best == kNoPort || plan_.load(p) < plan_.load(best)) best = p;
    }
    plan_.assign(x, best);
  }
  for (Port p = 0; p < metric_.ports(); ++p) {
    if (!plan_.relieve(p, capacity_)) return false;
  }
  return true;
}

/// Its neighbours come within reach.
void Growth::arrived(Node offset) {
  for (Port p = 0; p < metric_.ports(); ++p) {
    const Node x = metric_.next(offset, p);
    if (plan_.is_open(x) && metric_.may_arrive(x, p)) {
      within_reach_[p].insert(key(x));
    }
  }
}

std::optional<Node> Growth::planned_for(Port p) const {
  for (const auto& [distance, tie, x] : within_reach_[p]) {
    if (plan_.port(x) == p) return x;
  }
  return std::nullopt;
}

std::optional<Node> Growth::taken_from_others(Port p) {
  const auto candidates = within_reach_[p];
  for (const auto& [distance, tie, x] : candidates) {
    const Port before = plan_.port(x);
    plan_.close(x);
    --capacity_[p];
    const bool even = plan_.relieve(p, capacity_);
    ++capacity_[p];
    plan_.assign(x, even ? p : before);
    if (even) return x;
  }
  return std::nullopt;
}

void Growth::take(Node offset, Port p, std::vector<Arrival>& arrivals) {
  arrivals.push_back({offset, p});
  plan_.close(offset);
  for (std::set<Key>& reach : within_reach_) reach.erase(key(offset));
}

bool Growth::play_round(std::vector<Arrival>& arrivals) {
  for (Port p = 0; p < metric_.ports(); ++p) {
    std::optional<Node> offset = planned_for(p);
    if (!offset) offset = taken_from_others(p);
    if (offset) take(*offset, p, arrivals);
    --capacity_[p];
    if (!plan_.relieve(p, capacity_)) return false;
  }
  for (const Arrival& arrival : arrivals) arrived(arrival.offset);
  return true;
}

std::vector<std::vector<Arrival>> Growth::grow() {
  if (!plan_evenly()) return {};
  arrived(0);
  std::vector<std::vector<Arrival>> rounds(rounds_);
  for (std::vector<Arrival>& arrivals : rounds) {
    if (!play_round(arrivals)) return {};
  }
  return rounds;
}

}  // namespace

std::vector<std::vector<Arrival>> tree_of(const Topology& topology, std::uint32_t rounds) {
  for (const bool shortest : {true, false}) {
    const Metric metric(topology, shortest);
    for (unsigned seed = 1; seed <= kTries; ++seed) {
      auto tree = Growth(metric, rounds, seed).grow();
      if (!tree.empty()) return tree;
    }
  }
  throw std::logic_error("translation: no tree found on " + topology.spec());
}

}  // namespace gossamer::translation
