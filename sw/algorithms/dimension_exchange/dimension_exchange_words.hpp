#pragma once

#include <functional>
#include <optional>

#include "algorithms/dimension_exchange/dimension_exchange.hpp"

namespace gossamer::dimension_exchange {

/// The node where the translation that takes node 0 to `x` takes node `y`.
using Translation = Node (*)(const Graph& graph, Node x, Node y);

/// The translations of a Cayley graph: modulo the nodes, or, on cube-connected cycles, butterflies
/// and all graphs of d 2^d nodes that can be moved in the same way, by level and row. Nothing if
/// the graph is not mapped onto itself by either.
std::optional<Translation> translations_of(const Graph& graph);

/// Total exchange on a Cayley graph, all nodes doing the same, in as many rounds as node 0 has
/// distances to all others, which is bound (3).
Exchange words_single_port(const Graph& graph, Translation moved);

}  // namespace gossamer::dimension_exchange
