// Broadcast and scatter on any graph.
//
// Broadcast through a single port: a node that has the message informs one neighbour in a round.
// What counts is how urgent the neighbour is: how many rounds it needs to inform everything that
// depends on it. In a tree that is simple: a node informs its most urgent child first, so with
// children that need u1 >= u2 >= ... rounds it needs max(i + ui). In a graph the tree is not known;
// so it is found by trial. In each round the nodes that are to be informed are matched with
// informed neighbours, the most urgent first, with augmenting paths, so that as many as possible
// are served. The result is a tree; the needs in this tree are the urgency in the next trial, with
// a little noise.

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "algorithms/any_graph/any_graph.hpp"
#include "bounds/flows.hpp"

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

namespace {

void sort_by_round(std::vector<Hop>& hops) { std::ranges::stable_sort(hops, {}, &Hop::round); }

/// A scatter in which no link carries messages both ways in a round. Where two messages would pass
/// each other, both stay where they are, and they exchange their further ways and so their
/// destinations. That is possible because all messages come from the root. None arrives later, and
/// there are fewer hops.
std::vector<Hop> uncrossed(const std::vector<Hop>& hops, Node nodes) {
  std::vector<std::vector<Hop>> ways(nodes);  // of the messages; in order of rounds
  for (const Hop& h : hops) ways[h.message.destination].push_back(h);
  std::vector<std::size_t> next(nodes, 0);  // hop of each way
  std::map<std::pair<Node, Node>, Node> carried;
  for (std::uint32_t round = 1; round <= hops.back().round; ++round) {
    stop_if_interrupted();
    carried.clear();
    for (Node a = 0; a < nodes; ++a) {
      if (next[a] == ways[a].size() || ways[a][next[a]].round != round) continue;
      const Hop& hop = ways[a][next[a]++];
      const auto back = carried.find({hop.to, hop.from});
      if (back == carried.end()) {
        carried[{hop.from, hop.to}] = a;
        continue;
      }
      const Node b = back->second;
      const auto rest = [&](Node x) {
        return ways[x].begin() + static_cast<std::ptrdiff_t>(next[x]--);
      };
      const auto rest_of_a = rest(a), rest_of_b = rest(b);
      const std::vector<Hop> tail(rest_of_a, ways[a].end());
      ways[a].erase(rest_of_a - 1, ways[a].end());
      ways[a].insert(ways[a].end(), rest_of_b, ways[b].end());
      ways[b].erase(rest_of_b - 1, ways[b].end());
      ways[b].insert(ways[b].end(), tail.begin(), tail.end());
      carried.erase(back);
    }
  }
  std::vector<Hop> all;
  for (const std::vector<Hop>& way : ways) {
    for (Hop hop : way) {
      hop.message.destination = way.back().to;
      all.push_back(hop);
    }
  }
  sort_by_round(all);
  return all;
}

/// A tree of shortest paths whose branches, the parts behind the neighbours of the root, are about
/// equally large.
struct Tree {
  std::vector<std::uint32_t> distance;
  std::vector<Node> parent;
  std::map<Node, std::vector<Node>> branches;  ///< nodes by distance, the nearest first

  Tree(const Arcs& arcs, Node root, Random& random)
      : distance(distances_from(arcs, root)), parent(arcs.nodes(), root) {
    std::vector<Node> near_first = numbers_below(arcs.nodes()), branch(arcs.nodes(), kNoNode);
    random.shuffle(near_first);
    std::ranges::stable_sort(near_first, {}, [&](Node x) { return distance[x]; });
    for (const Node x : near_first) {
      if (x == root) continue;
      branch[x] = x;
      for (const Node y : arcs.neighbours(x)) {
        if (y == root || distance[y] + 1 != distance[x]) continue;
        const bool first = branch[x] == x;
        if (!first && branches[branch[y]].size() >= branches[branch[x]].size()) continue;
        branch[x] = branch[y];
        parent[x] = y;
      }
      branches[branch[x]].push_back(x);
    }
  }
};

/// Through a single port over half-duplex links, along a tree. A node that has received a message
/// sends it on in the next round and cannot receive then, so the root does not send into one branch
/// twice in a row, except after what ended at the branch's first node. It sends into the branch
/// with most left, the farthest first; then nothing waits on the way.
std::vector<Hop> turn_by_turn(const Arcs& arcs, Node root, Random& random) {
  Tree tree(arcs, root, random);
  std::vector<Hop> hops;
  Node busy = kNoNode;  // the branch whose first node sends on in this round
  std::size_t left = arcs.nodes() - 1;
  for (std::uint32_t round = 1; left > 0; ++round) {
    stop_if_interrupted();
    Node next = kNoNode;
    for (const auto& [branch, nodes] : tree.branches) {
      if (nodes.empty() || branch == busy) continue;
      if (next == kNoNode || nodes.size() > tree.branches[next].size()) next = branch;
    }
    busy = kNoNode;
    if (next == kNoNode) continue;
    const Node end = tree.branches[next].back();
    tree.branches[next].pop_back();
    --left;
    if (end != next) busy = next;
    for (Node x = end; x != root; x = tree.parent[x]) {
      hops.push_back({round + tree.distance[x] - 1, tree.parent[x], x, {root, end}});
    }
  }
  sort_by_round(hops);
  return hops;
}

}  // namespace

std::vector<Hop> scatter_all_ports(const Arcs& arcs, Node root, std::uint32_t bound) {
  auto paths = bounds::scatter_in(arcs, root, bound);
  if (!paths) {
    paths = bounds::scatter_in(arcs, root, bounds::fewest_scatter_rounds(arcs, root, bound + 1));
  }
  std::vector<Hop> hops;
  for (Node x = 0; x < arcs.nodes(); ++x) {
    const auto& [first_round, nodes] = (*paths)[x];
    for (std::uint32_t h = 0; h + 1 < nodes.size(); ++h) {
      hops.push_back({first_round + h, nodes[h], nodes[h + 1], {root, x}});
    }
  }
  sort_by_round(hops);
  return hops;
}

std::vector<Hop> scatter_single_port(const Arcs& arcs, Node root) {
  const auto distance = distances_from(arcs, root);
  std::vector<Node> far_first = numbers_below(arcs.nodes());
  std::ranges::stable_sort(far_first, std::greater{}, [&](Node x) { return distance[x]; });
  far_first.pop_back();  // the root
  const auto parent = [&](Node x) {
    return *std::ranges::find_if(arcs.neighbours(x),
                                 [&](Node y) { return distance[y] + 1 == distance[x]; });
  };
  std::vector<Hop> hops;
  for (std::uint32_t sent = 0; sent < far_first.size(); ++sent) {
    const Node end = far_first[sent];
    for (Node x = end; x != root; x = parent(x)) {
      hops.push_back({sent + distance[x], parent(x), x, {root, end}});
    }
  }
  sort_by_round(hops);
  return hops;
}

std::vector<Hop> scatter_half_duplex(const Arcs& arcs, Node root,
                                     const bounds::Resources& resources, PortModel ports,
                                     std::uint32_t bound, const Effort& effort) {
  if (ports == PortModel::All) {
    return uncrossed(scatter_all_ports(arcs, root, bound), arcs.nodes());
  }
  constexpr unsigned kTrees = 32;
  Random random(effort.seed);
  std::vector<Hop> best = turn_by_turn(arcs, root, random);
  const auto take_shorter = [&](std::vector<Hop> next) {
    if (next.back().round < best.back().round) best = std::move(next);
  };
  best_so_far(effort, [&] {
    for (unsigned i = 1; i < kTrees && best.back().round > bound; ++i) {
      take_shorter(turn_by_turn(arcs, root, random));
    }
    if (best.back().round <= bound) return;
    std::vector<Message> messages;
    for (Node x = 0; x < arcs.nodes(); ++x) {
      if (x != root) messages.push_back({root, x});
    }
    take_shorter(send_along_routes(arcs, resources, messages, bound, effort));
  });
  return best;
}

}  // namespace gossamer::any_graph
