#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "algorithms/common/all.hpp"
#include "algorithms/reductions/reductions.hpp"
#include "topology/topology.hpp"

namespace gossamer {
namespace {

using namespace reductions;

bool gives_back(const Request& request) { return request.collective == Collective::AllReduce; }

/// A spanning tree, from the root on.
struct Tree {
  std::vector<Node> order;   ///< parents first
  std::vector<Node> parent;  ///< by node
  std::vector<std::uint32_t> children;
};

/// Nodes take their nearest free neighbours, up to `most` each, those with the fewest free
/// neighbours of their own first. What nobody could take goes where it can.
Tree tree_of(const Arcs& arcs, Node root, std::uint32_t most) {
  Tree tree;
  tree.parent.assign(arcs.nodes(), kNoNode);
  tree.children.assign(arcs.nodes(), 0);
  const auto is_free = [&](Node x) { return x != root && tree.parent[x] == kNoNode; };
  const auto free_around = [&](Node x) {
    return std::ranges::count_if(arcs.neighbours(x), is_free);
  };
  tree.order = {root};
  for (std::uint32_t more = 0; more < arcs.nodes() && tree.order.size() < arcs.nodes(); ++more) {
    for (std::size_t i = 0; i < tree.order.size(); ++i) {
      const Node x = tree.order[i];
      std::vector<Node> near;
      std::ranges::copy_if(arcs.neighbours(x), std::back_inserter(near), is_free);
      std::ranges::stable_sort(near, {}, free_around);
      for (const Node y : near) {
        if (tree.children[x] >= most + more) break;
        if (!is_free(y)) continue;  // of two links to the same node
        tree.parent[y] = x;
        tree.order.push_back(y);
        ++tree.children[x];
      }
    }
  }
  return tree;
}

/// The nodes but the root, parents first, and of one depth those first below which there is most.
std::vector<Node> below_root(const Tree& tree) {
  std::vector<std::uint32_t> depth(tree.parent.size()), height(tree.parent.size());
  std::vector<Node> rest(tree.order.begin() + 1, tree.order.end());
  for (const Node x : rest) depth[x] = depth[tree.parent[x]] + 1;
  for (std::size_t i = rest.size(); i-- > 0;) {
    std::uint32_t& above = height[tree.parent[rest[i]]];
    above = std::max(above, height[rest[i]] + 1);
  }
  std::ranges::stable_sort(rest, [&](Node a, Node b) {
    return depth[a] != depth[b] ? depth[a] < depth[b] : height[a] > height[b];
  });
  return rest;
}

/// What nodes do on the way up in the rounds of a period: they send and receive one piece a round.
class Period {
 public:
  Period(const Request& request, std::uint32_t rounds)
      : half_(request.duplex == Duplex::Half),
        rounds_(rounds),
        sends_(std::size_t{rounds} * request.topology.nodes()),
        receives_(sends_.size()) {}

  /// Takes the first free round from this one on. Nothing if none of a period is free.
  std::optional<std::uint32_t> take(Node from, Node to, std::uint32_t round) {
    for (const std::uint32_t end = round + rounds_; round < end; ++round) {
      const std::size_t f = at(from, round), t = at(to, round);
      if (sends_[f] || receives_[t] || (half_ && (receives_[f] || sends_[t]))) continue;
      sends_[f] = receives_[t] = true;
      return round;
    }
    return std::nullopt;
  }

 private:
  std::size_t at(Node x, std::uint32_t round) const {
    return std::size_t{x} * rounds_ + round % rounds_;
  }
  bool half_;
  std::uint32_t rounds_;
  std::vector<bool> sends_, receives_;
};

/// A tree, and the rounds in which a piece takes its links. The pieces follow one another, one
/// every `period` rounds.
struct Way {
  Tree tree;
  std::uint32_t period = 1, pieces = 1;
  std::vector<std::uint32_t> behind = {};  ///< by node: rounds from its link to the end of the way
  std::uint32_t last = 0;                  ///< the most of these
  std::uint64_t cycles = ~std::uint64_t{0};

  /// Rounds until all pieces are up; then the first one goes back.
  std::uint32_t all_up() const { return last + period * (pieces - 1); }
};

/// Each link as late as its ends have time, seen from the start of the way. False if they have
/// none.
bool give_rounds(const Request& request, Way& way) {
  Period period(request, way.period);
  way.behind.assign(way.tree.parent.size(), 0);
  for (const Node x : below_root(way.tree)) {
    const Node parent = way.tree.parent[x];
    const auto round = period.take(x, parent, way.behind[parent] + 1);
    if (!round) return false;
    way.behind[x] = *round;
  }
  way.last = std::ranges::max(way.behind);
  return true;
}

/// Cuts the vector, and says what it takes.
void cut(const Request& request, Way& way) {
  const bool back = gives_back(request);
  way.pieces = request.pieces.value_or(std::max<std::uint32_t>(request.flits / kRound, 1));
  const std::uint64_t hops = (back ? 2 : 1) * way.tree.parent.size();
  way.pieces =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(way.pieces, kMostTransfers / hops + 1));
  way.pieces = std::min(way.pieces, kMostPieces);
  const std::uint64_t flits = (request.flits + way.pieces - 1) / way.pieces;
  const std::uint64_t rounds = way.all_up() * (back ? 2 : 1);
  way.cycles = rounds * std::max(kRound, flits);
}

Way fastest(const Request& request) {
  const Arcs arcs(request.topology);
  Way best;
  for (std::uint32_t most = 1; most <= request.topology.ports(); ++most) {
    Way way{.tree = tree_of(arcs, request.root, most)};
    while (!give_rounds(request, way)) ++way.period;
    cut(request, way);
    if (way.cycles < best.cycles) best = std::move(way);
  }
  return best;
}

/// All pieces up a way, or down, after so many rounds.
struct Trip {
  Way way;
  bool down = false;
  std::uint32_t before = 0;
};

/// Where links lead one way there are two trees, one after the other: down a tree takes what up
/// the turned one does.
std::vector<Trip> trips_of(const Request& request) {
  if (!request.topology.one_way()) {
    const Way way = fastest(request);
    if (!gives_back(request)) return {{way}};
    return {{way}, {way, true, way.all_up()}};
  }
  Request one_way = request;
  one_way.collective = Collective::Reduce;
  one_way.topology = turned(request.topology);
  std::vector<Trip> trips = {{fastest(one_way)}};
  one_way.topology = request.topology;
  if (gives_back(request)) trips.push_back({fastest(one_way), true, trips[0].way.all_up()});
  return trips;
}

Schedule plan(const Request& request) {
  const std::vector<Trip> trips = trips_of(request);
  const Model model{request.ports, request.duplex, Switching::Packet, /*combining=*/false};
  Schedule schedule = empty_schedule(request, model);
  schedule.cut(trips[0].way.pieces);
  const std::uint32_t rounds = trips.back().before + trips.back().way.all_up();
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    for (const auto& [way, down, before] : trips) {
      for (const Node x : way.tree.order) {
        if (x == request.root) continue;
        const std::uint32_t first = down ? before + way.behind[x] : way.last + 1 - way.behind[x];
        if (round < first || (round - first) % way.period != 0) continue;
        const std::uint32_t number = (round - first) / way.period;
        if (number >= way.pieces) continue;
        const Node parent = way.tree.parent[x];
        const Node path[] = {down ? parent : x, down ? x : parent};
        const Message piece[] = {{request.root, kNoNode, number}};
        schedule.add(round, path, piece);
      }
    }
  }
  return schedule;
}

}  // namespace

const Algorithm kTreeReduce = {
    .name = "tree-reduce",
    .summary = "reduce and all-reduce on any connected graph, in pieces along a tree",
    .serves = every({Collective::Reduce, Collective::AllReduce}, {PortModel::Single},
                    {Duplex::Full, Duplex::Half}),
    .make = plan,
    .any_graph = true,
    .most_nodes = 8192,
    .cuts = true,
    .one_way = true,
};

}  // namespace gossamer
