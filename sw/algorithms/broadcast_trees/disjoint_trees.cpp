#include "algorithms/broadcast_trees/disjoint_trees.hpp"

#include <algorithm>
#include <limits>
#include <span>

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
