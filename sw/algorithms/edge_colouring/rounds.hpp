#pragma once

#include <optional>
#include <vector>

#include "algorithms/edge_colouring/hops.hpp"

namespace gossamer::edge_colouring {

/// A hop in a round: of every origin's message, or (if a message is split) only for origins whose
/// digit in the split dimension has this parity.
struct Move {
  Hop hop;
  std::optional<unsigned> origin_parity;
};
using Round = std::vector<Move>;

/// All hops in `count` rounds, at least the largest number of hops through one port: each port and
/// each message has at most one hop per round. Throws InputError if it finds no partners for the
/// split message; this has happened on no topology tried (docs/research/beyond.md).
std::vector<Round> rounds_of(const Topology& topology, const Hops& hops, std::uint32_t count);

/// Over half-duplex links, none of which leads through the same port of both ends: every node uses
/// a port, or the port that leads back, but not both in a round.
std::vector<Round> half_duplex_rounds(const Topology& topology, const Hops& hops);

}  // namespace gossamer::edge_colouring
