#include "algorithms/pieces/join_ways.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "gossamer_constants.hpp"
#include "schedule/chunks.hpp"

namespace gossamer::joining {
namespace {

/// The first round from `first` on in which a tree's arcs at the root can be used.
std::uint32_t round_of(std::uint32_t first, const Tree& t, std::uint32_t period) {
  if (period == 0) return t.round;
  return first + (t.round % period + period - first % period) % period;
}

}  // namespace

std::vector<Port> spare_outputs(const Topology& topology, Node x) {
  std::vector<Port> spare;
  for (Port p = 0; p < topology.ports(); ++p) {
    if (!topology.peer(x, p).connected()) spare.push_back(p);
  }
  return spare;
}

Joining::Joining(const Request& request)
    : request_(request),
      flits_(request.flits),
      arcs_(request.topology),
      hop_(request.hop + rtl::TIME_JOIN),
      groups_(request) {
  for (ArcId a = 0; a < arcs_.count(); ++a) links_.push_back(std::min(a, arcs_.reverse(a)));
}

std::uint32_t Joining::stored(std::uint32_t round) const {
  return round + 2 * hop_ + kPipelinedStoreRounds;
}

/// The rounds in which the first flit of a tree comes to its root, and goes down from there.
std::uint32_t Joining::up_round(const Ways& ways, std::size_t k) const {
  return round_of(1 + ways.up[k].way, ways.up[k], ways.period);
}
std::uint32_t Joining::down_round(const Ways& ways, std::size_t k) const {
  const std::uint32_t first = ways.turns ? ways.turn : stored(up_round(ways, k));
  return round_of(first, ways.down[k], ways.period);
}

std::uint64_t Joining::last_round(const Ways& ways) const {
  std::uint64_t last = 0;
  for (std::size_t k = 0; k < ways.up.size(); ++k) {
    last =
        std::max<std::uint64_t>(last, ways.down.empty() ? up_round(ways, k) + hop_
                                                        : down_round(ways, k) + ways.down[k].way);
  }
  return last + rounds_of(flits_of(ways.spread()), {ways.flits, ways.period});
}

std::uint32_t Joining::stored_before(const Ways& ways, const Tree& tree) const {
  std::uint32_t same = 0;
  for (const Tree& other : ways.up) {
    if (&other == &tree) break;
    same += other.root == tree.root && other.round == tree.round;
  }
  return same;
}

std::vector<Tree> Joining::mirrored(std::vector<Tree> trees, std::uint32_t period) const {
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

bool Joining::begin_before_any_ends(const Ways& ways) const {
  const std::size_t trees = ways.up.size() / ways.flits;
  for (std::size_t k = 0; k < ways.up.size() && trees > groups_.roots.size(); k += trees) {
    std::uint32_t begins = 0, ends = ~std::uint32_t{0};
    for (const Tree& t : std::span(ways.up).subspan(k, trees)) {
      begins = std::max(begins, t.round - t.way);
      ends = std::min(ends, stored(t.round) - t.early);
    }
    if (begins >= ends) return false;
  }
  return true;
}

/// The output by which the root of a tree stores its sums.
Port Joining::lane_of(const Ways& ways, const Tree& tree, bool early) const {
  if (tree.lane) return port_of(early ? tree.early_lane_arc : tree.lane_arc);
  return spare_outputs(request_.topology, tree.root)[stored_before(ways, tree)];
}

bool Joining::give_lanes(Ways& ways) const {
  const std::uint32_t waits = single() ? hop_ : 0;
  std::set<std::tuple<Node, Port, std::uint32_t>> taken;
  const auto take_port = [&](Node x, Port p, std::uint32_t round) {
    const std::uint32_t same = ways.period == 0 ? round : round % ways.period;
    return taken.emplace(x % (nodes() / ways.copies), p, same).second;
  };
  const auto take = [&](const Tree& tree, Node x, std::uint32_t round) {
    const ArcId a = tree.arc[x];
    take_port(arcs_.tail(a), port_of(a), round);
    for (std::uint32_t n = 0; n + 1 < hop_ && (half() || !tree.up); ++n) {
      take_port(arcs_.head(a), port_into(a), round + n);
    }
  };
  const auto add = [&](const Tree& tree, std::uint32_t round, std::vector<std::vector<Sent>>& to) {
    to.emplace_back();
    std::vector<bool> sends(nodes());
    for (Way& way : ways_of(arcs_, tree, waits)) {
      sends[way.source] = true;
      to.back().push_back({std::move(way)});
    }
    for (Sent& sent : to.back()) {
      for (Branch& branch : sent.branches) {
        const bool is_member =
            tree.members.empty() || std::ranges::binary_search(tree.members, branch.to);
        branch.stored = sends[branch.to] || (!tree.up && is_member);
      }
    }
    for (Node x = 0; single() && x < nodes(); ++x) {
      if (tree.arc[x] == kNoArcId || (ways.turns && !tree.up)) continue;
      take(tree, x, tree.up ? round - tree.off[x] : round + tree.off[x]);
    }
  };
  for (std::size_t k = 0; k < ways.up.size(); ++k) add(ways.up[k], up_round(ways, k), ways.joins);
  for (std::size_t k = 0; k < ways.down.size(); ++k) {
    add(ways.down[k], ways.turns ? 0 : down_round(ways, k), ways.spreads);
  }
  for (std::size_t k = 0; k < ways.up.size(); ++k) {
    for (Sent& join : ways.joins[k]) {
      if (!single()) {
        join.lane = lane_of(ways, ways.up[k], join.off[0] > 0);
        continue;
      }
      const std::uint32_t round = up_round(ways, k) - join.off[0] + hop_;
      const ArcId last = ways.up[k].arc[join.branches[0].to];
      for (Port p = 0; join.lane == kNoPort && p < request_.topology.ports(); ++p) {
        if (p == port_into(last)) continue;
        if (take_port(join.source, p, round)) join.lane = p;
      }
      if (join.lane == kNoPort) return false;
    }
  }
  return true;
}

/// What an arc takes: itself, or its half-duplex link, and what sends or receives through a
/// single port.
template <class Visit>
void Joining::visit_taken(ArcId a, const Visit& visit) const {
  visit(half() ? links_[a] : a);
  if (!single()) return;
  visit(arcs_.count() + arcs_.tail(a));
  visit(arcs_.count() + arcs_.head(a) + (half() ? 0 : nodes()));
}

void Joining::visit_uses(
    const Ways& ways,
    const std::function<void(std::size_t, std::uint32_t, std::uint32_t)>& visit) const {
  const auto more = static_cast<std::uint32_t>(rounds_of({ways.flits, ways.period})) + 1;
  const auto use = [&](ArcId a, std::uint32_t first) {
    const std::uint32_t free = first + more + (half() ? hop_ : 0);
    visit_taken(a, [&](std::size_t what) { visit(what, first, free); });
  };
  for (std::size_t k = 0; k < ways.up.size(); ++k) {
    const std::uint32_t at_root = up_round(ways, k);
    for (const Sent& join : ways.joins[k]) {
      for (ArcId a = arcs_.first(join.source); a < arcs_.first(join.source + 1); ++a) {
        if (port_of(a) != join.lane) continue;
        use(a, at_root - join.off[0] + hop_);
        if (arcs_.reverse(a) != kNoArcId) use(arcs_.reverse(a), at_root - join.off[0] + hop_);
      }
    }
    for (Node x = 0; x < nodes(); ++x) {
      if (ways.up[k].arc[x] != kNoArcId) use(ways.up[k].arc[x], at_root - ways.up[k].off[x]);
    }
  }
}

std::uint32_t Joining::round_to_turn(const Ways& ways) const {
  std::vector<std::uint32_t> busy(arcs_.count() + 2 * nodes());  // to this round
  visit_uses(ways, [&](std::size_t what, std::uint32_t, std::uint32_t free) {
    busy[what] = std::max(busy[what], free);
  });
  std::uint32_t turn = 0;
  for (std::size_t k = 0; k < ways.down.size(); ++k) {
    turn = std::max(turn, stored(up_round(ways, k)));
    for (Node x = 0; x < nodes(); ++x) {
      const std::uint32_t off = ways.down[k].off[x];
      if (ways.down[k].arc[x] == kNoArcId) continue;
      visit_taken(ways.down[k].arc[x], [&](std::size_t what) {
        turn = std::max(turn, busy[what] - std::min(busy[what], off));
      });
    }
  }
  return turn;
}

Schedule Joining::schedule(const std::vector<Ways>& all) const {
  Model model{request_.ports, request_.duplex, Switching::Pipelined, /*combining=*/false};
  model.hop_rounds = hop_;
  Schedule schedule = empty_schedule(request_, model);
  schedule.cut(request_.flits);
  const ChunkFlits sizes = schedule.chunk_flits(request_.flits);
  struct Begin {
    std::uint32_t round, flit;
    const Sent* sent;
    Node root;
  };
  std::vector<Begin> begins;
  for (const Ways& ways : all) {
    const auto of_flit = static_cast<std::uint32_t>(ways.up.size()) / ways.flits;
    for (std::uint32_t flit = 0; flit < flits_of(ways.spread()); ++flit) {
      for (std::uint32_t i = 0; i < of_flit; ++i) {
        const std::uint32_t k = flit % ways.flits * of_flit + i;
        const std::uint32_t later = ways.later + flit / ways.flits * ways.period;
        const Node root = ways.up[k].root;
        for (const Sent& join : ways.joins[k]) {
          const std::uint32_t round = up_round(ways, k) + later - std::ranges::max(join.off);
          begins.push_back({round, flit, &join, root});
        }
        if (ways.down.empty()) continue;
        for (const Sent& one : ways.spreads[k]) {
          const std::uint32_t round = down_round(ways, k) + later + one.off[0];
          begins.push_back({round, flit, &one, root});
        }
      }
    }
  }
  const Node copies = all.front().copies, spread = all.front().spread();
  std::ranges::stable_sort(begins, {}, &Begin::round);
  for (const Begin& b : begins) {
    for (Node copy = 0; copy < copies; ++copy) {
      const Node by = copy * (nodes() / copies);
      const auto moved = [&](Node x) { return by == 0 ? x : request_.topology.translate(x, by); };
      const Node root = moved(b.root);
      const Node origin =
          has_root(request_.collective) ? groups_.roots[groups_.group_of(root)] : root;
      const Message piece[] = {{origin, kNoNode, spread > 1 ? b.flit * spread + copy : b.flit}};
      if (piece[0].piece >= request_.flits || sizes.of(piece[0]) == 0) continue;
      std::vector<Branch> branches = b.sent->branches;
      for (Branch& branch : branches) branch.to = moved(branch.to);
      if (b.sent->lane != kNoPort) {
        schedule.add_join(b.round, moved(b.sent->source), b.sent->lane, branches, piece);
      } else {
        schedule.add_tree(b.round, moved(b.sent->source), branches, piece);
      }
    }
  }
  return schedule;
}

}  // namespace gossamer::joining
