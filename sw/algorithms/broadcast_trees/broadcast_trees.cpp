#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "algorithms/broadcast_trees/broadcast_trees.hpp"
#include "algorithms/common/all.hpp"
#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"
#include "support/error.hpp"
#include "support/job.hpp"

namespace gossamer::broadcast_trees {
namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

/// Grows all trees at once. A place is a node in a tree; it is missing until an arc leads to it.
/// One missing place after the other gets an arc: a free one if possible, else one that another
/// place uses, which is then missing in its turn, with all below it.
class Search {
 public:
  Search(const Arcs& arcs, Duplex duplex, Node root, std::uint32_t trees, std::uint32_t depth,
         any_graph::Random& random)
      : arcs_(arcs),
        half_(duplex == Duplex::Half),
        trees_(trees),
        most_(depth),
        random_(random),
        places_(std::size_t{arcs.nodes()} * trees),
        user_(arcs.count(), kFar) {
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      if (node(i) == root) {
        places_[i].depth = 0;
      } else {
        add_missing(i);
      }
    }
  }

  bool run(std::uint64_t steps) {
    for (; !missing_.empty(); ++step_) {
      if (step_ == steps) return false;
      if (step_ % 1024 == 0) stop_if_interrupted();
      const Move move = best_of_a_few();
      if (move.place != kFar) {
        take(move);
      } else {
        cut_off_a_neighbour();
      }
    }
    return true;
  }

  /// Parents first.
  OutTree tree(std::uint32_t t) const {
    std::vector<Place> reached;
    for (std::uint32_t i = t; i < places_.size(); i += trees_) {
      if (places_[i].arc != kNoArcId) reached.push_back(places_[i]);
    }
    std::ranges::stable_sort(reached, {}, &Place::depth);
    OutTree tree;
    for (const Place& place : reached) tree.push_back(place.arc);
    return tree;
  }

 private:
  struct Place {
    std::uint32_t depth = kFar;  ///< no less than the real one, and more than its parent's
    ArcId arc = kNoArcId;        ///< that leads to it
    std::uint32_t missing_at = 0;
    std::uint64_t kept_until = 0;  ///< a step; before, it is rarely taken away again
  };
  struct Move {
    std::uint32_t place = kFar;
    ArcId arc = kNoArcId;
    std::uint64_t cost = std::numeric_limits<std::uint64_t>::max();
  };

  Node node(std::uint32_t place) const { return place / trees_; }
  /// The place of another node in the same tree.
  std::uint32_t in_tree_of(std::uint32_t place, Node x) const {
    return x * trees_ + place % trees_;
  }
  std::uint32_t depth_at_tail(std::uint32_t place, ArcId arc) const {
    return places_[in_tree_of(place, arcs_.tail(arc))].depth;
  }
  /// The place that uses the arc, or with half duplex its link.
  std::uint32_t& user(ArcId arc) { return user_[half_ ? std::min(arc, arcs_.reverse(arc)) : arc]; }
  ArcId arc_into(Node x, ArcId i) const { return arcs_.reverse(arcs_.first(x) + i); }

  void add_missing(std::uint32_t place) {
    places_[place].missing_at = static_cast<std::uint32_t>(missing_.size());
    missing_.push_back(place);
  }
  void remove_missing(std::uint32_t place) {
    const std::uint32_t at = places_[place].missing_at;
    missing_[at] = missing_.back();
    places_[missing_[at]].missing_at = at;
    missing_.pop_back();
  }

  /// A free arc that leads to the place as early as its own; kNoArcId if there is none.
  ArcId other_arc(std::uint32_t place) {
    const Node x = node(place);
    for (ArcId i = 0; i < arcs_.degree(x); ++i) {
      const ArcId arc = arc_into(x, i);
      if (user(arc) == kFar && depth_at_tail(place, arc) < places_[place].depth) return arc;
    }
    return kNoArcId;
  }

  /// What the place's user would lose.
  std::uint64_t cost_of_taking_from(std::uint32_t place) {
    if (other_arc(place) != kNoArcId) return 8;
    const Place& p = places_[place];
    constexpr std::uint64_t kKept = 100'000;
    return 1000 + random_.below(400) + 64 * (most_ - p.depth) + (step_ < p.kept_until ? kKept : 0);
  }

  Move best_of_a_few() {
    constexpr int kLookedAt = 12;
    Move best;
    for (int i = 0; i < kLookedAt; ++i) {
      const std::uint32_t place = a_missing_one();
      const Node x = node(place);
      for (ArcId k = 0; k < arcs_.degree(x); ++k) {
        const ArcId arc = arc_into(x, k);
        const std::uint32_t depth = depth_at_tail(place, arc);
        if (depth >= most_) continue;
        std::uint64_t cost = std::uint64_t{16} * depth + random_.below(16);
        if (user(arc) != kFar) cost += cost_of_taking_from(user(arc));
        if (cost < best.cost) best = {place, arc, cost};
      }
    }
    return best;
  }

  void take(const Move& move) {
    if (const std::uint32_t loser = user(move.arc); loser != kFar) {
      const ArcId other = other_arc(loser);
      if (other != kNoArcId) {
        user(places_[loser].arc) = kFar;
        use(loser, other);
      } else {
        cut_off(loser);
        places_[move.place].kept_until = step_ + 20 + random_.below(30);
      }
    }
    use(move.place, move.arc);
    places_[move.place].depth = depth_at_tail(move.place, move.arc) + 1;
    remove_missing(move.place);
  }
  void use(std::uint32_t place, ArcId arc) {
    places_[place].arc = arc;
    user(arc) = place;
  }

  /// All missing places that were looked at are too far out: a place beside one of them begins
  /// anew.
  void cut_off_a_neighbour() {
    const std::uint32_t place = a_missing_one();
    const Node x = node(place);
    const ArcId arc = arc_into(x, random_.below(arcs_.degree(x)));
    const std::uint32_t neighbour = in_tree_of(place, arcs_.tail(arc));
    if (places_[neighbour].arc != kNoArcId) cut_off(neighbour);
  }
  std::uint32_t a_missing_one() {
    return missing_[random_.below(static_cast<std::uint32_t>(missing_.size()))];
  }

  /// Makes a place missing, and all below it.
  void cut_off(std::uint32_t place) {
    std::vector<std::uint32_t> below = {place};
    for (std::size_t i = 0; i < below.size(); ++i) {
      Place& p = places_[below[i]];
      user(p.arc) = kFar;
      p.arc = kNoArcId;
      p.depth = kFar;
      add_missing(below[i]);
      const Node x = node(below[i]);
      for (ArcId k = 0; k < arcs_.degree(x); ++k) {
        const ArcId arc = arcs_.first(x) + k;
        const std::uint32_t child = in_tree_of(place, arcs_.head(arc));
        if (places_[child].arc == arc) below.push_back(child);
      }
    }
  }

  const Arcs& arcs_;
  const bool half_;
  const std::uint32_t trees_, most_;
  any_graph::Random& random_;
  std::vector<Place> places_;           ///< by node, then tree
  std::vector<std::uint32_t> user_;     ///< by arc: a place, or kFar
  std::vector<std::uint32_t> missing_;  ///< places
  std::uint64_t step_ = 0;
};

}  // namespace

std::optional<std::vector<OutTree>> disjoint_trees(const Arcs& arcs, Duplex duplex, Node root,
                                                   std::uint32_t trees, std::uint32_t depth,
                                                   any_graph::Random& random, std::uint64_t steps) {
  Search search(arcs, duplex, root, trees, depth, random);
  if (!search.run(steps)) return std::nullopt;
  std::vector<OutTree> found;
  for (std::uint32_t t = 0; t < trees; ++t) found.push_back(search.tree(t));
  return found;
}

std::uint32_t most_trees(const Arcs& arcs, Duplex duplex, Node root) {
  std::uint32_t most = arcs.degree(root);
  for (Node x = 0; x < arcs.nodes(); ++x) most = std::min(most, arcs.degree(x));
  if (duplex == Duplex::Half && arcs.nodes() > 1) {
    most = std::min(most, arcs.count() / 2 / (arcs.nodes() - 1));
  }
  return most;
}

}  // namespace gossamer::broadcast_trees

namespace gossamer {
namespace {

using namespace broadcast_trees;

std::optional<std::string> refuses(const Request& request) {
  if (request.ports == PortModel::Single) {
    if (request.pieces.value_or(1) > 1)
      return "a single port sends one piece at a time: the message";
    return why_no_hamiltonian_cycle(request.topology);
  }
  if (!request.pieces) return std::nullopt;
  const std::uint32_t most = most_trees(Arcs(request.topology), request.duplex, request.root);
  if (*request.pieces <= most) return std::nullopt;
  return fmt::format("{} pieces need as many trees that share no {}; {} allows {} at most",
                     *request.pieces, request.duplex == Duplex::Half ? "link" : "arc",
                     request.topology.spec(), most);
}

/// Through single ports nothing forks: the way along a hamiltonian cycle from the root.
std::vector<Branch> along_cycle(const Request& request) {
  std::vector<Node> cycle = hamiltonian_cycle(request.topology).cycle;
  std::rotate(cycle.begin(), std::ranges::find(cycle, request.root), cycle.end());
  std::vector<Branch> way;
  for (std::uint32_t i = 1; i < cycle.size(); ++i) {
    way.push_back({cycle[i], i == 1 ? TransferHop::kNone : i - 2});
  }
  return way;
}

/// Looks for the trees with which the last flit arrives first: `depth` hops after it left the root,
/// which sends a piece a tree.
class Planner {
 public:
  explicit Planner(const Request& request)
      : request_(request),
        arcs_(request.topology),
        farthest_(std::ranges::max(distances_from(arcs_, request.root))),
        random_(request.seed) {}

  std::vector<OutTree> trees() {
    std::vector<std::uint32_t> counts = {request_.pieces.value_or(1)};
    if (!request_.pieces) {
      const std::uint32_t most =
          std::min(most_trees(arcs_, request_.duplex, request_.root), request_.flits);
      for (std::uint32_t k = 2; k <= most; ++k) counts.push_back(k);
    }
    std::ranges::stable_sort(counts, {}, [&](std::uint32_t k) { return longest_piece(k); });
    for (const std::uint32_t count : counts) try_count(count);
    return std::move(best_);
  }

 private:
  static constexpr std::uint64_t kArcs = 4'000'000;  ///< of a node in each step, in all searches

  std::uint64_t longest_piece(std::uint32_t pieces) const {
    return (request_.flits + pieces - 1) / pieces;
  }

  /// The least depth with which so many trees are found, if the last flit then arrives sooner:
  /// ever deeper until there are some, then between.
  void try_count(std::uint32_t count) {
    // Every step looks at the arcs of some nodes. A count may take half of the steps that are left.
    steps_left_ = left_in_all_ / 2;
    left_in_all_ -= steps_left_;
    try_depths(count);
    left_in_all_ += steps_left_;
  }

  void try_depths(std::uint32_t count) {
    const std::uint64_t flits = longest_piece(count);
    if (farthest_ * request_.hop + flits >= cycles_) return;
    std::uint64_t low = farthest_;
    const std::uint64_t most =
        std::min<std::uint64_t>(arcs_.nodes() - 1, (cycles_ - flits - 1) / request_.hop);
    std::uint64_t depth = std::min(most, low + low / 4 + 1);
    for (std::uint64_t step = 1 + low / 4; !find(count, depth); step *= 2) {
      if (depth == most) return;
      low = depth + 1;
      depth = std::min(most, depth + step);
    }
    for (std::uint64_t high = depth; low < high;) {
      const std::uint64_t middle = (low + high - 1) / 2;
      if (find(count, middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
  }

  bool find(std::uint32_t count, std::uint64_t depth) {
    constexpr std::uint64_t kStepsAPlace = 40, kSteps = 500'000;
    const std::uint64_t steps = std::min(kStepsAPlace * arcs_.nodes() * count, steps_left_);
    const std::uint64_t tries =
        std::clamp<std::uint64_t>(kSteps / std::max<std::uint64_t>(steps, 1), 3, 20);
    for (std::uint64_t i = 0; i < tries && steps_left_ > 0; ++i) {
      steps_left_ -= std::min(steps_left_, steps);
      auto found = disjoint_trees(arcs_, request_.duplex, request_.root, count,
                                  static_cast<std::uint32_t>(depth), random_, steps);
      if (!found) continue;
      best_ = *std::move(found);
      cycles_ = depth * request_.hop + longest_piece(count);
      return true;
    }
    return false;
  }

  const Request& request_;
  Arcs arcs_;
  std::uint32_t farthest_;
  any_graph::Random random_;
  std::vector<OutTree> best_;
  std::uint64_t cycles_ = ~std::uint64_t{0};
  std::uint64_t left_in_all_ = kArcs * arcs_.nodes() / arcs_.count();
  std::uint64_t steps_left_ = 0;  ///< of the searches for so many trees
};

Schedule plan(const Request& request) {
  Schedule schedule = empty_schedule(
      request, {request.ports, request.duplex, Switching::Circuit, /*combining=*/false});
  if (request.ports == PortModel::Single) {
    const Message message[] = {{request.root, kNoNode}};
    schedule.add_tree(1, request.root, along_cycle(request), message);
    return schedule;
  }
  const std::vector<OutTree> trees = Planner(request).trees();
  if (trees.empty()) {
    throw NotFound(fmt::format("no {} trees from node {} of {} that share no {} were found",
                               request.pieces.value_or(1), request.root, request.topology.spec(),
                               request.duplex == Duplex::Half ? "link" : "arc"));
  }
  schedule.cut(static_cast<std::uint32_t>(trees.size()));
  const Arcs arcs(request.topology);
  for (std::uint32_t k = 0; k < trees.size(); ++k) {
    std::vector<std::uint32_t> branch_to(arcs.nodes(), TransferHop::kNone);
    std::vector<Branch> branches;
    for (const ArcId arc : trees[k]) {
      branch_to[arcs.head(arc)] = static_cast<std::uint32_t>(branches.size());
      branches.push_back({arcs.head(arc), branch_to[arcs.tail(arc)]});
    }
    const Message piece[] = {{request.root, kNoNode, k}};
    schedule.add_tree(1, request.root, branches, piece);
  }
  return schedule;
}

}  // namespace

const Algorithm kBroadcastTrees = {
    .name = "broadcast-trees",
    .summary = "broadcast, circuits that fork, in pieces; through a single port along one cycle",
    .serves = every({Collective::Broadcast}, {PortModel::All, PortModel::Single},
                    {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .make = plan,
    .switching = Switching::Circuit,
    .any_graph = true,
    .most_nodes = 8192,
    .cuts = true,
};

}  // namespace gossamer
