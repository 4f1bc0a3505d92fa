#pragma once

#include <optional>
#include <vector>

#include "algorithms/lee_code/lee_code.hpp"

namespace gossamer::lee_code {

/// Rounds between the families of a code: for each, k dipaths; their opposites are used too.
using GossipRounds = std::vector<std::vector<Dipath>>;

/// The largest distance in hops of a vertex of the code from 0, modulo the code's side: the longest
/// dipaths of the rounds between the families have at least as many hops together.
unsigned least_hops(const Code& code);

/// The search that produced table.cpp; code.gossip is ignored. The longest dipaths of the rounds
/// have `hops` hops altogether.
///
/// The ends of a round's dipaths, with 0, represent the cosets of a subgroup H of the code modulo
/// the side in a larger one; so the ends of all rounds add up to each vertex once. An arc of a
/// dipath, translated by the code, is one of 2k directions times 2k+1 colours of its tail, and a
/// set of arcs is a set of bits: for each pair of opposite cosets all walks of the permitted length
/// are listed, and one is chosen from each list so that no bit is used twice. Walks that use an arc
/// class twice are excluded. Returns the first solution in a fixed order, or nothing if none has
/// this form. With two rounds every subgroup of 2k+1 elements is tried; three rounds are tried only
/// if the side is the modulus m squared: for m times the code, for all multiples of m, and for the
/// code.
std::optional<GossipRounds> find_gossip(const Code& code, unsigned hops);

}  // namespace gossamer::lee_code
