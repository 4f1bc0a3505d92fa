#include <algorithm>
#include <tuple>
#include <utility>

#include "algorithms/pieces/join_ways.hpp"
#include "gossamer_constants.hpp"
#include "support/job.hpp"

// Where sums are worked out, and for whom.
namespace gossamer::joining {

bool joins_at_once(const Topology& topology, const Arcs& arcs, Node root) {
  if (!spare_outputs(topology, root).empty()) return true;
  std::vector<bool> reached(arcs.nodes());
  reached[root] = true;
  for (ArcId a = arcs.first(root); a < arcs.first(root + 1); ++a) {
    if (arcs.reverse(a) == kNoArcId || reached[arcs.head(a)]) return true;
    reached_from(arcs.head(a), reached, [&](Node x, const auto& reach) {
      for (const Node y : arcs.neighbours(x)) reach(y);
    });
  }
  return false;
}

bool has_lane(const Request& request, const Arcs& arcs, Node root) {
  return arcs.degree(root) > 1 || joins_at_once(request.topology, arcs, root);
}

std::uint32_t growth(std::size_t members, std::uint32_t hop) {
  const std::uint32_t apart = hop + kPipelinedStoreRounds;
  std::vector<std::size_t> sent;  // by round: parts that can be in what a node sends then
  const auto added = [&](std::uint32_t last) {
    std::size_t all = 1;
    for (std::uint32_t round = last; round < sent.size(); round -= apart) all += sent[round];
    return all;
  };
  while (added(static_cast<std::uint32_t>(sent.size()) - 1) < members) {
    const auto now = static_cast<std::uint32_t>(sent.size());
    sent.push_back(std::max(now < hop ? 1 : 1 + sent[now - hop], added(now - hop - apart)));
  }
  return 1 + (static_cast<std::uint32_t>(sent.size()) + hop - 2) / hop;
}

std::vector<Worker> covering(const std::vector<Node>& group,
                             const std::vector<Candidate>& candidates, std::uint32_t hops) {
  std::vector<Worker> workers;
  std::vector<Node> waiting = numbers_below(static_cast<Node>(group.size()));
  while (!waiting.empty()) {
    stop_if_interrupted();
    std::pair<std::size_t, const Candidate*> best;
    for (const Candidate& x : candidates) {
      if (x.far + x.hops[waiting[0]] > hops) continue;
      const auto served = static_cast<std::size_t>(
          std::ranges::count_if(waiting, [&](Node y) { return x.far + x.hops[y] <= hops; }));
      if (served > best.first) best = {served, &x};
    }
    if (best.first == 0) return {};
    const Candidate& x = *best.second;
    Worker& worker = workers.emplace_back(Worker{x.node, x.far});
    std::erase_if(waiting, [&](Node y) {
      if (x.far + x.hops[y] > hops) return false;
      worker.near = std::max(worker.near, x.hops[y]);
      worker.served.push_back(group[y]);
      return true;
    });
  }
  return workers;
}

std::vector<std::uint32_t> times(const Arcs& arcs, std::span<const Window> windows,
                                 std::uint32_t hop, std::uint32_t period,
                                 any_graph::Random& random) {
  constexpr std::size_t kMostBusy = 64;
  std::vector<Node> busy = numbers_below(arcs.nodes());
  random.shuffle(busy);
  std::ranges::stable_sort(busy, {}, [&](Node x) { return arcs.degree(x); });
  const std::uint32_t outputs = arcs.degree(busy[0]);
  std::erase_if(busy, [&](Node x) { return arcs.degree(x) > outputs; });
  busy.resize(std::min(busy.size(), kMostBusy));
  std::vector<std::vector<std::uint32_t>> hops, sent;  // by busy node; sent: in a round
  for (const Node x : busy) hops.push_back(distances_from(arcs, x));
  std::uint32_t rounds = period;
  for (const Window& w : windows) rounds = std::max(rounds, w.last + 1);
  sent.resize(busy.size(), std::vector<std::uint32_t>(rounds));
  // Visits how often busy nodes send in the round in which they do it for a sum; others are late.
  const auto visit = [&](Node root, std::uint32_t at, const auto& each) {
    for (std::size_t i = 0; i < busy.size(); ++i) {
      if (busy[i] == root) continue;
      const std::uint32_t before = (hops[i][root] - 1) * hop;
      if (period > 0) {
        each(&sent[i][(at + (before / period + 1) * period - before) % period]);
      } else {
        each(before < at ? &sent[i][at - before] : nullptr);
      }
    }
  };
  std::vector<std::uint32_t> found(windows.size());
  std::vector<std::uint32_t> order = numbers_below(static_cast<std::uint32_t>(windows.size()));
  random.shuffle(order);
  for (const std::uint32_t w : order) {
    const auto [root, first, last] = windows[w];
    const std::uint32_t count = last - first + 1, begin = random.below(count);
    std::uint64_t least = ~std::uint64_t{0};
    for (std::uint32_t i = 0; i < count && least > 0; ++i) {
      const std::uint32_t at = first + (begin + i) % count;
      std::uint64_t cost = 0;
      visit(root, at, [&](const std::uint32_t* n) {
        cost += n == nullptr ? 1000 : *n < outputs ? 0 : *n;
      });
      if (cost < least) std::tie(least, found[w]) = std::pair(cost, at);
    }
    visit(root, found[w], [](std::uint32_t* n) {
      if (n != nullptr) ++*n;
    });
  }
  return found;
}

}  // namespace gossamer::joining
