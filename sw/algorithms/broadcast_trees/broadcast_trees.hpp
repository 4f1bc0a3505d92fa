#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/any_graph/search.hpp"
#include "schedule/model.hpp"
#include "topology/arcs.hpp"

namespace gossamer::broadcast_trees {

/// The arcs of a spanning out-tree, parents first.
using OutTree = std::vector<ArcId>;

/// So many spanning out-trees from `root`, none deeper than `depth`, that share no arc and, with
/// half duplex, no link. A local search: nothing if `steps` steps did not find them.
std::optional<std::vector<OutTree>> disjoint_trees(const Arcs& arcs, Duplex duplex, Node root,
                                                   std::uint32_t trees, std::uint32_t depth,
                                                   any_graph::Random& random, std::uint64_t steps);

/// The most trees that degrees allow: each node but the root takes an arc in from each of them.
std::uint32_t most_trees(const Arcs& arcs, Duplex duplex, Node root);

}  // namespace gossamer::broadcast_trees
