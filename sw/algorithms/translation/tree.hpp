#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/translation/plan.hpp"
#include "topology/topology.hpp"

namespace gossamer::translation {

/// In some round the message of every origin x of a class arrives at x + offset, sent through
/// `port` by a neighbour that is nearer to x.
struct Arrival {
  Node origin_class = 0;
  Node offset = 0;
  Port port = kNoPort;
};

/// By rounds: every item arrives once, every lane is used at most once per round, and the neighbour
/// has had the message since an earlier round. Takes `rounds` rounds. Throws InputError if it finds
/// no such tree; this has happened on no topology tried (docs/research/beyond.md).
std::vector<std::vector<Arrival>> tree_of(const Topology& topology, const Metric& metric,
                                          std::uint32_t rounds);

}  // namespace gossamer::translation
