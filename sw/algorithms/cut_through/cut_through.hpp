#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.hpp"
#include "topology/topology.hpp"

namespace gossamer::cut_through {

/// A hop of a chunk, later in its list than the one before. `round` is at first that of the
/// schedule for packets.
struct Step : Hop {
  /// What `before` is where a chunk starts.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t arc = 0;         ///< of those that are translations of one another one
  std::uint32_t before = kNone;  ///< the step that brings the chunk to the arc's tail
  bool stored = false;           ///< the head wants it
};

/// Rounds for all steps, and how many rounds later they can all be made again, for the next piece.
struct Reserved {
  std::vector<std::uint32_t> rounds;
  std::uint32_t period = 1;
};

/// A node starts one message in a round, takes in one, and passes on what comes at once: an arc has
/// one step a round. A message goes from one node that stores it to the next without a stop, and on
/// from there in the round after it or from the store, three rounds after it or later. Looks for
/// the fewest rounds for so many pieces. `reverse` as for retimed(): with half duplex a node starts
/// a message in a round or takes one in.
Reserved reserved(const std::vector<Step>& steps, const std::vector<std::uint32_t>& reverse,
                  std::uint32_t pieces, std::uint32_t seed);

/// Rounds for all steps, few of them. An arc has one step a round. A step is made a hop, which is
/// `hop` rounds, after the one before, and the flits pass through the node, or from the store, two
/// rounds later than that or more: in between they are in neither. `reverse` is the other direction
/// of each arc's link if links are half duplex, and empty if not: a link is idle for a hop before
/// it turns.
std::vector<std::uint32_t> retimed(const std::vector<Step>& steps,
                                   const std::vector<std::uint32_t>& reverse, std::uint32_t hop);

/// A broadcast in slots, each piece on a tree of its own, in the order of rounds. A hop is made in
/// the round after the one before, or three rounds after it or later. Through a single port a node
/// receives one piece in a round, passes it on over one link, and sends one from its store. A
/// half-duplex link is idle for a round before it turns, and a single-port node then receives or
/// sends. Stops looking for fewer rounds than `bound`.
std::vector<Step> swarm(const Arcs& arcs, PortModel ports, Duplex duplex, Node root,
                        std::uint32_t pieces, std::uint64_t bound, std::uint32_t seed);

}  // namespace gossamer::cut_through
