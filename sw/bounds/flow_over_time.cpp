#include "bounds/flow_over_time.hpp"

#include <algorithm>

#include "support/job.hpp"

namespace gossamer::bounds {
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
