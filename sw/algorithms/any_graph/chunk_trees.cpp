// Any list of chunks on any graph.
//
// A chunk goes down a tree that leads from its origin to its receivers. The trees are grown one
// after the other, in a random order: the receiver that is cheapest to reach from the tree joins it
// next, and a hop costs the more, the more hops its resources have already. What it costs to be far
// from the origin is drawn anew for each tree: between a tree of shortest paths and one of few
// hops. Hops towards the origin of a tree come before those below them; in each round the arcs for
// which chunks wait claim their resources, those with the longest way below them and the most to
// serve first. A round lasts as long as the longest chunk in it: in every other schedule those that
// are longer than the first one wait for a round of their like. Then trees that use the busiest
// resources, or are the deepest, are grown again, now from the last trees, now from those of the
// shortest schedule so far. A schedule that cannot be shorter than that one is given up.
#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include "algorithms/any_graph/any_graph.hpp"
#include "support/job.hpp"

namespace gossamer::any_graph {
namespace {

using bounds::Resource;

/// Arcs, each after the one that it continues.
using ChunkTree = std::vector<ArcId>;

class ChunkTrees {
 public:
  ChunkTrees(const Arcs& arcs, const bounds::Resources& resources,
             const std::vector<Demand>& demands, Random& random)
      : arcs_(arcs),
        resources_(resources),
        demands_(demands),
        random_(random),
        load_(resources.count(), 0),
        cost_(arcs.nodes()),
        arrives_(arcs.nodes()),
        wanted_(arcs.nodes(), false),
        reached_(arcs.nodes(), false),
        depth_(arcs.nodes(), 0),
        depth_of_(demands.size(), 0),
        order_(numbers_below(static_cast<std::uint32_t>(demands.size()))),
        trees_(demands.size()) {
    random_.shuffle(order_);
    for (const std::uint32_t d : order_) grow(d);
  }

  /// Those that use one of the busiest resources, and the deepest ones, look for other ways.
  void improve() {
    random_.shuffle(order_);
    for (const std::uint32_t d : order_) {
      const std::uint64_t most = std::ranges::max(load_);
      const std::uint32_t deepest = std::ranges::max(depth_of_);
      const bool busy = std::ranges::any_of(trees_[d], [&](ArcId a) { return load(a) == most; });
      if (!busy && depth_of_[d] < deepest) continue;
      stop_if_interrupted();
      count(d, Count::Out);
      grow(d);
    }
  }

  void copy_trees(const ChunkTrees& from) {
    load_ = from.load_;
    depth_of_ = from.depth_of_;
    trees_ = from.trees_;
  }

  const std::vector<ChunkTree>& trees() const { return trees_; }
  const std::vector<std::uint64_t>& loads() const { return load_; }

 private:
  std::uint64_t load(ArcId a) const { return resources_.most(a, load_); }
  enum class Count : bool { In, Out };
  void count(std::uint32_t d, Count how) {
    const std::uint64_t cycles = demands_[d].cycles;
    for (const ArcId a : trees_[d]) {
      for (const Resource r : resources_.of(a)) {
        load_[r] += how == Count::In ? cycles : -cycles;
      }
    }
  }

  /// Joins the cheapest receiver to the tree until all are in it (Dijkstra, from the whole tree).
  void grow(std::uint32_t d) {
    const Demand& demand = demands_[d];
    ChunkTree tree;
    std::vector<Node> inside = {demand.message.origin};
    const double mean =
        1 + static_cast<double>(std::accumulate(load_.begin(), load_.end(), std::uint64_t{0})) /
                static_cast<double>(load_.size());
    const double far = random_.below(4) / 3.0;
    depth_[demand.message.origin] = depth_of_[d] = 0;
    reached_[demand.message.origin] = true;
    std::size_t missing = 0;
    for (const Node x : demand.receivers) {
      wanted_[x] = true;
      ++missing;
    }
    while (missing > 0) {
      const Node next = nearest(inside, mean, far);
      ChunkTree way;
      for (Node x = next; !reached_[x]; x = arcs_.tail(arrives_[x])) way.push_back(arrives_[x]);
      for (auto a = way.rbegin(); a != way.rend(); ++a) {
        const Node x = arcs_.head(*a);
        reached_[x] = true;
        depth_[x] = depth_[arcs_.tail(*a)] + 1;
        depth_of_[d] = std::max(depth_of_[d], depth_[x]);
        inside.push_back(x);
        tree.push_back(*a);
        missing -= wanted_[x] ? 1 : 0;
      }
    }
    for (const Node x : demand.receivers) wanted_[x] = false;
    for (const Node x : inside) reached_[x] = false;
    trees_[d] = std::move(tree);
    count(d, Count::In);
  }

  Node nearest(const std::vector<Node>& inside, double mean, double far) {
    std::ranges::fill(cost_, std::numeric_limits<double>::infinity());
    for (const Node x : inside) cost_[x] = far * depth_[x];
    Node found = kNoNode;
    const auto over = [&](double cost, ArcId a) {
      const double busy = static_cast<double>(load(a)) / mean;
      return cost + 1 + busy * busy + random_.below(64) / 1024.0;
    };
    cheapest_ways(arcs_, inside, cost_, arrives_, over, [&](Node x) {
      found = x;
      return wanted_[x] && !reached_[x];
    });
    return found;
  }

  const Arcs& arcs_;
  const bounds::Resources& resources_;
  const std::vector<Demand>& demands_;
  Random& random_;
  std::vector<std::uint64_t> load_;  ///< cycles of each resource
  std::vector<double> cost_;
  std::vector<ArcId> arrives_;
  std::vector<bool> wanted_, reached_;
  std::vector<std::uint32_t> depth_;     ///< of the nodes in the tree that grows
  std::vector<std::uint32_t> depth_of_;  ///< of each tree
  std::vector<std::uint32_t> order_;
  std::vector<ChunkTree> trees_;
};

struct Rounds {
  std::vector<Hop> hops;
  std::uint64_t cycles = 0;
  std::uint64_t looked_at = 0;  ///< steps that waited, over all rounds

  std::uint64_t work() const { return std::max(hops.size(), looked_at / 8); }
};

/// The hops of all trees, in rounds.
class ChunkRounds {
 public:
  ChunkRounds(const Arcs& arcs, const bounds::Resources& resources,
              const std::vector<Demand>& demands, const ChunkTrees& trees, std::uint64_t seed)
      : arcs_(arcs),
        resources_(resources),
        demands_(demands),
        random_(seed),
        alike_(random_.below(2) == 0),
        left_(trees.loads()),
        used_in_(resources.count(), 0) {
    std::vector<std::uint32_t> hop_to(arcs.nodes());
    for (std::uint32_t d = 0; d < demands.size(); ++d) {
      const auto first = static_cast<std::uint32_t>(steps_.size());
      for (const ArcId a : trees.trees()[d]) {
        const Node from = arcs.tail(a);
        const bool starts = from == demands[d].message.origin;
        const auto step = static_cast<std::uint32_t>(steps_.size());
        hop_to[arcs.head(a)] = step;
        steps_.push_back({a, d, starts ? kNone : hop_to[from], demands[d].cycles});
        if (starts) continue;
        TreeHop& before = steps_[hop_to[from]];
        (before.first == kNone ? before.first : steps_[before.last].next) = step;
        before.last = step;
      }
      for (auto i = static_cast<std::uint32_t>(steps_.size()); i-- > first;) {
        const TreeHop& step = steps_[i];
        if (step.before == kNone) {
          ready_.push_back(i);
        } else {
          TreeHop& before = steps_[step.before];
          before.below = std::max(before.below, step.below + demands[d].cycles);
        }
      }
    }
  }

  /// Gives up once it is certain that the rounds take `most` cycles or more: then those are its
  /// cycles, and its hops are only some.
  Rounds run(std::uint64_t most) {
    while (!ready_.empty()) {
      stop_if_interrupted();
      if (result_.cycles + least_left() >= most) {
        result_.cycles = most;
        break;
      }
      ++round_;
      play_round();
    }
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct TreeHop {
    ArcId arc = 0;
    std::uint32_t demand = 0;
    std::uint32_t before = kNone;
    std::uint64_t below = 1;  ///< cycles of the longest way from here on
    /// The steps that can follow, as a list: its ends, and what comes after this step in its list.
    std::uint32_t first = kNone, last = kNone, next = kNone;
  };

  /// Cycles that the resources and the ways below what is ready need at least from here on.
  std::uint64_t least_left() const {
    std::uint64_t least = 0;
    for (const std::uint32_t i : ready_) {
      least = std::max({least, steps_[i].below, left(steps_[i])});
    }
    return least;
  }

  std::uint64_t left(const TreeHop& step) const { return resources_.most(step.arc, left_); }

  /// What is left to do once this hop is made in time.
  std::uint64_t urgency(const TreeHop& step) const { return step.below + left(step); }

  void play_round() {
    random_.shuffle(ready_);
    // The most urgent first, others in the order that was drawn.
    by_urgency_.clear();
    for (const std::uint32_t i : ready_) {
      const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
      const std::uint64_t late = most - std::min(urgency(steps_[i]), most);
      by_urgency_.push_back(late << 32 | by_urgency_.size());
    }
    std::ranges::sort(by_urgency_);
    result_.looked_at += ready_.size();
    ready_.swap(drawn_);
    std::vector<std::uint32_t>& waiting = ready_;
    waiting.clear();
    fresh_.clear();
    std::uint64_t longest = 0;
    for (const std::uint64_t key : by_urgency_) {
      const std::uint32_t i = drawn_[static_cast<std::uint32_t>(key)];
      const ArcId a = steps_[i].arc;
      const Demand& demand = demands_[steps_[i].demand];
      const bool busy = resources_.most(a, used_in_) == round_;
      if (busy || (alike_ && longest != 0 && demand.cycles > longest)) {
        waiting.push_back(i);
        continue;
      }
      for (const Resource r : resources_.of(a)) {
        used_in_[r] = round_;
        left_[r] -= demand.cycles;
      }
      longest = std::max(longest, demand.cycles);
      result_.hops.push_back({round_, arcs_.tail(a), arcs_.head(a), demand.message});
      for (std::uint32_t then = steps_[i].first; then != kNone; then = steps_[then].next) {
        fresh_.push_back(then);
      }
    }
    result_.cycles += longest;
    ready_.insert(ready_.end(), fresh_.begin(), fresh_.end());
  }

  const Arcs& arcs_;
  const bounds::Resources& resources_;
  const std::vector<Demand>& demands_;
  Random random_;
  bool alike_;                       ///< in a round nothing is longer than what comes first
  std::vector<std::uint64_t> left_;  ///< cycles that each resource has to serve
  std::vector<std::uint32_t> used_in_;
  std::vector<TreeHop> steps_;
  std::vector<std::uint32_t> ready_, fresh_;  ///< can be made now; in the next round
  std::vector<std::uint32_t> drawn_;          ///< what was ready as the round began
  std::vector<std::uint64_t> by_urgency_;     ///< how far from urgent, above the place in drawn_
  std::uint32_t round_ = 0;
  Rounds result_;
};

}  // namespace

std::vector<Hop> send_down_trees(const Arcs& arcs, const bounds::Resources& resources,
                                 const std::vector<Demand>& demands, std::uint64_t bound,
                                 const Effort& effort) {
  constexpr std::uint64_t kEnough = 300'000;  // hops planned
  constexpr unsigned kLooks = 8;              // schedules of the trees before others are grown
  Random random(effort.seed);
  ChunkTrees trees(arcs, resources, demands, random);
  Rounds best = ChunkRounds(arcs, resources, demands, trees, random.next())
                    .run(std::numeric_limits<std::uint64_t>::max());
  ChunkTrees best_trees = trees;
  best_so_far(effort, [&] {
    std::uint64_t work = best.work();
    for (unsigned look = 1; best.cycles > bound; ++look, work += best.work()) {
      if (effort.over(work, enough_work(kEnough, best.work()))) break;
      if (look % kLooks == 1) {
        if (random.below(2) == 0) trees.copy_trees(best_trees);
        trees.improve();
      }
      Rounds next = ChunkRounds(arcs, resources, demands, trees, random.next()).run(best.cycles);
      if (next.cycles >= best.cycles) continue;
      best = std::move(next);
      best_trees.copy_trees(trees);
    }
  });
  return std::move(best.hops);
}

}  // namespace gossamer::any_graph
