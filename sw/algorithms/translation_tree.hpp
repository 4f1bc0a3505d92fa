#pragma once

#include <cstdint>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer::translation {

/// In some round the message of every node x comes to x + offset, sent by a neighbour through its
/// `port`.
struct Arrival {
  Node offset = 0;
  Port port = kNoPort;
};

/// By rounds: every offset but 0 arrives once, every port is used at most once in a round, and the
/// neighbour has had the message since an earlier round. Takes `rounds` rounds. Throws
/// std::logic_error if it finds no such tree.
std::vector<std::vector<Arrival>> tree_of(const Topology& topology, std::uint32_t rounds);

}  // namespace gossamer::translation
