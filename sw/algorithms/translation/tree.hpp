#pragma once

#include <cstdint>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer::translation {

/// In some round the message of every node x comes to x + offset, sent through `port` by a
/// neighbour that lies nearer to x.
struct Arrival {
  Node offset = 0;
  Port port = kNoPort;
};

/// By rounds: every offset but 0 arrives once, every port is used at most once in a round, and the
/// neighbour has had the message since an earlier round. Takes `rounds` rounds. Throws
/// InputError if it finds no such tree; on no topology tried it fails (docs/beyond.md).
std::vector<std::vector<Arrival>> tree_of(const Topology& topology, std::uint32_t rounds);

}  // namespace gossamer::translation
