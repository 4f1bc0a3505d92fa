#pragma once

#include "algorithms/any_graph/effort.hpp"
#include "bounds/resources.hpp"
#include "topology/arcs.hpp"

namespace gossamer::any_graph {

/// Gossip through all ports over full-duplex links, one message on an arc in a round. Returns the
/// shortest schedule found; the search ends at `bound` rounds.
std::vector<Hop> gossip(const Arcs& arcs, std::uint32_t bound, const Effort& effort);

/// Gossip in a model in which nodes or links cannot do everything at once: a single port, or
/// half-duplex links.
std::vector<Hop> gossip_by_claims(const Arcs& arcs, const bounds::Resources& resources,
                                  std::uint32_t bound, const Effort& effort);

}  // namespace gossamer::any_graph
