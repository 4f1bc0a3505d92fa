#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "algorithms/common/all.hpp"
#include "algorithms/pieces/packing.hpp"
#include "gossamer_constants.hpp"

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

/// Can a node join from all others, and keep an output for the sum? It has one by which nothing can
/// come in, or two of its neighbours reach each other without it.
bool has_lane(const Topology& topology, const Arcs& arcs, Node root) {
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

std::optional<std::string> refuses(const Request& request) {
  if (request.pieces && *request.pieces != request.flits) {
    return fmt::format("what is joined has a flit in a piece: {} pieces", request.flits);
  }
  if (request.flits > kMostPieces) {
    return fmt::format("what is joined has a flit in a piece, and {} pieces at most", kMostPieces);
  }
  const Arcs arcs(request.topology, /*one_each=*/true);
  const Groups groups(request);
  // Half-duplex links lead up or down, and do not turn.
  const std::size_t hops = 2 * (groups.members.size() - groups.roots.size()) + groups.roots.size();
  if (request.duplex == Duplex::Half && request.collective == Collective::AllReduce &&
      arcs.count() / 2 < hops) {
    return fmt::format("sums go up {} half-duplex links, and down others", hops / 2);
  }
  for (const Node x :
       request.collective == Collective::ReduceScatter ? groups.members : groups.roots) {
    if (!has_lane(request.topology, arcs, x)) {
      return fmt::format(
          "node {} joins what comes by all of its ports, and none is left for the sum", x);
    }
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
        work_(std::min<std::uint64_t>(60'000 * (std::uint64_t{arcs_.nodes()} + 12), 120'000'000)) {
    for (std::size_t g = 0; g < groups_.roots.size(); ++g) {
      const std::vector<std::uint32_t> there = distances_from(arcs_, groups_.roots[g]);
      for (const Node x : groups_.of_root[g]) farthest_ = std::max(farthest_, there[x]);
    }
    for (ArcId a = 0; request.topology.translatable() && request.members.all() && a < arcs_.count();
         ++a) {
      ports_.push_back(request.topology.port_to(arcs_.tail(a), arcs_.head(a)));
    }
    for (ArcId a = 0; a < arcs_.count(); ++a) links_.push_back(std::min(a, arcs_.reverse(a)));
  }

  Schedule plan() {
    for (effort_ = 1; effort_ <= kMostEffort && work_ > 0; effort_ *= 4) {
      if (half()) {
        try_rates();
        continue;
      }
      if (request_.collective == Collective::ReduceScatter) {
        try_each(request_.flits);
        for (const std::uint32_t flits : {1, 2, 4}) try_blocks(flits);
        continue;
      }
      try_rates();
      if (back()) try_each(request_.flits);
    }
    if (best_.up.empty()) {
      throw NotFound(fmt::format("no trees in {} were found whose sums can be stored",
                                 request_.topology.spec()));
    }
    return schedule();
  }

 private:
  /// Trees of so many flits, each of all groups' roots, or, if each member works out sums of its
  /// own, of all members, or of node 0, for all of its translations.
  struct Ways {
    std::uint32_t flits = 1, period = 0;  ///< period 0: once
    bool of_each = false, translated = false;
    bool mirrored = false;  ///< sums come down the trees that they went up, the other way
    std::vector<Tree> up = {}, down = {};
  };
  struct Rate {
    std::uint32_t flits = 1, period = 1;
  };

  bool half() const { return request_.duplex == Duplex::Half; }
  bool back() const { return request_.collective == Collective::AllReduce; }
  Node nodes() const { return arcs_.nodes(); }
  std::uint32_t unused(Node x) const {
    return static_cast<std::uint32_t>(spare_outputs(request_.topology, x).size());
  }
  /// Arcs that lead each of the groups' members somewhere.
  std::uint64_t arcs_of_flit() const { return groups_.members.size() - groups_.roots.size(); }

  /// One flit after the other, which always works, and then all that the arcs allow, the fastest
  /// first: in a single round, then in several. Sums that go up and down over nearly all arcs are
  /// hard to find, and come later.
  void try_rates() {
    try_rate({1, 1});
    if (!half()) try_rate({1, 3});
    for (const std::uint32_t period : {1, 3, 5}) {
      if (half() && period > 1) break;  // links that share a wire do not turn
      const std::uint32_t most = most_flits(period);
      for (std::uint32_t k = std::min(most, request_.flits); k > 0; --k) {
        const bool same = period > 1 && (k % period == 0 || k < period);
        if (!same && (effort_ > 1 || !back() || 8 * k <= 7 * most)) try_rate({k, period});
      }
    }
  }
  /// A root's inputs, its outputs, which also take sums that are stored, and all arcs together.
  std::uint32_t most_flits(std::uint32_t period) const {
    std::uint64_t most = arcs_.count() / (half() ? 2 : 1) * period /
                         std::max<std::uint64_t>(arcs_of_flit() * (back() ? 2 : 1), 1);
    for (const Node root : groups_.roots) {
      const std::uint64_t outputs = std::uint64_t{arcs_.degree(root)} * period;
      const std::uint64_t stores = std::uint64_t{unused(root)} * period;
      most = std::min(most, outputs);
      if (back()) most = std::min(most, (outputs + std::min(outputs, stores)) / 2);
    }
    return static_cast<std::uint32_t>(most);
  }
  /// From the first flit's round to the last one's.
  std::uint64_t rounds_of(const Rate& r) const {
    return std::uint64_t{(request_.flits - 1) / r.flits} * r.period;
  }

  void try_rate(const Rate& rate) {
    if (!can_try(std::uint64_t{rate.flits} * groups_.roots.size() * (back() ? 2 : 1))) return;
    const auto rounds = [&](std::uint32_t depth) {
      return rounds_of(rate) + (back() ? 2 : 1) * depth * hop_;
    };
    const auto with_depth = [&](std::uint32_t depth, bool mirrored) {
      const std::uint32_t reach = (depth - 1) * hop_;
      return find([&] {
        Ways ways{rate.flits, rate.period};
        ways.mirrored = mirrored;
        for (std::uint32_t k = 0; k < rate.flits; ++k) {
          for (std::size_t g = 0; g < groups_.roots.size(); ++g) {
            const Node root = groups_.roots[g];
            const std::span<const Node> members = members_of(root);
            ways.up.push_back({root, true, k % rate.period, reach, members});
            if (!back() || mirrored) continue;
            ways.down.push_back({root, false, random_.below(rate.period), reach, members});
          }
        }
        return ways;
      });
    };
    for (const bool mirrored : {true, false}) {
      if (mirrored && (!back() || half() || rate.period > 1 || request_.topology.one_way())) {
        continue;
      }
      find_least(farthest_, farthest_ + kMoreDepth, rounds,
                 [&](std::uint32_t depth) { return with_depth(depth, mirrored); });
    }
  }
  /// The least number from which on something is found, if what is found with more of it is slower
  /// and found sooner.
  template <class Rounds, class Find>
  void find_least(std::uint32_t least, std::uint32_t most, const Rounds& rounds, const Find& find) {
    while (most > least && rounds(most) >= rounds_) --most;
    for (std::uint32_t at = most; least <= most && rounds(at) < rounds_;
         at = least + (most - least) / 2) {
      if (find(at)) {
        rounds_ = rounds(at);
        if (at == least) return;
        most = at - 1;
      } else {
        if (at == most) return;
        least = at + 1;
      }
    }
  }
  /// Empty: all nodes.
  std::span<const Node> members_of(Node member) const {
    if (request_.members.all()) return {};
    return groups_.of_root[groups_.group_of(member)];
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
            ways.up.push_back({x, true, round, round - 1, members_of(x)});
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
      return rounds_of({flits, period_of(more)}) + reach_of(more) + hop_;
    };
    find_least(0, 10, rounds, [&](std::uint32_t more) {
      const std::uint32_t period = period_of(more), reach = reach_of(more);
      return find([&] {
        Ways ways{flits, period, true, !ports_.empty()};
        for (std::uint32_t k = 0; k < flits; ++k) {
          for (const Node x : workers()) {
            ways.up.push_back({x, true, random_.below(period), reach, members_of(x)});
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

  /// Tries a few times; keeps what was found.
  template <class Make>
  bool find(const Make& make) {
    for (std::uint32_t i = 0; i < 2 && (work_ > 0 || best_.up.empty()); ++i) {
      Ways ways = make();
      for (Tree& tree : ways.up) tree.lane = stored_before(ways, tree) >= unused(tree.root);
      std::vector<Tree> all = ways.up;
      all.insert(all.end(), ways.down.begin(), ways.down.end());
      const std::vector<std::uint32_t> none;
      if (!pack(arcs_, all, ways.period, hop_, random_, steps_for(all.size()), work_,
                ways.translated           ? ports_
                : ways.mirrored || half() ? links_
                                          : none)) {
        continue;
      }
      const auto middle = all.begin() + static_cast<std::ptrdiff_t>(ways.up.size());
      ways.up.assign(all.begin(), middle);
      ways.down.assign(middle, all.end());
      if (ways.mirrored) ways.down = mirrored(ways.up);
      if (back() && ways.of_each && !begin_before_any_ends(ways.up)) continue;
      best_ = std::move(ways);
      return true;
    }
    return false;
  }

  /// Trees before it whose sums the same node stores in the same round.
  std::uint32_t stored_before(const Ways& ways, const Tree& tree) const {
    std::uint32_t same = 0;
    for (const Tree& other : ways.up) {
      if (&other == &tree) break;
      same += other.root == tree.root && other.round == tree.round;
    }
    return same;
  }

  std::vector<Tree> mirrored(std::vector<Tree> trees) const {
    for (Tree& tree : trees) {
      tree.up = tree.lane = false;
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
      begins = std::max(begins, t.round - way(t));
      ends = std::min(ends, stored(t.round));
    }
    return begins < ends;
  }
  /// Rounds from its first arcs to those at the root.
  std::uint32_t way(const Tree& t) const { return (t.depth(hop_) - 1) * hop_; }
  /// The round in which a sum can be read whose last arcs are used in this one: it is stored a hop
  /// later.
  std::uint32_t stored(std::uint32_t round) const {
    return round + 2 * hop_ + kPipelinedStoreRounds;
  }

  /// The first round from `first` on in which a tree's arcs at the root can be used.
  std::uint32_t round_of(std::uint32_t first, const Tree& t) const {
    const std::uint32_t period = best_.period;
    if (period == 0) return t.round;
    return first + (t.round % period + period - first % period) % period;
  }

  /// The output by which the root of a tree stores its sums.
  Port lane_of(const Tree& tree) const {
    if (tree.lane) {
      return request_.topology.port_to(arcs_.tail(tree.lane_arc), arcs_.head(tree.lane_arc));
    }
    return spare_outputs(request_.topology, tree.root)[stored_before(best_, tree)];
  }

  Schedule schedule() const {
    Model model{PortModel::All, request_.duplex, Switching::Pipelined, /*combining=*/false};
    model.hop_rounds = hop_;
    Schedule schedule = empty_schedule(request_, model);
    schedule.cut(request_.flits);
    const ChunkFlits sizes = schedule.chunk_flits(request_.flits);
    struct Begin {
      std::uint32_t round, flit, tree;
      bool down;
    };
    std::vector<Begin> begins;
    const auto trees = static_cast<std::uint32_t>(best_.up.size());
    const std::uint32_t of_flit = trees / best_.flits;
    for (std::uint32_t flit = 0; flit < request_.flits; ++flit) {
      for (std::uint32_t i = 0; i < of_flit; ++i) {
        const std::uint32_t k = flit % best_.flits * of_flit + i;
        const Tree& up = best_.up[k];
        const std::uint32_t at_root = round_of(1 + way(up), up) + flit / best_.flits * best_.period;
        begins.push_back({at_root - way(up), flit, k, false});
        if (best_.down.empty()) continue;
        begins.push_back({round_of(stored(at_root), best_.down[k]), flit, k, true});
      }
    }
    std::ranges::stable_sort(begins, {}, &Begin::round);
    for (const Begin& b : begins) {
      const Tree& tree = (b.down ? best_.down : best_.up)[b.tree];
      for (Node by = 0; by < (best_.translated ? nodes() : 1); ++by) {
        const Node root = by == 0 ? tree.root : request_.topology.translate(tree.root, by);
        const Node origin =
            has_root(request_.collective) ? groups_.roots[groups_.group_of(root)] : root;
        const Message piece[] = {{origin, kNoNode, b.flit}};
        if (sizes.of(piece[0]) == 0) continue;
        std::vector<Branch> all = branches(arcs_, tree);
        if (all.empty()) continue;  // a group of one
        for (Branch& branch : all) {
          if (by != 0) branch.to = request_.topology.translate(branch.to, by);
        }
        if (b.down) {
          schedule.add_tree(b.round, root, all, piece);
        } else {
          schedule.add_join(b.round, root, lane_of(tree), all, piece);
        }
      }
    }
    return schedule;
  }

  static constexpr std::uint32_t kMoreDepth = 12, kMostEffort = 256;

  const Request& request_;
  Arcs arcs_;
  std::uint32_t hop_;
  any_graph::Random random_;
  const Groups groups_;
  std::uint32_t farthest_ = 1;        ///< a member from its root
  std::vector<std::uint32_t> ports_;  ///< by arc; empty if nodes are no translations
  std::vector<std::uint32_t> links_;  ///< by arc; both directions of one are alike
  Ways best_;
  std::uint64_t rounds_ = ~std::uint64_t{0};  ///< that it takes, about
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
    .most_nodes = 8192,
    .cuts = true,
    .any_chunks = true,
};

}  // namespace gossamer
