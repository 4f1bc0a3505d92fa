#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/any_graph/effort.hpp"
#include "bounds/resources.hpp"

namespace gossamer::any_graph {

/// A chunk that `message.origin` holds, and who must hold it in the end.
struct Demand {
  Message message;
  std::vector<Node> receivers;
  std::uint64_t cycles = 1;  ///< of a round in which it is the longest
};

/// Brings every chunk to its receivers, in any model: each down a tree of its own, of shortest
/// paths that avoid busy resources. The shortest of some attempts, which end at `bound` cycles.
std::vector<Hop> send_down_trees(const Arcs& arcs, const bounds::Resources& resources,
                                 const std::vector<Demand>& demands, std::uint64_t bound,
                                 const Effort& effort);

}  // namespace gossamer::any_graph
