#pragma once

#include <cstdint>
#include <vector>

#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer::edge_colouring {

/// The message to `offset` needs a hop through `port`, for every origin.
struct Hop {
  Node offset = 0;
  Port port = kNoPort;
};

/// In a dimension with an odd number of halfway messages, one of them cannot go the same way from
/// every node without loading one direction more than the other: the message to the node straight
/// across. It goes forward from nodes with an even digit and backward from the others.
struct SplitMessage {
  std::size_t dimension = 0;
  Node offset = 0;
  std::uint32_t hops = 0;  ///< 0: no message is split
  Port forward = kNoPort;
  Port backward = kNoPort;
  bool exists() const { return hops != 0; }
};

/// Is the factor a ring of at least four nodes (so that hops have a sign), port 0 forward? All
/// other supported factors are complete graphs (including two and three nodes), one hop per
/// message.
bool is_signed_ring(const Graph& factor);
bool is_complete(const Graph& factor);

/// What all messages of node 0 need, apart from the split one: minimal paths; of the messages that
/// can go either way round a ring, as many go forward as backward. Over half-duplex links, which
/// carry both ways in turn, no message is split.
struct Hops {
  std::vector<Hop> list;
  SplitMessage split;
};
Hops hops_of(const Topology& topology, Duplex duplex);

}  // namespace gossamer::edge_colouring
