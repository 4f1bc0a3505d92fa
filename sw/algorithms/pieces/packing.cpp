#include "algorithms/pieces/packing.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "support/job.hpp"

namespace gossamer::packing {
namespace {

constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

class Packing {
 public:
  Packing(const Arcs& arcs, std::vector<Tree>& trees, std::uint32_t period, std::uint32_t hop,
          any_graph::Random& random, std::span<const std::uint32_t> classes, bool mirrored)
      : arcs_(arcs),
        trees_(trees),
        hop_(hop),
        random_(random),
        classes_(classes),
        mirrored_(mirrored),
        bits_(std::bit_width(arcs.nodes() + 1)),
        into_(arcs.nodes()),
        out_of_(arcs.nodes()) {
    for (ArcId a = 0; a < arcs.count(); ++a) {
      into_[arcs.head(a)].push_back(a);
      out_of_[arcs.tail(a)].push_back(a);
    }
    rounds_ = period;
    for (const Tree& t : trees) {
      if (period == 0) rounds_ = std::max(rounds_, t.round + std::max(t.reach, hop) + 1);
    }
    // A round less than `reach` before the first one becomes one of the later ones.
    for (const Tree& t : trees) {
      if (period > 1) whole_periods_ = std::max(whole_periods_, (t.reach / period + 1) * period);
    }
    const std::uint32_t kinds = classes.empty() ? arcs.count() : std::ranges::max(classes) + 1;
    user_.assign(std::size_t{kinds} * rounds_, kNobody);
    places_.resize(std::size_t{trees.size()} << bits_);
    for (std::uint32_t t = 0; t < trees.size(); ++t) {
      const Tree& tree = trees[t];
      const bool all = tree.members.empty() || tree.whole;
      for (Node x = 0; x < arcs.nodes(); ++x) places_[place(t, x)].needed = all;
      for (const Node x : tree.members) places_[place(t, x)].needed = true;
      for (Node x = 0; x < arcs.nodes(); ++x) {
        if (x != tree.root) add_missing(place(t, x));
      }
      for (const std::uint32_t lane : {0, 1}) {
        const std::uint32_t p = place(t, arcs.nodes() + lane);
        places_[p].needed = true;
        if (lane == 0 ? tree.lane : tree.lane && tree.early > 0) add_missing(p);
      }
      places_[place(t, trees[t].root)].off = 0;  // its arcs, less a hop
    }
  }

  bool run(std::uint64_t most) {
    if (rounds_ == 1) grow();
    // Where many are missing for long the search is in vain; the last few take their time.
    const std::size_t few = 3 + missing_[true].size() / 100;
    std::size_t fewest = missing_[true].size();
    std::uint64_t gained = 0;  // the step that left so few
    for (; !missing_[true].empty(); ++step_) {
      if (missing_[true].size() < fewest) {
        fewest = missing_[true].size();
        gained = step_;
      }
      if (step_ == most || (fewest > few && step_ > gained + most / 8)) return false;
      if (step_ % 1024 == 0) stop_if_interrupted();
      const Move move = best_of_a_few();
      if (move.place != kNobody) {
        take(move);
      } else {
        cut_off_a_neighbour();
      }
    }
    for (std::uint32_t t = 0; t < trees_.size(); ++t) {
      Tree& tree = trees_[t];
      tree.arc.clear();
      tree.off.clear();
      tree.arc.resize(arcs_.nodes(), kNoArcId);
      tree.off.resize(arcs_.nodes());
      for (Node member = 0; member < arcs_.nodes(); ++member) {
        if (!places_[place(t, member)].needed) continue;
        if (tree.whole && std::ranges::find(tree.members, member) == tree.members.end()) continue;
        for (Node x = member; x != tree.root && tree.arc[x] == kNoArcId;) {
          tree.arc[x] = places_[place(t, x)].arc;
          tree.off[x] = places_[place(t, x)].off - hop_;
          x = inner(tree, tree.arc[x]);
        }
      }
      tree.lane_arc = places_[place(t, arcs_.nodes())].arc;
      tree.early_lane_arc = places_[place(t, arcs_.nodes() + 1)].arc;
    }
    return true;
  }
  std::uint64_t looked_at() const { return looked_at_; }

 private:
  struct Place {
    ArcId arc = kNoArcId;         ///< between it and the next place towards the root
    std::uint32_t off = kNobody;  ///< rounds from the root's, whose is 0, to its own; hop at least
    std::uint32_t missing_at = 0;
    bool needed = false;           ///< by a tree's member, not only on the way of some
    std::uint64_t kept_until = 0;  ///< a step; before, it is rarely taken away again
  };
  struct Move {
    std::uint32_t place = kNobody;
    ArcId arc = kNoArcId;
    std::size_t cell = 0;
    std::uint32_t off = 0;
    std::uint64_t cost = std::numeric_limits<std::uint64_t>::max();
  };

  std::uint32_t place(std::uint32_t tree, Node x) const { return (tree << bits_) + x; }
  const Tree& tree(std::uint32_t place) const { return trees_[place >> bits_]; }
  Node node(std::uint32_t place) const { return place & ((1u << bits_) - 1); }
  bool is_lane(std::uint32_t place) const { return node(place) >= arcs_.nodes(); }
  /// Of what comes to the root over an arc that is so far out.
  std::uint32_t lane_of(std::uint32_t p, std::uint32_t off) const {
    return same_tree(p, arcs_.nodes() + (tree(p).early > 0 && off > hop_ ? 1 : 0));
  }
  std::uint32_t lane_off(std::uint32_t lane) const {
    return node(lane) == arcs_.nodes() ? 0 : tree(lane).early;
  }
  /// Where a place can be that hangs from another one.
  template <class Visit>
  void visit_offs(const Tree& t, Node inner, std::uint32_t before, const Visit& visit) const {
    visit(before + hop_);
    if (inner == t.root && t.early > 0) visit(before + hop_ + t.early);
  }
  std::uint32_t same_tree(std::uint32_t p, Node x) const { return p - node(p) + x; }
  /// The end of an arc of a tree that is nearer to the root.
  Node inner(const Tree& t, ArcId a) const { return t.up ? arcs_.head(a) : arcs_.tail(a); }
  Node outer(const Tree& t, ArcId a) const { return t.up ? arcs_.tail(a) : arcs_.head(a); }
  std::size_t cell(const Tree& t, ArcId a, std::uint32_t off) const {
    const std::uint32_t kind = classes_.empty() ? a : classes_[a];
    if (rounds_ == 1) return kind;
    // A lane's arc comes a hop after those at the root, whose off is a hop.
    std::uint32_t round = t.up ? whole_periods_ + t.round + hop_ - off : t.round + off - hop_;
    if (round >= rounds_) round %= rounds_;
    if (mirrored_ && kind != a && round > 0) round = rounds_ - round;
    return std::size_t{kind} * rounds_ + round;
  }
  /// The arcs between a node and those nearer to the root, or farther from it.
  std::span<const ArcId> inner_arcs(const Tree& t, Node x) const {
    return t.up ? out_of_[x] : into_[x];
  }
  std::span<const ArcId> outer_arcs(const Tree& t, Node x) const {
    return t.up ? into_[x] : out_of_[x];
  }

  void add_missing(std::uint32_t p) {
    std::vector<std::uint32_t>& missing = missing_[places_[p].needed];
    places_[p].missing_at = static_cast<std::uint32_t>(missing.size());
    missing.push_back(p);
  }
  void remove_missing(std::uint32_t p) {
    std::vector<std::uint32_t>& missing = missing_[places_[p].needed];
    const std::uint32_t at = places_[p].missing_at;
    missing[at] = missing.back();
    places_[missing[at]].missing_at = at;
    missing.pop_back();
  }
  /// Needed ones and others, by turns.
  std::uint32_t a_missing_one(int turn) {
    const std::vector<std::uint32_t>& missing = missing_[turn % 2 == 0 || missing_[0].empty()];
    return missing[random_.below(static_cast<std::uint32_t>(missing.size()))];
  }

  /// An arc with a free cell for the place that leaves all below it where it is; kNoArcId if there
  /// is none.
  ArcId other_arc(std::uint32_t p) const {
    if (is_lane(p)) return kNoArcId;
    const Tree& t = tree(p);
    for (const ArcId a : inner_arcs(t, node(p))) {
      const Node next = inner(t, a);
      const std::uint32_t before = places_[same_tree(p, next)].off, off = places_[p].off;
      if (before == kNobody || before + hop_ > off) continue;
      bool fits = rounds_ == 1 && t.early == 0;
      visit_offs(t, next, before, [&](std::uint32_t at) { fits = fits || at == off; });
      if (!fits) continue;
      if (t.lane && next == t.root && is_reverse(lane_of(p, off), a)) continue;
      if (user_[cell(t, a, off)] == kNobody) return a;
    }
    return kNoArcId;
  }
  std::uint64_t cost_of_taking_from(std::uint32_t p) {
    const Place& other = places_[p];
    constexpr std::uint64_t kKept = 100'000;
    const std::uint64_t kept = step_ < other.kept_until ? kKept : 0;
    if (is_lane(p)) return 500 + random_.below(400) + kept;
    if (other_arc(p) != kNoArcId) return 8;
    if (!other.needed) return 100 + random_.below(100) + kept;
    const std::uint32_t below = tree(p).reach + hop_ - std::min(other.off, tree(p).reach + hop_);
    return 1000 + random_.below(400) + 64 * (below / hop_) + kept;
  }

  /// Visits the cells in which nothing may come to the root, for a lane stores by this arc: in its
  /// round, and before it in as many as links have stages.
  template <class Visit>
  void visit_guarded(std::uint32_t lane, ArcId a, std::uint32_t off, const Visit& visit) const {
    const Tree& t = tree(lane);
    const ArcId back = t.guards ? arcs_.reverse(a) : kNoArcId;
    if (back == kNoArcId) return;
    for (std::uint32_t n = 0; n + 2 <= hop_; ++n) visit(cell(t, back, off + n));
  }

  void consider(Move& best, std::uint32_t p, ArcId a, std::uint32_t off, std::uint64_t more) {
    ++looked_at_;
    const Tree& t = tree(p);
    const std::size_t at = cell(t, a, off);
    std::uint64_t cost = more + random_.below(16);
    const auto look = [&](std::size_t c) {
      if (c != at && user_[c] != kNobody) cost += cost_of_taking_from(user_[c]);
    };
    if (is_lane(p)) visit_guarded(p, a, off, look);
    if (user_[at] != kNobody) {
      if (!places_[p].needed) return;
      if (is_ancestor(user_[at], p, a)) return;
      cost += cost_of_taking_from(user_[at]);
    }
    if (cost < best.cost) best = {p, a, at, off, cost};
  }
  /// Would the place hang below itself, if it took the arc from that user?
  bool is_ancestor(std::uint32_t user, std::uint32_t p, ArcId a) const {
    if (user >> bits_ != p >> bits_ || is_lane(user) || is_lane(p)) return false;
    const Tree& t = tree(p);
    for (Node x = inner(t, a); x != t.root;) {
      if (same_tree(p, x) == user) return true;
      x = inner(t, places_[same_tree(p, x)].arc);
    }
    return false;
  }

  /// All trees that lead to all nodes at the same time, level by level, as far as cells are free.
  void grow() {
    std::vector<std::uint32_t> grown;
    for (std::uint32_t t = 0; t < trees_.size(); ++t) {
      if (trees_[t].members.empty() || trees_[t].whole) grown.push_back(place(t, trees_[t].root));
    }
    for (std::size_t i = 0; i < grown.size(); ++i) {
      const std::uint32_t p = grown[i];
      const Tree& t = tree(p);
      const std::uint32_t off = places_[p].off + hop_;
      if (off > t.reach + hop_) continue;
      for (const ArcId a : outer_arcs(t, node(p))) {
        const std::uint32_t q = same_tree(p, outer(t, a));
        const std::size_t at = cell(t, a, off);
        if (places_[q].off != kNobody || user_[at] != kNobody) continue;
        take({q, a, at, off, 0});
        grown.push_back(q);
      }
    }
  }

  Move best_of_a_few() {
    const int looked_at = rounds_ == 1 ? 12 : 8;  // which finds the most trees, as measured
    Move best;
    for (int i = 0; i < looked_at; ++i) {
      const std::uint32_t p = a_missing_one(i);
      const Tree& t = tree(p);
      if (is_lane(p)) {
        for (const ArcId a : out_of_[t.root]) {
          if (!comes_by(p, a)) consider(best, p, a, lane_off(p), 0);
        }
        continue;
      }
      for (const ArcId a : inner_arcs(t, node(p))) {
        const std::uint32_t before = places_[same_tree(p, inner(t, a))].off;
        if (before == kNobody || before > t.reach) continue;
        visit_offs(t, inner(t, a), before, [&](std::uint32_t off) {
          if (off > t.reach + hop_) return;
          std::uint64_t more = 16 * (before / hop_);
          const bool wants_lane = t.lane && inner(t, a) == t.root;
          if (wants_lane && is_reverse(lane_of(p, off), a)) more += 200;
          consider(best, p, a, off, more);
        });
      }
    }
    return best;
  }
  /// Does what a lane adds come to the root over the other direction of its arc?
  bool comes_by(std::uint32_t lane, ArcId a) const {
    const std::uint32_t p = same_tree(lane, arcs_.head(a));
    return is_reverse(p, a) && lane_of(p, places_[p].off) == lane;
  }
  /// Does a place have the other direction of an arc?
  bool is_reverse(std::uint32_t p, ArcId a) const {
    return places_[p].arc != kNoArcId && places_[p].arc == arcs_.reverse(a);
  }

  void take(const Move& move) {
    if (const std::uint32_t loser = user_[move.cell]; loser != kNobody) {
      const ArcId other = other_arc(loser);
      if (other != kNoArcId) {
        places_[loser].arc = other;
        user_[cell(tree(loser), other, places_[loser].off)] = loser;
      } else {
        cut_off(loser);
        places_[move.place].kept_until = step_ + 20 + random_.below(30);
      }
    }
    const Tree& t = tree(move.place);
    Place& p = places_[move.place];
    p.off = move.off;
    if (t.lane && !is_lane(move.place) && inner(t, move.arc) == t.root) {
      const std::uint32_t lane = lane_of(move.place, move.off);
      if (is_reverse(lane, move.arc)) cut_off(lane);
    }
    p.arc = move.arc;
    user_[move.cell] = move.place;
    if (is_lane(move.place)) {
      visit_guarded(move.place, p.arc, p.off, [&](std::size_t c) {
        if (user_[c] != kNobody && user_[c] != move.place) cut_off(user_[c]);
        user_[c] = move.place;
      });
    }
    remove_missing(move.place);
  }

  /// All missing places that were looked at are too far out: a place beside one of them begins
  /// anew.
  void cut_off_a_neighbour() {
    const std::uint32_t p = a_missing_one(0);
    std::vector<std::uint32_t> near;
    const Tree& t = tree(p);
    if (is_lane(p)) {
      for (const ArcId a : out_of_[t.root]) {
        const std::uint32_t q = same_tree(p, arcs_.head(a));
        if (places_[q].arc != kNoArcId && inner(t, places_[q].arc) == t.root) near.push_back(q);
      }
    } else {
      for (const ArcId a : inner_arcs(t, node(p))) {
        const std::uint32_t q = same_tree(p, inner(t, a));
        if (places_[q].arc != kNoArcId) near.push_back(q);
      }
    }
    if (!near.empty()) cut_off(near[random_.below(static_cast<std::uint32_t>(near.size()))]);
  }

  /// Makes a place missing, and all below it.
  void cut_off(std::uint32_t first) {
    std::vector<std::uint32_t> below = {first};
    for (std::size_t i = 0; i < below.size(); ++i) {
      Place& p = places_[below[i]];
      const Tree& t = tree(below[i]);
      user_[cell(t, p.arc, p.off)] = kNobody;
      const auto free = [&](std::size_t c) { user_[c] = kNobody; };
      if (is_lane(below[i])) visit_guarded(below[i], p.arc, p.off, free);
      p.arc = kNoArcId;
      p.off = kNobody;
      add_missing(below[i]);
      if (is_lane(below[i])) continue;
      for (const ArcId a : outer_arcs(t, node(below[i]))) {
        const std::uint32_t child = same_tree(first, outer(t, a));
        if (places_[child].arc == a) below.push_back(child);
      }
    }
  }

  const Arcs& arcs_;
  std::vector<Tree>& trees_;
  const std::uint32_t hop_;
  any_graph::Random& random_;
  std::span<const std::uint32_t> classes_;
  const bool mirrored_;
  const int bits_;                                 ///< of the number of a tree's place
  std::vector<std::vector<ArcId>> into_, out_of_;  ///< by node
  std::uint32_t rounds_ = 0;                       ///< of the cells
  std::uint32_t whole_periods_ = 0;                ///< 0 if nothing is used again
  std::vector<Place> places_;              ///< by tree, then node; the lane's is behind the nodes'
  std::vector<std::uint32_t> user_;        ///< by cell: a place, or kNobody
  std::vector<std::uint32_t> missing_[2];  ///< places, and those that are needed
  std::uint64_t step_ = 0, looked_at_ = 0;
};

}  // namespace

std::uint32_t Tree::way() const { return std::ranges::max(off); }

std::vector<Branch> branches(const Arcs& arcs, const Tree& tree, bool early) {
  const auto is_early = [&](Node x) {
    const auto next = [&](Node y) {
      return tree.up ? arcs.head(tree.arc[y]) : arcs.tail(tree.arc[y]);
    };
    while (next(x) != tree.root) x = next(x);
    return tree.early > 0 && tree.off[x] > 0;
  };
  std::vector<Node> order;
  for (Node x = 0; x < arcs.nodes(); ++x) {
    if (tree.arc[x] != kNoArcId && is_early(x) == early) order.push_back(x);
  }
  std::ranges::stable_sort(order, {}, [&](Node x) { return tree.off[x]; });
  std::vector<std::uint32_t> branch_to(arcs.nodes(), TransferHop::kNone);
  std::vector<Branch> all;
  for (const Node x : order) {
    const ArcId a = tree.arc[x];
    branch_to[x] = static_cast<std::uint32_t>(all.size());
    all.push_back({x, branch_to[tree.up ? arcs.head(a) : arcs.tail(a)]});
  }
  return all;
}

bool pack(const Arcs& arcs, std::vector<Tree>& trees, std::uint32_t period, std::uint32_t hop,
          any_graph::Random& random, std::uint64_t most, std::uint64_t& work,
          std::span<const std::uint32_t> classes, bool mirrored) {
  Packing packing(arcs, trees, period, hop, random, classes, mirrored);
  const bool found = packing.run(most);
  work -= std::min(work, packing.looked_at());
  return found;
}

}  // namespace gossamer::packing
