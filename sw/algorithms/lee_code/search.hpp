#pragma once

#include <optional>
#include <vector>

#include "algorithms/lee_code/lee_code.hpp"

namespace gossamer::lee_code {

/// Rounds between the families of a code: for each, k dipaths; their opposites are used too.
using GossipRounds = std::vector<std::vector<Dipath>>;

/// The most hops that a vertex of the code is away from 0 modulo the code's side: no rounds between
/// the families have longest dipaths of fewer hops altogether.
unsigned least_hops(const Code& code);

/// The search that lee_code_table.cpp comes from; code.gossip is ignored. The longest dipaths of
/// the rounds have `hops` hops altogether.
///
/// The ends of a round's dipaths, with 0, stand for the cosets of a subgroup H of the code modulo
/// the side in a larger one; so the ends of all rounds add up to each vertex once. An arc of a
/// dipath, translated by the code, is one of 2k directions times 2k+1 colours of its tail, and a
/// set of arcs is a set of bits: for each pair of opposite cosets all walks of the permitted length
/// are listed, and one is chosen from each list so that no bit is taken twice. Walks that take an
/// arc class twice cannot be used. The first solution in a fixed order is returned, nothing if
/// there is none of this form. With two rounds every subgroup of 2k+1 elements is tried; three are
/// looked for only where the side is the modulus m squared: for m times the code, for all multiples
/// of m, and for the code.
std::optional<GossipRounds> find_gossip(const Code& code, unsigned hops);

}  // namespace gossamer::lee_code
