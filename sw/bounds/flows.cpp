#include "bounds/flows.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

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

Net::Net(const Topology& topology, std::span<const std::uint64_t> hops, bool backwards)
    : out_(topology.nodes()), in_(topology.nodes()) {
  std::vector<std::uint32_t> link_at(std::size_t{topology.nodes()} * topology.ports());
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (!e.connected()) continue;
      const std::size_t here = std::size_t{x} * topology.ports() + p;
      const std::size_t there = std::size_t{e.node} * topology.ports() + e.port;
      link_at[here] = here < there ? links_++ : link_at[there];
      if (!topology.sends(x, p)) continue;
      const std::uint64_t hop = hops.empty() ? 1 : hops[p];
      const auto number = static_cast<std::uint32_t>(arcs_.size());
      arcs_.push_back({backwards ? e.node : x, backwards ? x : e.node, hop, link_at[here]});
      out_[arcs_.back().tail].push_back(number);
      in_[arcs_.back().head].push_back(number);
      least_ = std::min(least_, hop);
      most_ = std::max(most_, hop);
    }
  }
}

std::vector<std::uint64_t> times(const Net& net, std::span<const Node> nodes, Leads leads) {
  std::vector<std::uint64_t> time(net.nodes(), ~std::uint64_t{0});
  using Entry = std::pair<std::uint64_t, Node>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> near;
  std::deque<Node> next;  // enough if all hops take the same time
  const bool alike = net.least_hop() == net.most_hop();
  const auto reach = [&](Node x, std::uint64_t t) {
    if (t >= time[x]) return;
    time[x] = t;
    alike ? next.push_back(x) : near.push({t, x});
  };
  for (const Node x : nodes) reach(x, 0);
  while (!next.empty() || !near.empty()) {
    Node x = 0;
    if (alike) {
      x = next.front();
      next.pop_front();
    } else {
      const auto [t, nearest] = near.top();
      near.pop();
      if (t != time[nearest]) continue;
      x = nearest;
    }
    for (const std::uint32_t a : leads == Leads::Away ? net.out(x) : net.in(x)) {
      const NetArc& arc = net.arcs()[a];
      reach(leads == Leads::Away ? arc.head : arc.tail, time[x] + arc.hop);
    }
  }
  return time;
}

std::vector<std::uint64_t> hops_of_disjoint_paths(const Net& net, Node from, Node to) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  std::vector<std::uint64_t> hops;
  if (from == to) return hops;
  std::vector<bool> used(net.arcs().size(), false);
  for (std::uint64_t sum = 0;;) {
    // The cheapest way to one path more: it may also go back over an arc that is used, and frees
    // it.
    std::vector<std::int64_t> distance(net.nodes(), kFar);
    std::vector<std::uint32_t> arrives(net.nodes());
    std::vector<bool> waiting(net.nodes(), false);
    std::deque<Node> next = {from};
    distance[from] = 0;
    while (!next.empty()) {
      const Node x = next.front();
      next.pop_front();
      waiting[x] = false;
      const auto go = [&](std::uint32_t a, Node y, std::int64_t hop) {
        if (distance[x] + hop >= distance[y]) return;
        distance[y] = distance[x] + hop;
        arrives[y] = a;
        if (!waiting[y]) next.push_back(y);
        waiting[y] = true;
      };
      for (const std::uint32_t a : net.out(x)) {
        const NetArc& arc = net.arcs()[a];
        if (!used[a]) go(a, arc.head, static_cast<std::int64_t>(arc.hop));
      }
      for (const std::uint32_t a : net.in(x)) {
        const NetArc& arc = net.arcs()[a];
        if (used[a]) go(a, arc.tail, -static_cast<std::int64_t>(arc.hop));
      }
    }
    if (distance[to] == kFar) return hops;
    for (Node y = to; y != from;) {
      const NetArc& arc = net.arcs()[arrives[y]];
      used[arrives[y]] = !used[arrives[y]];
      y = arc.head == y ? arc.tail : arc.head;
    }
    hops.push_back(sum += static_cast<std::uint64_t>(distance[to]));
  }
}

namespace {

/// A pair (node, time), as a number. Time t is the end of round t.
using State = std::uint32_t;
constexpr State kNoState = ~State{0};

/// A tree whose branches, the parts behind the neighbours of the root, are as equally large as
/// moving one leaf after the other makes them. Paths are the shortest, or longer where that does
/// not help.
class BalancedTree {
 public:
  BalancedTree(const Arcs& arcs, Node root, const std::vector<std::uint32_t>& distance)
      : arcs_(arcs),
        root_(root),
        depth_(distance),
        near_first_(numbers_below(arcs.nodes())),
        arc_to_(arcs.nodes(), kNoArcId),
        branch_(arcs.nodes(), 0),
        children_(arcs.nodes(), 0),
        size_(arcs.degree(root), 0) {
    std::ranges::stable_sort(near_first_, {}, [&](Node x) { return depth_[x]; });
    for (const Node x : near_first_) {
      if (x != root) grow(x);
    }
    while (move_from_largest(false) || move_from_largest(true)) stop_if_interrupted();
    std::ranges::stable_sort(near_first_, {}, [&](Node x) { return depth_[x]; });
  }

  ArcId arc_to(Node x) const { return arc_to_[x]; }
  std::uint32_t depth(Node x) const { return depth_[x]; }

  /// The nodes of each branch.
  std::vector<std::vector<Node>> far_first() const {
    std::vector<std::vector<Node>> branches(size_.size());
    for (std::size_t i = near_first_.size(); i-- > 1;) {
      branches[branch_[near_first_[i]]].push_back(near_first_[i]);
    }
    return branches;
  }

 private:
  /// What leads to `x` from a node that is nearer to the root, or with detours from any: calls
  /// act(arc, branch).
  template <typename Do>
  void for_each_way(Node x, bool detours, const Do& act) const {
    for (ArcId out = arcs_.first(x); out < arcs_.first(x) + arcs_.degree(x); ++out) {
      const ArcId in = arcs_.reverse(out);
      const Node y = arcs_.tail(in);
      if (detours || depth_[y] < depth_[x]) {
        act(in, y == root_ ? static_cast<std::uint32_t>(in - arcs_.first(root_)) : branch_[y]);
      }
    }
  }

  void grow(Node x) {
    for_each_way(x, false, [&](ArcId in, std::uint32_t branch) {
      if (arc_to_[x] != kNoArcId && size_[branch] >= size_[branch_[x]]) return;
      arc_to_[x] = in;
      branch_[x] = branch;
    });
    ++size_[branch_[x]];
    ++children_[arcs_.tail(arc_to_[x])];
  }

  /// A leaf of a largest branch goes to another one, and from there, if that is as large, one to a
  /// third: so that the last one had two nodes fewer at least. Breadth first, from branch to
  /// branch.
  bool move_from_largest(bool detours) {
    struct Move {
      Node leaf = kNoNode;
      ArcId in = kNoArcId;
      std::uint32_t from = 0;
    };
    const auto largest =
        static_cast<std::uint32_t>(std::ranges::max_element(size_) - size_.begin());
    std::vector<Move> moved(size_.size());
    std::vector<std::uint32_t> reached = {largest};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const std::uint32_t from = reached[i];
      const Node gets_a_child = from == largest ? root_ : arcs_.tail(moved[from].in);
      std::uint32_t found = from;
      for (const Node x : near_first_) {
        if (x == root_ || x == gets_a_child) continue;
        if (branch_[x] != from || children_[x] != 0) continue;
        for_each_way(x, detours, [&](ArcId in, std::uint32_t to) {
          if (to == largest || moved[to].leaf != kNoNode) return;
          moved[to] = {x, in, from};
          reached.push_back(to);
          if (size_[to] + 1 < size_[largest]) found = to;
        });
        if (found != from) break;
      }
      if (found == from) continue;
      for (std::uint32_t to = found; to != largest; to = moved[to].from) {
        const Move& move = moved[to];
        --children_[arcs_.tail(arc_to_[move.leaf])];
        ++children_[arcs_.tail(move.in)];
        arc_to_[move.leaf] = move.in;
        depth_[move.leaf] = depth_[arcs_.tail(move.in)] + 1;
        branch_[move.leaf] = to;
      }
      --size_[largest];
      ++size_[found];
      return true;
    }
    return false;
  }

  const Arcs& arcs_;
  Node root_;
  std::vector<std::uint32_t> depth_;
  std::vector<Node> near_first_;
  std::vector<ArcId> arc_to_;  ///< from its parent
  std::vector<std::uint32_t> branch_, children_, size_;
};

class Flow {
 public:
  Flow(const Arcs& arcs, Node root, std::uint32_t rounds)
      : arcs_(arcs),
        root_(root),
        rounds_(rounds),
        distance_(distances_from(arcs, root)),
        used_(std::size_t{arcs.count()} * (rounds + 1), false),
        arrival_(arcs.nodes(), 0),
        idle_at_root_(rounds + 1, arcs.degree(root)),
        seen_(std::size_t{arcs.nodes()} * (rounds + 1), 0),
        towards_(seen_.size(), kNoState),
        through_(seen_.size(), kNoArcId) {}

  /// Messages down a tree: into each branch one after the other, the farthest first. Those that so
  /// arrive in time have a way.
  void go_down(const BalancedTree& tree) {
    for (const auto& branch : tree.far_first()) {
      std::uint32_t leaves = 0;
      for (const Node x : branch) {
        const std::uint32_t arrives = leaves + tree.depth(x);
        if (arrives > rounds_) continue;
        ++leaves;
        --idle_at_root_[leaves];
        arrival_[x] = arrives;
        std::uint32_t t = arrives;
        for (Node y = x; y != root_; y = arcs_.tail(tree.arc_to(y))) {
          used_[slot(tree.arc_to(y), t--)] = true;
        }
      }
    }
  }

  bool has_way(Node x) const { return arrival_[x] != 0; }

  /// Looks for a way to `x` from the root, backwards in time; what is in the way is moved.
  bool reach(Node x) {
    ++search_;
    waiting_.clear();
    wait_for_sink(x, kNoState);
    try_first(x);
    while (!waiting_.empty()) {
      const State s = waiting_.back();
      waiting_.pop_back();
      const ArcId last = arrive_from_root(s);
      if (last != kNoArcId) {
        use(s, last);
        return true;
      }
      expand(s);
    }
    return false;
  }

  /// The path of the message to `x`; each arc of the flow belongs to one path.
  TimedPath take_path(Node x) {
    TimedPath path{arrival_[x], {x}};
    while (path.nodes.back() != root_) {
      const ArcId a = used_arc_into(path.nodes.back(), path.first_round);
      used_[slot(a, path.first_round)] = false;
      path.nodes.push_back(arcs_.tail(a));
      --path.first_round;
    }
    ++path.first_round;
    std::ranges::reverse(path.nodes);
    return path;
  }

 private:
  Node node(State s) const { return s / (rounds_ + 1); }
  std::uint32_t time(State s) const { return s % (rounds_ + 1); }
  State state(Node x, std::uint32_t t) const { return x * (rounds_ + 1) + t; }
  std::size_t slot(ArcId a, std::uint32_t t) const { return std::size_t{a} * (rounds_ + 1) + t; }

  /// Most messages take a shortest way and leave the root as late as it still has an idle arc.
  void try_first(Node x) {
    std::uint32_t leaves = rounds_ - distance_[x] + 1;
    while (leaves > 1 && idle_at_root_[leaves] == 0) --leaves;
    waiting_.push_back(state(x, leaves + distance_[x] - 1));
  }

  /// The message for x may arrive at any time; the latest is tried first.
  void wait_for_sink(Node x, State towards) {
    for (std::uint32_t t = distance_[x]; t <= rounds_; ++t) visit(state(x, t), towards, kNoArcId);
  }

  /// A message is needed at `s`, in order to go on to `towards`.
  void visit(State s, State towards, ArcId through) {
    if (seen_[s] == search_) return;
    seen_[s] = search_;
    towards_[s] = towards;
    through_[s] = through;
    waiting_.push_back(s);
  }

  /// An unused arc from the root that arrives at `s`.
  ArcId arrive_from_root(State s) const {
    const Node x = node(s);
    for (ArcId a = arcs_.first(x); a < arcs_.first(x) + arcs_.degree(x); ++a) {
      if (arcs_.head(a) == root_ && !used_[slot(arcs_.reverse(a), time(s))])
        return arcs_.reverse(a);
    }
    return kNoArcId;
  }

  void expand(State s) {
    const Node x = node(s);
    const std::uint32_t t = time(s);
    // What arrives here now and stays: it could serve, if x got its message at another time.
    if (arrival_[x] == t) wait_for_sink(x, s);
    for (ArcId out = arcs_.first(x); out < arcs_.first(x) + arcs_.degree(x); ++out) {
      const Node y = arcs_.head(out);
      // What arrives here now and goes on to y could serve, if y got another message in its place.
      if (t < rounds_ && used_[slot(out, t + 1)]) visit(state(y, t + 1), s, out);
    }
    // From a neighbour; those nearer to the root are tried first.
    for (const bool nearer : {false, true}) {
      for (ArcId out = arcs_.first(x); out < arcs_.first(x) + arcs_.degree(x); ++out) {
        const Node y = arcs_.head(out);
        if (y == root_ || (distance_[y] < distance_[x]) != nearer) continue;
        const ArcId in = arcs_.reverse(out);
        if (t > distance_[y] && !used_[slot(in, t)]) visit(state(y, t - 1), s, in);
      }
    }
  }

  /// Changes the flow along the way that was found.
  void use(State s, ArcId last) {
    used_[slot(last, time(s))] = true;
    --idle_at_root_[time(s)];
    while (true) {
      const State next = towards_[s];
      const ArcId a = through_[s];
      if (a == kNoArcId) {  // the message of this node arrives now
        arrival_[node(s)] = time(s);
        if (next == kNoState) return;
      } else if (arcs_.tail(a) == node(s)) {  // it goes on over a
        used_[slot(a, time(next))] = true;
      } else {  // what came over a is no longer needed
        used_[slot(a, time(s))] = false;
      }
      s = next;
    }
  }

  ArcId used_arc_into(Node x, std::uint32_t t) const {
    for (ArcId a = arcs_.first(x);; ++a) {
      if (used_[slot(arcs_.reverse(a), t)]) return arcs_.reverse(a);
    }
  }

  const Arcs& arcs_;
  Node root_;
  std::uint32_t rounds_;
  std::vector<std::uint32_t> distance_;
  std::vector<bool> used_;              ///< an arc in a round
  std::vector<std::uint32_t> arrival_;  ///< of each node's message; 0: none yet
  std::vector<ArcId> idle_at_root_;     ///< arcs of the root, in each round
  std::uint32_t search_ = 0;
  std::vector<std::uint32_t> seen_;  ///< by which search
  std::vector<State> towards_;       ///< where the message goes on
  std::vector<ArcId> through_;       ///< over which arc; none: it stays
  std::vector<State> waiting_;
};

}  // namespace

std::optional<std::vector<TimedPath>> scatter_in(const Arcs& arcs, Node root,
                                                 std::uint32_t rounds) {
  Flow flow(arcs, root, rounds);
  const auto distance = distances_from(arcs, root);
  std::vector<Node> far_first = numbers_below(arcs.nodes());
  std::ranges::stable_sort(far_first, std::greater{}, [&](Node x) { return distance[x]; });
  far_first.pop_back();  // the root
  flow.go_down(BalancedTree(arcs, root, distance));
  for (const Node x : far_first) {
    stop_if_interrupted();
    if (flow.has_way(x)) continue;
    if (distance[x] > rounds || !flow.reach(x)) return std::nullopt;
  }
  std::vector<TimedPath> paths(arcs.nodes());
  for (const Node x : far_first) paths[x] = flow.take_path(x);
  return paths;
}

std::uint32_t fewest_scatter_rounds(const Arcs& arcs, Node root, std::uint32_t least) {
  if (scatter_in(arcs, root, least)) return least;
  std::uint32_t too_few = least, enough = least + 1;
  for (std::uint32_t step = 1; !scatter_in(arcs, root, enough); step *= 2) {
    too_few = enough;
    enough += step;
  }
  while (enough - too_few > 1) {
    const std::uint32_t middle = too_few + (enough - too_few) / 2;
    (scatter_in(arcs, root, middle) ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace gossamer::bounds
