#include "bounds/flow_over_time.hpp"

#include <algorithm>
#include <numeric>

#include "support/interrupt.hpp"

namespace gossamer::bounds {
namespace {

/// A pair (node, time), as a number. Time t is the end of round t.
using State = std::uint32_t;
constexpr State kNoState = ~State{0};

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
  std::vector<Node> far_first(arcs.nodes());
  std::iota(far_first.begin(), far_first.end(), Node{0});
  std::ranges::stable_sort(far_first, std::greater{}, [&](Node x) { return distance[x]; });
  far_first.pop_back();  // the root
  for (const Node x : far_first) {
    stop_if_interrupted();
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
