#include "algorithms/any_graph/total_exchange.hpp"

#include <utility>

#include "algorithms/any_graph/list_schedule.hpp"

namespace gossamer::any_graph {

std::vector<Packet> routes_to_all(const Arcs& arcs, const bounds::Resources& resources,
                                  std::uint64_t goal, std::uint32_t seed) {
  std::vector<Message> messages;
  for (Node x = 0; x < arcs.nodes(); ++x) {
    for (Node y = 0; y < arcs.nodes(); ++y) {
      if (x != y) messages.push_back({x, y});
    }
  }
  return balanced_routes(arcs, resources, std::move(messages), goal, seed);
}

std::vector<Hop> total_exchange(const Arcs& arcs, const bounds::Resources& resources,
                                std::uint32_t bound, const Effort& effort) {
  constexpr std::uint64_t kEnough = 300'000;  // hops planned
  constexpr unsigned kMostRoutes = 4;
  std::uint32_t seed = effort.seed;
  std::vector<Packet> packets = routes_to_all(arcs, resources, bound, seed);
  std::vector<Hop> best = list_schedule(arcs, resources, packets, seed);
  const std::uint64_t of_one = work_of(best.size(), best.back().round, arcs.count());
  best_so_far(effort, [&] {
    unsigned routes = 1;
    for (std::uint64_t work = of_one; best.back().round > bound; work += of_one) {
      const bool enough = work >= enough_work(kEnough, of_one);
      if (effort.over(work, enough_work(kEnough, of_one))) break;
      ++seed;
      const bool anew = seed % 4 == 0 && (enough || ++routes <= kMostRoutes);
      if (anew) packets = routes_to_all(arcs, resources, bound, seed);
      std::vector<Hop> next = list_schedule(arcs, resources, packets, seed, best.back().round);
      if (!next.empty()) best = std::move(next);
    }
  });
  return best;
}

}  // namespace gossamer::any_graph
