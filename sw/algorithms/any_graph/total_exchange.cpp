#include "algorithms/any_graph/total_exchange.hpp"

#include <utility>

#include "algorithms/any_graph/list_schedule.hpp"

namespace gossamer::any_graph {

std::vector<Hop> total_exchange(const Arcs& arcs, const bounds::Resources& resources,
                                std::uint32_t bound, const Effort& effort) {
  constexpr std::uint64_t kEnough = 300'000;  // hops planned
  std::vector<Message> messages;
  for (Node x = 0; x < arcs.nodes(); ++x) {
    for (Node y = 0; y < arcs.nodes(); ++y) {
      if (x != y) messages.push_back({x, y});
    }
  }
  std::uint32_t seed = effort.seed;
  std::vector<Packet> packets = balanced_routes(arcs, resources, messages, bound, seed);
  std::vector<Hop> best = list_schedule(arcs, resources, packets, seed);
  best_so_far(effort, [&] {
    for (std::uint64_t work = best.size(); best.back().round > bound; work += best.size()) {
      if (effort.over(work, enough_work(kEnough, best.size()))) break;
      ++seed;
      if (seed % 4 == 0) packets = balanced_routes(arcs, resources, messages, bound, seed);
      std::vector<Hop> next = list_schedule(arcs, resources, packets, seed);
      if (next.back().round < best.back().round) best = std::move(next);
    }
  });
  return best;
}

}  // namespace gossamer::any_graph
