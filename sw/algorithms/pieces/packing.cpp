#include "algorithms/pieces/packing.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "support/job.hpp"

namespace gossamer::packing {
namespace {

constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
/// What waits does so for this much longer than it must, at most, and so many times are tried.
constexpr std::uint32_t kMostWait = 24, kWaitsTried = 2;
constexpr std::uint64_t kCostOfNeeded = 1000;  ///< of taking from a place that is needed, at least

class Packing {
 public:
  Packing(const Arcs& arcs, std::vector<Tree>& trees, std::uint32_t period, std::uint32_t hop,
          any_graph::Random& random, const Rules& rules)
      : arcs_(arcs),
        trees_(trees),
        hop_(hop),
        random_(random),
        rules_(rules),
        classes_(rules.classes),
        bits_(std::bit_width(arcs.nodes() + 1)),
        into_(arcs.nodes()),
        out_of_(arcs.nodes()) {
    for (ArcId a = 0; a < arcs.count(); ++a) {
      into_[arcs.head(a)].push_back(a);
      out_of_[arcs.tail(a)].push_back(a);
    }
    for (Node x = 0; x < arcs.nodes(); ++x) {
      one_way_on_ |= into_[x].size() == 1 || out_of_[x].size() == 1;
    }
    rounds_ = period;
    for (const Tree& t : trees) {
      if (period == 0) rounds_ = std::max(rounds_, t.round + std::max(t.reach, hop) + 1);
    }
    // A round less than `reach` before the first one becomes one of the later ones.
    for (const Tree& t : trees) {
      if (period > 1)
        whole_periods_ = std::max(whole_periods_, ((t.reach + hop) / period + 1) * period);
    }
    const std::uint32_t kinds = !classes_.empty() ? std::ranges::max(classes_) + 1
                                : rules_.single   ? 3 * arcs.nodes()
                                                  : arcs.count();
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

  bool run(std::uint64_t most, std::uint64_t work) {
    if (rounds_ == 1 || (!rules_.single && classes_.empty())) {
      grow();
    } else if (rules_.single) {
      for (std::uint32_t t = 0; t < trees_.size(); ++t) grow_in_time(t);
    }
    // Where as many are missing for long the search is in vain; the last few take their time.
    const std::size_t few = 3 + missing_[true].size() / 100;
    std::size_t fewest = missing_[true].size();
    std::uint64_t gained = 0;  // the step that left so few
    const std::uint64_t patience = most / (rules_.single ? 32 : 64);
    for (; !missing_[true].empty(); ++step_) {
      if (missing_[true].size() < fewest) {
        fewest = missing_[true].size();
        gained = step_;
      }
      if (step_ == most || (rules_.single && looked_at_ > work) ||
          step_ > gained + patience * (fewest > few ? 1 : 4))
        return false;
      if (step_ % 1024 == 0) stop_if_interrupted();
      const Move move = best_of_a_few();
      // What only takes from others may do so by turns with them for ever.
      const bool in_vain = move.cost >= kCostOfNeeded && random_.below(16) == 0;
      if (move.place != kNobody && !in_vain) {
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
      // Places in trees that repeat in every round may have come nearer to the root.
      for (Node x = 0; rounds_ == 1 && tree.early == 0 && x < arcs_.nodes(); ++x) {
        if (tree.arc[x] == kNoArcId) continue;
        tree.off[x] = 0;
        for (Node y = inner(tree, tree.arc[x]); y != tree.root; y = inner(tree, tree.arc[y])) {
          tree.off[x] += hop_;
        }
      }
      tree.way = std::ranges::max(tree.off);
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
    bool passes = false;           ///< what the next place takes in or sends, without a stop
    bool needed = false;           ///< by a tree's member, not only on the way of some
    std::uint64_t kept_until = 0;  ///< a step; before, it is rarely taken away again
  };
  struct Move {
    std::uint32_t place = kNobody;
    ArcId arc = kNoArcId;
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
  /// Rounds from one sum that a node stores to the next one, which adds it.
  std::uint32_t apart() const { return hop_ + kPipelinedStoreRounds; }
  /// Where what waits at a place so far out can be, or farther out.
  std::uint32_t first_waiting(const Tree& t, std::uint32_t before) const {
    return before + hop_ + (t.up ? apart() : kPipelinedStoreRounds);
  }
  /// Where a place can be that hangs from another one; of those that wait some.
  template <class Visit>
  void visit_offs(const Tree& t, Node inner, std::uint32_t before, const Visit& visit) {
    visit(before + hop_);
    if (inner == t.root && t.early > 0) visit(before + hop_ + t.early);
    if (!rules_.single || rounds_ == 1) return;
    const std::uint32_t first = first_waiting(t, before);
    visit(first);
    for (std::uint32_t n = 0; n < kWaitsTried; ++n) visit(first + 1 + random_.below(kMostWait));
  }
  std::uint32_t same_tree(std::uint32_t p, Node x) const { return p - node(p) + x; }
  /// The end of an arc of a tree that is nearer to the root.
  Node inner(const Tree& t, ArcId a) const { return t.up ? arcs_.head(a) : arcs_.tail(a); }
  Node outer(const Tree& t, ArcId a) const { return t.up ? arcs_.tail(a) : arcs_.head(a); }
  std::size_t cell(const Tree& t, ArcId a, std::uint32_t off) const {
    if (!classes_.empty()) return cell_of(t, classes_[a], off, classes_[a] != a);
    return cell_of(t, a, off, false);
  }
  std::size_t cell_of(const Tree& t, std::uint32_t kind, std::uint32_t off, bool mirrors) const {
    if (rounds_ == 1) return kind;
    // A lane's arc comes a hop after those at the root, whose off is a hop.
    std::uint32_t round = whole_periods_ + t.round + (t.up ? hop_ - off : off - hop_);
    if (round >= rounds_) round %= rounds_;
    if (rules_.mirrored && mirrors && round > 0) round = rounds_ - round;
    return std::size_t{kind} * rounds_ + round;
  }
  /// Visits all cells that an arc takes. Through a single port: of what the tail sends, or passes
  /// on down a tree, which is not sent anew; and of what the head receives.
  template <class Visit>
  void visit_cells(const Tree& t, ArcId a, std::uint32_t off, bool passes,
                   const Visit& visit) const {
    if (!rules_.single || !classes_.empty()) return visit(cell(t, a, off));
    visit(cell_of(t, arcs_.tail(a) + (passes && !t.up ? arcs_.nodes() : 0), off, false));
    visit(receiver(t, a, off));
  }
  std::size_t receiver(const Tree& t, ArcId a, std::uint32_t off) const {
    return cell_of(t, arcs_.head(a) + (rules_.half ? 0 : 2 * arcs_.nodes()), off, false);
  }
  bool same_class(ArcId a, ArcId b) const {
    return a == b || (!classes_.empty() && classes_[a] == classes_[b]);
  }
  /// Goes an arc of that place on with what comes to its inner end, without a stop?
  bool passes(std::uint32_t p, ArcId a, std::uint32_t off) const {
    if (is_lane(p)) return false;
    const Node next = inner(tree(p), a);
    return next != tree(p).root && off == places_[same_tree(p, next)].off + hop_;
  }
  /// Visits places that have the other direction of a half-duplex link when an arc takes it, or a
  /// hop before or after. By a lane's arc nothing is sent.
  template <class Visit>
  void visit_turns(std::uint32_t p, ArcId a, std::uint32_t off, const Visit& visit) const {
    const ArcId back = arcs_.reverse(a);
    if (!rules_.half || back == kNoArcId || is_lane(p)) return;
    const Tree& t = tree(p);
    const std::uint32_t apart = rounds_ == 1 ? 0 : hop_;
    for (std::uint32_t n = 0; n <= 2 * apart; ++n) {
      const std::uint32_t at = off + n - apart;
      // Before the first round, or after the last one, nothing is used but in other periods.
      if (whole_periods_ == 0 && rounds_ > 1 &&
          (t.up ? t.round + hop_ - at : t.round + at - hop_) >= rounds_) {
        continue;
      }
      const std::uint32_t user = user_[rules_.single ? receiver(t, back, at) : cell(t, back, at)];
      const bool is_sent = user != kNobody && !is_lane(user);
      if (is_sent && same_class(places_[user].arc, back)) visit(user);
    }
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
      const bool waits = rules_.single ? rounds_ > 1 && off >= first_waiting(t, before)
                                       : rounds_ == 1 && t.early == 0;
      const bool early = next == t.root && t.early > 0 && off == hop_ + t.early;
      if (off != before + hop_ && !waits && !early) continue;
      if (t.lane && next == t.root && is_reverse(lane_of(p, off), a)) continue;
      if (a != places_[p].arc && fits(p, a, off)) return a;
    }
    return kNoArcId;
  }
  /// Can a place have that arc, and nobody loses a cell?
  bool fits(std::uint32_t p, ArcId a, std::uint32_t off) const {
    const Tree& t = tree(p);
    bool free = !mixes(p, inner(t, a), off);
    visit_cells(t, a, off, passes(p, a, off), [&](std::size_t c) {
      free &= user_[c] == kNobody || (rules_.single && user_[c] == p);
    });
    visit_turns(p, a, off, [&](std::uint32_t) { free = false; });
    return free;
  }
  /// Would a node store two sums at a time up a tree, or, if it is not the root, store some of what
  /// comes to it and pass on some?
  bool mixes(std::uint32_t p, Node inner, std::uint32_t off) const {
    const Tree& t = tree(p);
    if (!rules_.single || !t.up || rounds_ == 1) return false;
    const std::uint32_t passed = places_[same_tree(p, inner)].off + hop_;
    for (const ArcId a : into_[inner]) {
      const std::uint32_t other = same_tree(p, arcs_.tail(a));
      if (places_[other].arc != a || other == p) continue;
      const std::uint32_t at = places_[other].off;
      if (at < off + apart() && off < at + apart()) return true;
      if (inner != t.root && (at == passed) != (off == passed)) return true;
    }
    return false;
  }
  std::uint64_t cost_of_taking_from(std::uint32_t p) {
    const Place& other = places_[p];
    constexpr std::uint64_t kKept = 100'000;
    const std::uint64_t kept = step_ < other.kept_until ? kKept : 0;
    if (is_lane(p)) return 500 + random_.below(400) + kept;
    if (other_arc(p) != kNoArcId) return 8;
    if (!other.needed) return 100 + random_.below(100) + kept;
    const std::uint32_t below = tree(p).reach + hop_ - std::min(other.off, tree(p).reach + hop_);
    return kCostOfNeeded + random_.below(400) + 64 * (below / hop_) + kept;
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
    if (is_lane(p)) {
      visit_guarded(p, a, off, look);
    } else if (one_way_on_ && !rules_.single) {
      for (const ArcId b : outer_arcs(t, node(p))) {
        const std::uint32_t next = same_tree(p, outer(t, b));
        if (!places_[next].needed || inner_arcs(t, node(next)).size() > 1) continue;
        const std::uint32_t user = off > t.reach ? 0 : user_[cell(t, b, off + hop_)];
        if (user != kNobody && user != next) cost += kCostOfNeeded / 2;
      }
    }
    bool can = is_lane(p) || !mixes(p, inner(t, a), off);
    const auto take_from = [&](std::uint32_t user) {
      can = can && places_[p].needed && !is_ancestor(user, p, a);
      if (can) cost += cost_of_taking_from(user);
    };
    visit_cells(t, a, off, passes(p, a, off), [&](std::size_t c) {
      if (user_[c] != kNobody) take_from(user_[c]);
    });
    visit_turns(p, a, off, take_from);
    if (can && cost < best.cost) best = {p, a, off, cost};
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

  /// All trees at the same time, level by level, to those that need them and as far as cells are
  /// free.
  void grow() {
    std::vector<std::uint32_t> grown;
    for (std::uint32_t t = 0; t < trees_.size(); ++t) {
      grown.push_back(place(t, trees_[t].root));
    }
    for (std::size_t i = 0; i < grown.size(); ++i) {
      const std::uint32_t p = grown[i];
      const Tree& t = tree(p);
      const std::uint32_t off = places_[p].off + hop_;
      if (off > t.reach + hop_) continue;
      for (const ArcId a : outer_arcs(t, node(p))) {
        const std::uint32_t q = same_tree(p, outer(t, a));
        if (places_[q].off != kNobody || !(t.whole || places_[q].needed) || !fits(q, a, off))
          continue;
        take({q, a, off, 0});
        grown.push_back(q);
      }
    }
  }

  /// A tree through single ports, those nearest in time first, as far as cells are free. Up a tree
  /// a node stores what comes to it if there is time for some of it, or else passes it on.
  void grow_in_time(std::uint32_t number) {
    const Tree& t = trees_[number];
    if (!t.members.empty() && !t.whole) return;
    const std::uint32_t last = t.reach + hop_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> next = {{hop_, place(number, t.root)}};
    while (!next.empty()) {
      const auto [off, p] = *next.begin();
      next.erase(next.begin());
      if (off > last) continue;
      const std::uint32_t waits = first_waiting(t, places_[p].off);
      Move best;
      bool is_open = false;  // somebody beside it has no place yet
      for (const ArcId a : outer_arcs(t, node(p))) {
        const std::uint32_t q = same_tree(p, outer(t, a));
        const std::uint32_t cost = random_.below(64);
        if (places_[q].off != kNobody) continue;
        is_open = true;
        if (cost < best.cost && fits(q, a, off)) best = {q, a, off, cost};
      }
      if (!is_open) continue;
      if (best.place == kNobody) {
        next.emplace(node(p) == t.root ? off + 1 : std::max(off + 1, waits), p);
        continue;
      }
      take(best);
      const bool stores = t.up && last - off > 3 * apart();
      next.emplace(stores ? first_waiting(t, off) : off + hop_, best.place);
      if (node(p) == t.root || off >= waits || !t.up) {
        next.emplace(std::max(off + (t.up ? apart() : 1), node(p) == t.root ? 0 : waits), p);
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
          const bool in_use = comes_by(p, a);
          const std::uint32_t by = same_tree(p, arcs_.head(a));
          consider(best, p, a, lane_off(p), in_use ? cost_of_taking_from(by) : 0);
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
    const Tree& t = tree(move.place);
    Place& p = places_[move.place];
    p.off = move.off;
    p.arc = move.arc;
    p.passes = passes(move.place, p.arc, p.off);
    std::vector<std::uint32_t> losers;
    visit_turns(move.place, move.arc, move.off,
                [&](std::uint32_t user) { losers.push_back(user); });
    visit_cells(t, move.arc, move.off, p.passes, [&](std::size_t c) {
      if (user_[c] != kNobody) losers.push_back(user_[c]);
      user_[c] = move.place;
    });
    for (const std::uint32_t loser : losers) move_away(loser, p);
    if (t.lane && !is_lane(move.place) && inner(t, move.arc) == t.root) {
      const std::uint32_t lane = lane_of(move.place, move.off);
      if (is_reverse(lane, move.arc)) cut_off(lane);
    }
    if (is_lane(move.place)) {
      if (comes_by(move.place, p.arc)) move_away(same_tree(move.place, arcs_.head(p.arc)), p);
      visit_guarded(move.place, p.arc, p.off, [&](std::size_t c) {
        if (user_[c] != kNobody && user_[c] != move.place) cut_off(user_[c]);
        user_[c] = move.place;
      });
    }
    remove_missing(move.place);
  }
  /// Gives a place that has lost a cell to `winner` another arc, or cuts it off.
  void move_away(std::uint32_t loser, Place& winner) {
    Place& p = places_[loser];
    if (p.arc == kNoArcId) return;  // with one that was before it
    const ArcId other = other_arc(loser);
    if (other == kNoArcId) {
      cut_off(loser);
      winner.kept_until = step_ + 20 + random_.below(30);
      return;
    }
    free_cells(loser);
    p.arc = other;
    p.passes = passes(loser, p.arc, p.off);
    visit_cells(tree(loser), p.arc, p.off, p.passes, [&](std::size_t c) { user_[c] = loser; });
  }
  void free_cells(std::uint32_t p) {
    const auto free = [&](std::size_t c) {
      if (user_[c] == p) user_[c] = kNobody;
    };
    visit_cells(tree(p), places_[p].arc, places_[p].off, places_[p].passes, free);
    if (is_lane(p)) visit_guarded(p, places_[p].arc, places_[p].off, free);
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
      free_cells(below[i]);
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
  const Rules rules_;
  const std::span<const std::uint32_t> classes_;
  const int bits_;                                 ///< of the number of a tree's place
  std::vector<std::vector<ArcId>> into_, out_of_;  ///< by node
  bool one_way_on_ = false;                ///< have some nodes a single arc that leads in, or out?
  std::uint32_t rounds_ = 0;               ///< of the cells
  std::uint32_t whole_periods_ = 0;        ///< 0 if nothing is used again
  std::vector<Place> places_;              ///< by tree, then node; the lane's is behind the nodes'
  std::vector<std::uint32_t> user_;        ///< by cell: a place, or kNobody
  std::vector<std::uint32_t> missing_[2];  ///< places, and those that are needed
  std::uint64_t step_ = 0, looked_at_ = 0;
};

}  // namespace

std::vector<Way> ways_of(const Arcs& arcs, const Tree& tree, std::uint32_t hop) {
  const auto inner = [&](Node x) {
    return tree.up ? arcs.head(tree.arc[x]) : arcs.tail(tree.arc[x]);
  };
  std::vector<Node> order;
  for (Node x = 0; x < arcs.nodes(); ++x) {
    if (tree.arc[x] != kNoArcId) order.push_back(x);
  }
  std::ranges::stable_sort(order, {}, [&](Node x) { return tree.off[x]; });
  std::vector<Way> ways;
  std::vector<std::pair<std::size_t, std::uint32_t>> of(arcs.nodes());  // a way, and its branch
  for (const Node x : order) {
    const Node next = inner(x);
    const bool goes_on = next != tree.root && (hop == 0 || tree.off[x] == tree.off[next] + hop);
    auto& [way, branch] = of[x];
    std::uint32_t before = TransferHop::kNone;
    if (goes_on) {
      std::tie(way, before) = of[next];
    } else {
      const auto same = std::ranges::find_if(
          ways, [&](const Way& w) { return w.source == next && w.off[0] == tree.off[x]; });
      way = static_cast<std::size_t>(same - ways.begin());
      if (same == ways.end()) ways.push_back({next, {}, {}});
    }
    branch = static_cast<std::uint32_t>(ways[way].branches.size());
    ways[way].branches.push_back({x, before, true, arcs.lane(tree.arc[x])});
    ways[way].off.push_back(tree.off[x]);
  }
  return ways;
}

bool pack(const Arcs& arcs, std::vector<Tree>& trees, std::uint32_t period, std::uint32_t hop,
          any_graph::Random& random, std::uint64_t most, std::uint64_t& work, const Rules& rules) {
  Packing packing(arcs, trees, period, hop, random, rules);
  const bool found = packing.run(most, work);
  work -= std::min(work, packing.looked_at());
  return found;
}

}  // namespace gossamer::packing
