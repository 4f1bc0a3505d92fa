#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "algorithms/common/all.hpp"
#include "algorithms/pieces/packing.hpp"
#include "gossamer_constants.hpp"
#include "schedule/chunks.hpp"

namespace gossamer {
namespace {

using namespace packing;

/// Who adds up with whom: groups of nodes, each with a root.
struct Groups {
  explicit Groups(const Request& request) {
    for (std::size_t g = 0; g < request.members.groups(); ++g) {
      const auto group = request.members.group(g);
      of_root.emplace_back(group.begin(), group.end());
      roots.push_back(request.members.root(g));
    }
    for (Node i = 0; i < request.members.count(request.topology.nodes()); ++i) {
      members.push_back(request.members[i]);
    }
    if (!of_root.empty()) return;
    of_root.push_back(members);
    roots.push_back(request.root);
  }
  std::size_t group_of(Node member) const {
    for (std::size_t g = 0; g + 1 < roots.size(); ++g) {
      if (std::ranges::binary_search(of_root[g], member)) return g;
    }
    return roots.size() - 1;
  }

  std::vector<std::vector<Node>> of_root;
  std::vector<Node> roots, members;
};

/// Is a port's link left out, in both directions? Then its output can store sums at any time.
bool is_spare(const Topology& topology, Node x, Port p) {
  const Endpoint e = topology.peer(x, p);
  if (!e.connected()) return true;
  return topology.port_to(x, e.node) != p && topology.port_to(e.node, x) != e.port;
}

/// The spare outputs of a node.
std::vector<Port> spare_outputs(const Topology& topology, Node x) {
  std::vector<Port> spare;
  for (Port p = 0; p < topology.ports(); ++p) {
    if (is_spare(topology, x, p)) spare.push_back(p);
  }
  return spare;
}

/// Can a node join from all others at once, and keep an output for the sum? It has one by which
/// nothing can come in, or two of its neighbours reach each other without it.
bool joins_at_once(const Topology& topology, const Arcs& arcs, Node root) {
  if (!spare_outputs(topology, root).empty()) return true;
  for (ArcId k = 0; k < arcs.degree(root); ++k) {
    if (arcs.reverse(arcs.first(root) + k) == kNoArcId) return true;
  }
  std::vector<bool> reached(arcs.nodes());
  reached[root] = true;
  for (const Node first : arcs.neighbours(root)) {
    if (reached[first]) return true;
    std::vector<Node> near = {first};
    reached[first] = true;
    for (std::size_t i = 0; i < near.size(); ++i) {
      for (const Node x : arcs.neighbours(near[i])) {
        if (reached[x]) continue;
        reached[x] = true;
        near.push_back(x);
      }
    }
  }
  return false;
}

/// Or in two joins, each of which leaves the other's ports an output.
bool has_lane(const Request& request, const Arcs& arcs, Node root) {
  const bool twice = request.duplex == Duplex::Full && arcs.degree(root) > 1;
  return twice || joins_at_once(request.topology, arcs, root);
}

std::optional<std::string> refuses(const Request& request) {
  if (request.pieces && *request.pieces != request.flits) {
    return fmt::format("what is joined has a flit in a piece: {} pieces", request.flits);
  }
  if (request.flits > kMostPieces) {
    return fmt::format("what is joined has a flit in a piece, and {} pieces at most", kMostPieces);
  }
  const Arcs arcs(request.topology, /*one_each=*/true);
  const Groups groups(request);
  const auto without = [&](Node x) { return !has_lane(request, arcs, x); };
  const auto refusal = [](Node x) {
    return fmt::format(
        "node {} joins what comes by all of its ports, and none is left for the sum", x);
  };
  const bool each = request.collective == Collective::ReduceScatter;
  for (const Node x : each ? groups.members : groups.roots) {
    if (request.collective != Collective::AllReduce && without(x)) return refusal(x);
  }
  for (const auto& group : groups.of_root) {  // any of which can work out an all-reduce's sums
    if (std::ranges::all_of(group, without)) return refusal(group[0]);
  }
  return std::nullopt;
}

/// A flit is joined up a tree that waits nowhere, and its sum comes down another. Trees are found
/// for some flits, and used again every `period` rounds for the next ones, with the same arcs.
class Planner {
 public:
  explicit Planner(const Request& request)
      : request_(request),
        arcs_(request.topology, /*one_each=*/true),
        hop_(request.hop + rtl::TIME_JOIN),
        random_(request.seed),
        groups_(request),
        work_(std::min<std::uint64_t>(100'000 * (std::uint64_t{arcs_.nodes()} + 12), 60'000'000)) {
    for (std::size_t g = 0; g < groups_.roots.size(); ++g) find_centres(g);
    for (ArcId a = 0; request.topology.translatable() && request.members.all() && a < arcs_.count();
         ++a) {
      ports_.push_back(request.topology.port_to(arcs_.tail(a), arcs_.head(a)));
    }
    for (ArcId a = 0; a < arcs_.count(); ++a) links_.push_back(std::min(a, arcs_.reverse(a)));
  }

  Schedule plan() {
    // Of few nodes all that can be tried has been tried soon, and of many it takes long.
    for (effort_ = 1; work_ > 0 && (effort_ == 1 || effort_ * nodes() <= kMostEffort);
         effort_ *= 4) {
      if (request_.collective == Collective::ReduceScatter) {
        try_each(request_.flits);
        for (const std::uint32_t flits : {1, 2, 4}) try_blocks(flits);
        continue;
      }
      try_rates();
      if (!back()) continue;
      try_turns();
      if (half()) continue;
      try_each(request_.flits);
      for (const bool translated : {false, true}) try_spread(translated);
    }
    if (best_.up.empty()) {
      throw NotFound(fmt::format("no trees in {} were found whose sums can be stored",
                                 request_.topology.spec()));
    }
    return schedule();
  }

 private:
  /// Trees of so many flits, each of all groups, or, if each member works out sums of its own, of
  /// all members, or of node 0, for all of its translations.
  struct Ways {
    std::uint32_t flits = 1, period = 0;  ///< period 0: once
    bool of_each = false, translated = false;
    bool mirrored = false;  ///< sums come down the trees that they went up, the other way
    bool turns = false;     ///< ... when all are up
    std::uint32_t turn = 0;  ///< so many rounds from the last arcs up to the first ones down
    std::vector<Tree> up = {}, down = {};
  };
  struct Rate {
    std::uint32_t flits = 1, period = 1;
  };

  bool half() const { return request_.duplex == Duplex::Half; }
  bool back() const { return request_.collective == Collective::AllReduce; }
  Node nodes() const { return arcs_.nodes(); }
  bool at_once(Node x) {
    const auto [known, is_new] = at_once_.try_emplace(x);
    if (is_new) known->second = joins_at_once(request_.topology, arcs_, x);
    return known->second;
  }
  std::uint32_t unused(Node x) const {
    return static_cast<std::uint32_t>(spare_outputs(request_.topology, x).size());
  }
  /// Arcs that lead each of the groups' members somewhere.
  std::uint64_t arcs_of_flit() const { return groups_.members.size() - groups_.roots.size(); }

  /// Where a group's sums can be worked out: a reduce's root; of an all-reduce the members that are
  /// near all others, those that are about as near by chance.
  void find_centres(std::size_t g) {
    const std::vector<Node>& group = groups_.of_root[g];
    const std::vector<Node> roots = back() ? group : std::vector{groups_.roots[g]};
    std::vector<std::tuple<bool, std::uint32_t, Node>> all;  // those that have to join twice last
    const std::size_t looked_at = std::max<std::size_t>(kMuchWork / nodes(), 1);
    for (std::size_t i = 0; i < roots.size(); i += 1 + roots.size() / looked_at) {
      if (!has_lane(request_, arcs_, roots[i])) continue;
      const std::vector<std::uint32_t> from = distances_from(arcs_, roots[i]);
      std::uint32_t far = 0;
      for (const Node y : group) far = std::max(far, from[y]);
      all.emplace_back(!at_once(roots[i]), far, roots[i]);
    }
    const auto [twice, nearest, best] = *std::ranges::min_element(all);
    farthest_ = std::max(farthest_, nearest);
    std::vector<Node>& centres = centres_.emplace_back();
    for (const auto& [its_twice, far, x] : all) {
      if (its_twice == twice && far <= nearest + 1) centres.push_back(x);
    }
    random_.shuffle(centres);
    std::swap(centres[0], *std::ranges::find(centres, best));
  }
  /// The root of a group's sum of a flit.
  Node centre(std::size_t g, std::uint32_t flit) const {
    return centres_[g][flit % centres_[g].size()];
  }

  /// One flit after the other, which always works, and then all that the arcs allow, the fastest
  /// first: in a single round, or in several. Sums that go up and down over nearly all arcs are
  /// hard to find, and come later.
  void try_rates() {
    std::vector<Rate> rates;
    for (const std::uint32_t period : {1, 3, 5}) {
      if (half() && period > 1) break;  // links that share a wire do not turn
      const std::uint32_t most = most_flits(period, back());
      for (std::uint32_t k = 1; k <= std::min(most, request_.flits); ++k) {
        const bool same = period > 1 && (k % period == 0 || k < period);
        if (!same && (effort_ > 1 || !back() || 8 * k <= 7 * most)) rates.push_back({k, period});
      }
    }
    std::ranges::stable_sort(rates, {}, [&](const Rate& r) { return rounds_of(r); });
    if (most_flits(1, back()) > 0 || !half()) try_rate({1, 1});
    if (!half()) try_rate({1, 3});
    for (const Rate& rate : rates) try_rate(rate);
  }
  /// A root's inputs, its outputs, which also take sums that are stored, and all arcs together.
  std::uint32_t most_flits(std::uint32_t period, bool back) const {
    std::uint64_t most = arcs_.count() / (half() ? 2 : 1) * period /
                         std::max<std::uint64_t>(arcs_of_flit() * (back ? 2 : 1), 1);
    for (const auto& centres : centres_) {
      std::uint64_t here = 0;
      for (const Node root : centres) {
        const std::uint64_t outputs = std::uint64_t{arcs_.degree(root)} * period;
        const std::uint64_t stores = std::uint64_t{unused(root)} * period;
        here += back ? (outputs + std::min(outputs, stores)) / 2 : outputs;
      }
      most = std::min(most, here);
    }
    return static_cast<std::uint32_t>(most);
  }
  /// From the first flit's round to the last one's.
  std::uint64_t rounds_of(const Rate& r) const {
    return std::uint64_t{(request_.flits - 1) / r.flits} * r.period;
  }

  void try_rate(const Rate& rate) {
    const bool mirrored = back() && !half() && !request_.topology.one_way();
    const std::uint64_t trees = std::uint64_t{rate.flits} * groups_.roots.size();
    if (!best_.up.empty() && !can_try(back() && !mirrored ? 2 * trees : trees)) return;
    const auto rounds = [&](std::uint32_t depth) {
      const std::uint32_t up = 1 + (depth - 1) * hop_;
      return rounds_of(rate) + (back() ? stored(up) + (depth - 1) * hop_ : up + hop_);
    };
    find_least(farthest_, farthest_ + kMoreDepth, rounds, [&](std::uint32_t depth) {
      return find([&] {
        Ways ways = up_at(rate, (depth - 1) * hop_);
        ways.mirrored = mirrored;
        for (const Tree& up : ways.up) {
          if (!back() || mirrored) break;
          ways.down.push_back({up.root, false, random_.below(rate.period), up.reach, up.members});
        }
        return ways;
      });
    });
  }
  Ways up_at(const Rate& rate, std::uint32_t reach) const {
    Ways ways{rate.flits, rate.period};
    for (std::uint32_t k = 0; k < rate.flits; ++k) {
      for (std::size_t g = 0; g < groups_.roots.size(); ++g) {
        ways.up.push_back({centre(g, k), true, k % rate.period, reach, members_of(g)});
      }
    }
    return ways;
  }

  /// All flits go up, by all arcs that lead that way, and then down the same trees.
  void try_turns() {
    if (request_.topology.one_way()) return;
    for (std::uint32_t k = std::min(most_flits(1, false), request_.flits); k > 0; --k) {
      const Rate rate{k, 1};
      if (!can_try(std::uint64_t{k} * groups_.roots.size())) continue;
      const auto rounds = [&](std::uint32_t depth) {
        return 2 * (rounds_of(rate) + 1 + (depth - 1) * hop_);
      };
      find_least(farthest_, farthest_ + kMoreDepth, rounds, [&](std::uint32_t depth) {
        return find([&] {
          Ways ways = up_at(rate, (depth - 1) * hop_);
          ways.turns = true;
          return ways;
        });
      });
    }
  }

  /// The least number from which on something is found, if what is found with more of it is slower
  /// and found sooner. `rounds`: that it takes at least.
  template <class Rounds, class Find>
  void find_least(std::uint32_t least, std::uint32_t most, const Rounds& rounds, const Find& find) {
    while (most > least && rounds(most) >= rounds_) --most;
    for (std::uint32_t at = most; least <= most && rounds(at) < rounds_;
         at = least + (most - least) / 2) {
      if (find(at)) {
        if (at == least) return;
        most = at - 1;
      } else {
        if (at == most) return;
        least = at + 1;
      }
    }
  }
  /// Of a group; empty: all nodes.
  std::span<const Node> members_of(std::size_t g) const {
    if (request_.members.all()) return {};
    return groups_.of_root[g];
  }

  /// Those that each work out sums of their own, without the translations of node 0.
  std::span<const Node> workers() const {
    return std::span(groups_.members).first(ports_.empty() ? groups_.members.size() : 1);
  }

  /// Each member works out the sums of its own block, or all of them: once for all flits.
  void try_each(std::uint32_t flits) {
    if (!can_try(workers().size() * flits)) return;
    const std::uint64_t cells = groups_.members.size() * (arcs_of_flit() + 1) * flits;
    const std::uint32_t first = 1 + (farthest_ - 1) * hop_;
    const auto least =
        std::max<std::uint32_t>(first, static_cast<std::uint32_t>(cells / arcs_.count()));
    const auto rounds = [&](std::uint32_t last) { return std::uint64_t{last} + hop_; };
    // Of the last tree's arcs at its root.
    find_least(least, least + 24, rounds, [&](std::uint32_t last) {
      return find([&] {
        Ways ways{flits, 0, true, !ports_.empty()};
        for (std::uint32_t k = 0; k < flits; ++k) {
          const std::uint32_t round = first + (last - first) * (k + 1) / flits;
          for (const Node x : workers()) {
            ways.up.push_back({x, true, round, round - 1, members_of(groups_.group_of(x))});
          }
        }
        return ways;
      });
    });
  }

  /// The roots are many: each flit goes up to one of them, and down again, at a time of its own. If
  /// nodes are translations of one another, node 0's trees stand for those of as many flits.
  void try_spread(bool translated) {
    if (translated && ports_.empty()) return;
    const std::uint32_t of_tree = translated ? nodes() : 1;
    const std::uint32_t flits = (request_.flits + of_tree - 1) / of_tree;
    if (!can_try(std::uint64_t{2} * flits * groups_.roots.size())) return;
    const std::uint64_t cells =
        std::uint64_t{flits} * of_tree * (groups_.members.size() + arcs_of_flit());
    const std::uint32_t up = 1 + (farthest_ - 1) * hop_, down = stored(0) + (farthest_ - 1) * hop_;
    const auto least =
        std::max<std::uint32_t>(up + down, static_cast<std::uint32_t>(cells / arcs_.count()));
    const auto rounds = [](std::uint32_t last) { return std::uint64_t{last}; };
    find_least(least, least + 24, rounds, [&](std::uint32_t last) {
      return find([&] {
        Ways ways{flits, 0, false, translated};
        for (std::uint32_t k = 0; k < flits; ++k) {
          for (std::size_t g = 0; g < groups_.roots.size(); ++g) {
            const Node root = translated ? 0 : centre(g, k);
            const std::uint32_t round = up + random_.below(last - up - down + 1);
            const std::uint32_t turn = stored(round);
            ways.up.push_back({root, true, round, round - 1, members_of(g)});
            ways.down.push_back({root, false, turn, last - turn, members_of(g)});
          }
        }
        return ways;
      });
    });
  }

  /// So many flits of each block, again and again.
  void try_blocks(std::uint32_t flits) {
    if (flits > request_.flits || !can_try(workers().size() * flits)) return;
    const std::uint64_t cells = groups_.members.size() * (arcs_of_flit() + 1) * flits;
    const auto least = static_cast<std::uint32_t>((cells + arcs_.count() - 1) / arcs_.count());
    const auto period_of = [&](std::uint32_t more) { return (least | 1) + 2 * more; };
    const auto reach_of = [&](std::uint32_t more) {
      return hop_ * std::max(farthest_ + 6, period_of(more) / hop_ + 4);
    };
    const auto rounds = [&](std::uint32_t more) {
      return rounds_of({flits, period_of(more)}) + 1 + farthest_ * hop_;
    };
    find_least(0, 10, rounds, [&](std::uint32_t more) {
      const std::uint32_t period = period_of(more), reach = reach_of(more);
      return find([&] {
        Ways ways{flits, period, true, !ports_.empty()};
        for (std::uint32_t k = 0; k < flits; ++k) {
          for (const Node x : workers()) {
            const auto members = members_of(groups_.group_of(x));
            ways.up.push_back({x, true, random_.below(period), reach, members});
          }
        }
        return ways;
      });
    });
  }

  /// Steps that are worth while for so many trees.
  std::uint64_t steps_for(std::uint64_t trees) const {
    constexpr std::uint64_t kStepsAPlace = 40;
    return kStepsAPlace * effort_ * nodes() * trees;
  }
  bool can_try(std::uint64_t trees) const {
    const std::uint64_t arcs = 8 * arcs_.count() / nodes();  // that a step looks at
    return steps_for(trees) * arcs <= work_;
  }

  /// Tries a few times, at last with two joins a root for few flits and where each node works out
  /// sums; keeps what was found.
  template <class Make>
  bool find(const Make& make) {
    const bool few = request_.flits <= kFewFlits;
    for (std::uint32_t i = 0; i < 3 && (work_ > 0 || best_.up.empty()); ++i) {
      Ways ways = make();
      const bool twice = i >= (few ? 1 : 2);
      if (twice && !few && !ways.of_each) break;
      for (Tree& tree : ways.up) {
        tree.lane = stored_before(ways, tree) >= unused(tree.root);
        tree.guards = back() && !ways.of_each && !ways.turns;
        // What is early goes down its mirror image with all else, in other rounds than it came up.
        if (ways.mirrored && ways.period > 1) continue;
        const bool in_two = twice || !at_once(tree.root);
        if (!in_two || !tree.lane || tree.reach <= early()) continue;
        tree.early = early() + std::max(i, 1u) - 1;
      }
      std::vector<Tree> all = ways.up;
      all.insert(all.end(), ways.down.begin(), ways.down.end());
      for (Tree& tree : all) tree.whole = i % 2 == 1 && !tree.members.empty();
      const std::vector<std::uint32_t> none;
      if (!pack(arcs_, all, ways.period, hop_, random_, steps_for(all.size()), work_,
                ways.translated           ? ports_
                : ways.mirrored || half() ? links_
                                          : none,
                ways.mirrored)) {
        continue;
      }
      const auto middle = all.begin() + static_cast<std::ptrdiff_t>(ways.up.size());
      ways.up.assign(all.begin(), middle);
      ways.down.assign(middle, all.end());
      if (ways.mirrored || ways.turns) ways.down = mirrored(ways.up, ways.period);
      if (back() && ways.of_each && !begin_before_any_ends(ways.up)) continue;
      if (ways.turns) ways.turn = rounds_to_turn(ways);
      if (const std::uint64_t rounds = last_round(ways); rounds < rounds_) {
        rounds_ = rounds;
        best_ = std::move(ways);
      }
      return true;
    }
    return false;
  }
  /// Rounds between the arcs of two joins into a root, of which the second adds the sum of the
  /// first: so many at least, and if hops are of two rounds one more uses the other half of them.
  std::uint32_t early() const { return stored(0) - hop_; }

  /// Trees before it whose sums the same node stores in the same round.
  std::uint32_t stored_before(const Ways& ways, const Tree& tree) const {
    std::uint32_t same = 0;
    for (const Tree& other : ways.up) {
      if (&other == &tree) break;
      same += other.root == tree.root && other.round == tree.round;
    }
    return same;
  }

  std::vector<Tree> mirrored(std::vector<Tree> trees, std::uint32_t period) const {
    for (Tree& tree : trees) {
      tree.up = tree.lane = false;
      tree.early = 0;
      tree.round = period - tree.round % period;
      for (ArcId& a : tree.arc) {
        if (a != kNoArcId) a = arcs_.reverse(a);
      }
    }
    return trees;
  }

  /// Nodes that work out sums for themselves all give their own parts.
  bool begin_before_any_ends(const std::vector<Tree>& trees) const {
    std::uint32_t begins = 0, ends = ~std::uint32_t{0};
    for (const Tree& t : trees) {
      begins = std::max(begins, t.round - t.way());
      ends = std::min(ends, stored(t.round) - t.early);
    }
    return begins < ends;
  }
  /// The round in which a sum can be read whose last arcs are used in this one: it is stored a hop
  /// later.
  std::uint32_t stored(std::uint32_t round) const {
    return round + 2 * hop_ + kPipelinedStoreRounds;
  }

  /// The first round from `first` on in which a tree's arcs at the root can be used.
  static std::uint32_t round_of(std::uint32_t first, const Tree& t, std::uint32_t period) {
    if (period == 0) return t.round;
    return first + (t.round % period + period - first % period) % period;
  }
  /// The rounds in which the first flit of a tree comes to its root, and goes down from there.
  static std::uint32_t up_round(const Ways& ways, std::size_t k) {
    return round_of(1 + ways.up[k].way(), ways.up[k], ways.period);
  }
  std::uint32_t down_round(const Ways& ways, std::size_t k) const {
    const std::uint32_t up = up_round(ways, k);
    return ways.turns ? up + ways.turn : round_of(stored(up), ways.down[k], ways.period);
  }
  /// In which a flit is sent, or a sum is stored.
  std::uint64_t last_round(const Ways& ways) const {
    std::uint64_t last = 0;
    for (std::size_t k = 0; k < ways.up.size(); ++k) {
      last = std::max<std::uint64_t>(last, ways.down.empty()
                                               ? up_round(ways, k) + hop_
                                               : down_round(ways, k) + ways.down[k].way());
    }
    return last + rounds_of({ways.flits, ways.period});
  }
  /// The output by which the root of a tree stores its sums.
  Port lane_of(const Tree& tree, bool early) const {
    const ArcId a = early ? tree.early_lane_arc : tree.lane_arc;
    if (tree.lane) return request_.topology.port_to(arcs_.tail(a), arcs_.head(a));
    return spare_outputs(request_.topology, tree.root)[stored_before(best_, tree)];
  }

  /// A tree, or what of it is early: its arcs, each with the one that it hangs from, and the rounds
  /// between it and those at the root that are not early.
  struct Way {
    const Tree* tree;
    bool early;
    std::vector<Branch> branches;
    std::vector<std::uint32_t> off;
  };
  std::vector<Way> ways_of(const Tree& tree) const {
    std::vector<Way> all;
    for (const bool early : {true, false}) {
      Way way{&tree, early, branches(arcs_, tree, early), {}};
      for (const Branch& b : way.branches) {
        const bool last = b.before == TransferHop::kNone;
        way.off.push_back(last ? (early ? tree.early : 0) : way.off[b.before] + hop_);
      }
      if (!way.branches.empty()) all.push_back(std::move(way));
    }
    return all;
  }

  /// Where all flits have to be up before the first one goes down: rounds between its last arcs up
  /// and its first ones down.
  std::uint32_t rounds_to_turn(const Ways& ways) const {
    std::vector<std::uint32_t> busy(arcs_.count());  // an arc, or a half-duplex link: to this round
    const auto link = [&](ArcId a) { return half() ? links_[a] : a; };
    const std::uint32_t flits = 1 + (request_.flits - 1) / ways.flits;
    for (std::size_t k = 0; k < ways.up.size(); ++k) {
      const Tree& tree = ways.up[k];
      const std::uint32_t at_root = up_round(ways, k);
      const auto use = [&](ArcId a, std::uint32_t first) {
        busy[link(a)] = std::max(busy[link(a)], first + flits + (half() ? hop_ : 0));
      };
      for (const Way& way : ways_of(tree)) {
        const ArcId lane = way.early ? tree.early_lane_arc : tree.lane_arc;
        const std::uint32_t stores = at_root - (way.early ? tree.early : 0) + hop_;
        if (tree.lane) use(lane, stores);
        if (tree.lane && arcs_.reverse(lane) != kNoArcId) use(arcs_.reverse(lane), stores);
        for (std::size_t i = 0; i < way.off.size(); ++i) {
          use(tree.arc[way.branches[i].to], at_root - way.off[i]);
        }
      }
    }
    std::uint32_t turn = stored(0);
    for (std::size_t k = 0; k < ways.down.size(); ++k) {
      for (const Way& way : ways_of(ways.down[k])) {
        for (std::size_t i = 0; i < way.off.size(); ++i) {
          const std::uint32_t first = up_round(ways, k) + way.off[i];
          const std::uint32_t until = busy[link(way.tree->arc[way.branches[i].to])];
          turn = std::max(turn, until - std::min(until, first));
        }
      }
    }
    return turn;
  }

  Schedule schedule() const {
    Model model{PortModel::All, request_.duplex, Switching::Pipelined, /*combining=*/false};
    model.hop_rounds = hop_;
    Schedule schedule = empty_schedule(request_, model);
    schedule.cut(request_.flits);
    const ChunkFlits sizes = schedule.chunk_flits(request_.flits);
    struct Begin {
      std::uint32_t round, flit;
      const Way* way;
    };
    std::vector<Begin> begins;
    std::vector<std::vector<Way>> up, down;
    for (const Tree& tree : best_.up) up.push_back(ways_of(tree));
    for (const Tree& tree : best_.down) down.push_back(ways_of(tree));
    const auto of_flit = static_cast<std::uint32_t>(up.size()) / best_.flits;
    const bool spread = best_.translated && !best_.of_each;
    for (std::uint32_t flit = 0; flit < (spread ? best_.flits : request_.flits); ++flit) {
      for (std::uint32_t i = 0; i < of_flit; ++i) {
        const std::uint32_t k = flit % best_.flits * of_flit + i;
        const std::uint32_t later = flit / best_.flits * best_.period;
        for (const Way& way : up[k]) {
          begins.push_back({up_round(best_, k) + later - std::ranges::max(way.off), flit, &way});
        }
        if (down.empty()) continue;
        for (const Way& way : down[k]) begins.push_back({down_round(best_, k) + later, flit, &way});
      }
    }
    std::ranges::stable_sort(begins, {}, &Begin::round);
    for (const Begin& b : begins) {
      const Tree& tree = *b.way->tree;
      for (Node by = 0; by < (best_.translated ? nodes() : 1); ++by) {
        const Node root = by == 0 ? tree.root : request_.topology.translate(tree.root, by);
        const Node origin = has_root(request_.collective)
                                ? groups_.roots[groups_.group_of(root)]
                                : root;
        const Message piece[] = {{origin, kNoNode, spread ? b.flit * nodes() + by : b.flit}};
        if (piece[0].piece >= request_.flits || sizes.of(piece[0]) == 0) continue;
        std::vector<Branch> all = b.way->branches;
        for (Branch& branch : all) {
          if (by != 0) branch.to = request_.topology.translate(branch.to, by);
          branch.stored = is_expected(schedule, branch.to, piece[0]);
        }
        if (tree.up) {
          schedule.add_join(b.round, root, lane_of(tree, b.way->early), all, piece);
        } else {
          schedule.add_tree(b.round, root, all, piece);
        }
      }
    }
    return schedule;
  }

  static constexpr std::uint32_t kMoreDepth = 12, kMostEffort = 256, kFewFlits = 64;
  static constexpr std::size_t kMuchWork = 4'000'000;

  const Request& request_;
  Arcs arcs_;
  std::uint32_t hop_;
  any_graph::Random random_;
  const Groups groups_;
  std::vector<std::vector<Node>> centres_;  ///< by group
  std::map<Node, bool> at_once_;            ///< of nodes that were asked for
  std::uint32_t farthest_ = 1;              ///< a member from its nearest root
  std::vector<std::uint32_t> ports_;  ///< by arc; empty if nodes are no translations
  std::vector<std::uint32_t> links_;  ///< by arc; both directions of one are alike
  Ways best_;
  std::uint64_t rounds_ = ~std::uint64_t{0};  ///< that it takes
  std::uint32_t effort_ = 1;                  ///< for each choice
  std::uint64_t work_;                        ///< cells that may still be looked at
};

Schedule plan(const Request& request) { return Planner(request).plan(); }

}  // namespace

const Algorithm kJoins = {
    .name = "joins",
    .summary = "reductions on any graph, joined on the way, a flit a piece",
    .serves =
        [] {
          std::vector<Serves> serves = every({Collective::Reduce, Collective::AllReduce},
                                             {PortModel::All}, {Duplex::Full, Duplex::Half});
          serves.push_back({Collective::ReduceScatter, PortModel::All, Duplex::Full});
          return serves;
        }(),
    .needs = refuses,
    .make = plan,
    .switching = Switching::Pipelined,
    .any_graph = true,
    .most_nodes = 1 << 18,
    .cuts = true,
    .any_chunks = true,
};

}  // namespace gossamer
