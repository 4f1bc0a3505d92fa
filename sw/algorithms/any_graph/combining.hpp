#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/any_graph/effort.hpp"
#include "algorithms/any_graph/hop.hpp"
#include "schedule/model.hpp"
#include "topology/arcs.hpp"

namespace gossamer::any_graph {

/// Several messages cross a link in a round.
struct Batch {
  std::uint32_t round = 0;
  Node from = 0;
  Node to = 0;
  std::vector<Message> messages;
};

/// Gossip with combining: in each round every arc that sends carries all that its head lacks, less
/// what another arc brings it in the same round. Where all arcs can send at once this takes as many
/// rounds as the diameter; else the shortest of some attempts, which end at `bound` rounds.
std::vector<Batch> gossip_combining(const Arcs& arcs, PortModel ports, Duplex duplex,
                                    std::uint32_t bound, const Effort& effort);

/// A total exchange from such a gossip: the message from x to y goes the way on which y learned the
/// message of x, in the same rounds.
std::vector<Batch> exchange_along(const std::vector<Batch>& gossip, Node nodes);

/// A scatter from a broadcast: a node gets its own message and those of all that it informs later,
/// directly or not.
std::vector<Batch> scatter_along(const std::vector<Hop>& broadcast, Node root, Node nodes);

/// A gather from a scatter: time and directions reversed, origins and destinations exchanged.
std::vector<Batch> reversed(std::vector<Batch> batches);

}  // namespace gossamer::any_graph
