#pragma once

#include <cstdint>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer::edge_colouring {

/// The message to `offset` needs a hop through `port`, whoever its origin is.
struct Hop {
  Node offset = 0;
  Port port = kNoPort;
};

/// In a dimension whose halfway messages are an odd number, one of them cannot go the same way from
/// every node without loading one direction more than the other: the message to the node straight
/// across. It goes forward from nodes with an even digit and backward from the others.
struct SplitMessage {
  std::size_t dimension = 0;
  Node offset = 0;
  std::uint32_t hops = 0;  ///< 0: there is no such message
  Port forward = kNoPort;
  Port backward = kNoPort;
  bool exists() const { return hops != 0; }
};

/// Is the factor a ring of four nodes or more (so that hops have a sign), port 0 forward? The other
/// factors served are complete graphs (two nodes and three included), one hop a message.
bool is_signed_ring(const Graph& factor);
bool is_complete(const Graph& factor);

/// What all messages of node 0 need, apart from the split one: minimal paths, and of those messages
/// that can go either way round a ring as many forward as backward.
struct Hops {
  std::vector<Hop> list;
  SplitMessage split;
};
Hops hops_of(const Topology& topology);

}  // namespace gossamer::edge_colouring
