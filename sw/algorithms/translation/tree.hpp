#pragma once

#include <cstdint>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer::translation {

/// In some round the message of every node x arrives at x + offset, sent through `port` by a
/// neighbour that is nearer to x.
struct Arrival {
  Node offset = 0;
  Port port = kNoPort;
};

/// By rounds: every offset but 0 arrives once, every port is used at most once per round, and the
/// neighbour has had the message since an earlier round. Takes `rounds` rounds. Throws InputError
/// if it finds no such tree; this has happened on no topology tried (docs/beyond.md).
std::vector<std::vector<Arrival>> tree_of(const Topology& topology, std::uint32_t rounds);

}  // namespace gossamer::translation
