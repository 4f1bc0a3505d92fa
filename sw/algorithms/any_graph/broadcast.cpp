// Broadcast on any graph.
//
// Through a single port a node that has the message informs one neighbour in a round. What counts
// is how urgent the neighbour is: how many rounds it needs to inform everything that depends on it.
// In a tree that is simple: a node informs its most urgent child first, so with children that need
// u1 >= u2 >= ... rounds it needs max(i + ui). In a graph the tree is not known; so it is found by
// trial. In each round the nodes that are to be informed are matched with informed neighbours, the
// most urgent first, with augmenting paths, so that as many as possible are served. The result is a
// tree; the needs in this tree are the urgency in the next trial, with a little noise.
#include "algorithms/any_graph/any_graph.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/any_graph/search.hpp"

namespace gossamer::any_graph {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

/// Who informs a node, and when.
struct Informed {
  Node by = kNoNode;
  std::uint32_t round = kNever;
};

class Trial {
 public:
  Trial(const Arcs& arcs, Node root, const std::vector<std::uint32_t>& urgency)
      : arcs_(arcs), urgency_(urgency), informed_(arcs.nodes()), serves_(arcs.nodes(), kNoNode) {
    informed_[root] = {root, 0};
    reach_from(root);
    for (round_ = 1; !frontier_.empty(); ++round_) match();
    --round_;
  }

  std::uint32_t rounds() const { return round_; }
  const std::vector<Informed>& informed() const { return informed_; }

 private:
  void reach_from(Node x) {
    for (const Node y : arcs_.neighbours(x)) {
      if (informed_[y].round != kNever || informed_[y].by != kNoNode) continue;
      informed_[y].by = x;  // reached: it is in the frontier
      frontier_.push_back(y);
    }
  }

  void match() {
    std::ranges::stable_sort(frontier_, std::greater{}, [&](Node y) { return urgency_[y]; });
    std::vector<Node> servers;
    for (const Node y : frontier_) {
      ++mark_;
      if (find_server(y)) {
        for (const Node x : arcs_.neighbours(y)) servers.push_back(x);
      }
    }
    std::vector<Node> fresh;
    for (const Node x : servers) {
      if (serves_[x] == kNoNode) continue;
      informed_[serves_[x]] = {x, round_};
      fresh.push_back(serves_[x]);
      serves_[x] = kNoNode;
    }
    std::erase_if(frontier_, [&](Node y) { return informed_[y].round != kNever; });
    std::ranges::sort(fresh);
    for (const Node y : fresh) reach_from(y);
  }

  /// An informed neighbour for `y`; one that serves another node may serve `y` if that node finds
  /// another neighbour.
  bool find_server(Node y) {
    for (const Node x : arcs_.neighbours(y)) {
      if (informed_[x].round < round_ && serves_[x] == kNoNode) {
        serves_[x] = y;
        return true;
      }
    }
    for (const Node x : arcs_.neighbours(y)) {
      if (informed_[x].round >= round_ || visited(x)) continue;
      if (!find_server(serves_[x])) continue;
      serves_[x] = y;
      return true;
    }
    return false;
  }

  bool visited(Node x) {
    if (marks_.empty()) marks_.assign(arcs_.nodes(), 0);
    if (marks_[x] == mark_) return true;
    marks_[x] = mark_;
    return false;
  }

  const Arcs& arcs_;
  const std::vector<std::uint32_t>& urgency_;
  std::vector<Informed> informed_;
  std::vector<Node> serves_;    ///< whom a node informs in this round
  std::vector<Node> frontier_;  ///< not informed, but next to nodes that are
  std::vector<std::uint32_t> marks_;
  std::uint32_t mark_ = 0;
  std::uint32_t round_ = 0;
};

/// The rounds that each node needs for the nodes below it in the tree.
std::vector<std::uint32_t> needs(const std::vector<Informed>& informed) {
  std::vector<Node> order = numbers_below(static_cast<Node>(informed.size()));
  std::ranges::sort(order, std::greater{}, [&](Node x) { return informed[x].round; });
  std::vector<std::vector<std::uint32_t>> below(informed.size());
  std::vector<std::uint32_t> need(informed.size(), 0);
  for (const Node x : order) {  // children before their parents
    std::ranges::sort(below[x], std::greater{});
    for (std::size_t i = 0; i < below[x].size(); ++i) {
      need[x] = std::max(need[x], static_cast<std::uint32_t>(i) + 1 + below[x][i]);
    }
    if (informed[x].by != x) below[informed[x].by].push_back(need[x]);
  }
  return need;
}

std::vector<Hop> hops_of(const std::vector<Informed>& informed, Node root) {
  std::vector<Hop> hops;
  for (Node x = 0; x < informed.size(); ++x) {
    if (x != root) hops.push_back({informed[x].round, informed[x].by, x, {root, kNoNode}});
  }
  std::ranges::stable_sort(hops, {}, &Hop::round);
  return hops;
}

}  // namespace

std::vector<std::uint32_t> hops_beyond(const Arcs& arcs, Node root) {
  const auto distance = distances_from(arcs, root);
  std::vector<Node> order = numbers_below(arcs.nodes());
  std::ranges::stable_sort(order, std::greater{}, [&](Node x) { return distance[x]; });
  std::vector<std::uint32_t> depth(arcs.nodes(), 0);
  for (const Node x : order) {
    for (const Node y : arcs.neighbours(x)) {
      if (distance[y] + 1 == distance[x]) depth[y] = std::max(depth[y], depth[x] + 1);
    }
  }
  return depth;
}

std::vector<Hop> broadcast_all_ports(const Arcs& arcs, Node root) {
  const auto distance = distances_from(arcs, root);
  std::vector<Informed> informed(arcs.nodes());
  for (Node x = 0; x < arcs.nodes(); ++x) {
    for (const Node y : arcs.neighbours(x)) {
      if (distance[x] + 1 == distance[y] && informed[y].by == kNoNode)
        informed[y] = {x, distance[y]};
    }
  }
  return hops_of(informed, root);
}

std::vector<Hop> broadcast_single_port(const Arcs& arcs, Node root, std::uint32_t bound,
                                       const Effort& effort) {
  constexpr std::uint64_t kEnough = 500'000;  // nodes informed in all trials
  constexpr std::uint32_t kScale = 16;        // of urgency, so that noise breaks ties
  Random random(effort.seed);
  std::vector<std::uint32_t> urgency = hops_beyond(arcs, root);
  for (std::uint32_t& u : urgency) u *= kScale;
  Trial trial(arcs, root, urgency);
  std::vector<Informed> best = trial.informed();
  std::uint32_t rounds = trial.rounds();
  best_so_far(effort, [&] {
    for (std::uint64_t work = 0; rounds > bound; work += arcs.nodes()) {
      stop_if_interrupted();
      if (effort.over(work, kEnough)) break;
      urgency = needs(best);
      const std::uint32_t noise = 1 + random.below(3 * kScale);
      for (std::uint32_t& u : urgency) u = u * kScale + random.below(noise);
      const Trial next(arcs, root, urgency);
      if (next.rounds() > rounds) continue;
      rounds = next.rounds();
      best = next.informed();
    }
  });
  return hops_of(best, root);
}

}  // namespace gossamer::any_graph
