#pragma once

#include "topology/arcs.hpp"
#include "algorithms/any_graph/effort.hpp"
#include "algorithms/any_graph/hop.hpp"

namespace gossamer::any_graph {

/// Gossip through all ports over full-duplex links, one message on an arc in a round. Returns the
/// shortest schedule found; the search ends at `bound` rounds.
std::vector<Hop> gossip(const Arcs& arcs, std::uint32_t bound, const Effort& effort);

}  // namespace gossamer::any_graph
