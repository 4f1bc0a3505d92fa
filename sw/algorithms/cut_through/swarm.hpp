#pragma once

#include <cstdint>
#include <vector>

#include "schedule/model.hpp"
#include "topology/arcs.hpp"

namespace gossamer::cut_through {

/// A piece of a broadcast goes over an arc.
struct PieceHop {
  std::uint32_t round = 0;
  ArcId arc = 0;
  std::uint32_t piece = 0;
  std::uint32_t before = 0;  ///< the hop that brings the piece to the arc's tail; kNoStep: none
};

/// A broadcast in slots, each piece on a tree of its own, in the order of rounds. A hop is made in
/// the round after the one before, or three rounds after it or later. Through a single port a node
/// receives one piece in a round, passes it on over one link, and sends one from its store. A
/// half-duplex link is idle for a round before it turns, and a single-port node then receives or
/// sends. Stops looking for fewer rounds than `bound`.
std::vector<PieceHop> swarm(const Arcs& arcs, PortModel ports, Duplex duplex, Node root,
                            std::uint32_t pieces, std::uint64_t bound, std::uint32_t seed);

}  // namespace gossamer::cut_through
