#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Perfect Lee codes of radius 1 in k dimensions, and the recursion of paper 2 that dilates them.
///
/// The weight of a node x is w(x) = x1 W1 + ... + xk Wk, a vector of one or two numbers; the
/// paper's is x1 + 2 x2 + 3 x3. At level l = 0, 1, ... the nodes with w(x) = 0 (mod m^l) are
/// active, m being the code's modulus, and a hop is a dilated hop of (code's side)^l links. The
/// active nodes fall into families, dilated sub-tori; the colour of an active node is w(x) / m^l
/// (mod m), one of 2k+1. A dilated hop along axis j changes it by Wj, and the numbers Wj, -Wj are
/// all colours except 0, so that a node and its neighbours have all colours. The nodes of colour 0
/// are the level's code, and the active nodes of level l+1.
namespace delmas_perennes {

/// A dilated hop along an axis (axes count from 1), backwards if negative.
using Direction = std::int8_t;
/// Dilated hops in the order in which they are taken.
using Dipath = std::vector<Direction>;

inline constexpr unsigned kMaxDimensions = 4;

struct Code {
  unsigned dimensions = 0;  ///< k
  unsigned side = 0;        ///< sides of the torus are multiples of it; a level divides by it
  unsigned modulus = 0;     ///< of the weights
  /// Wj for each axis. The first `components` axes have the unit vectors.
  std::array<std::array<int, 2>, kMaxDimensions> weights{};
  unsigned components = 1;
  /// No two families' lines share an arc, so that the rest of the torus after a level can again be
  /// a torus. Otherwise the torus must have exactly `side` nodes in each dimension.
  bool nests = true;
  /// The rounds between the families: k dipaths each, whose opposites are used too. Translated by
  /// the code, the dipaths of one round share no arc, and sums of one end (or 0) from each round
  /// are the code modulo `side`, each vertex once.
  std::vector<std::vector<Dipath>> gossip;
};

/// That of the paper, with the dipaths of rounds 2-a and 2-b (section 5.1.3).
extern const Code kPaperCode;

/// The direct neighbours (B_1 of definition 5.2, without 0).
std::vector<Dipath> unit_dipaths(unsigned dimensions);
/// Each dipath, followed by the same hops in the same order, each in the opposite direction.
/// (Walking a dipath from its end would need the same arcs as other translations: see
/// docs/research/errata.md.)
std::vector<Dipath> with_opposites(const std::vector<Dipath>& dipaths);

/// Which active nodes of the level send to which, and what.
enum class StepKind : std::uint8_t {
  Concentrate,     ///< all nodes off the code send everything to their code vertex
  Coarse,          ///< the active nodes of the last level gossip in their families
  Gossip,          ///< code vertices send everything along 2k dipaths
  Broadcast,       ///< code vertices send everything to their neighbours
  HandOutPieces,   ///< round 3-a: each neighbour receives the piece of its colour
  ExchangePieces,  ///< round 3-b: every node sends its piece to the neighbours off the code
};

/// One round: a level, the dipaths used (dilated), and the most messages on one of them.
struct Step {
  StepKind kind = StepKind::Concentrate;
  unsigned level = 0;
  std::uint64_t dilation = 1;  ///< links of a hop
  std::uint64_t messages = 0;
  std::vector<Dipath> dipaths;
};

/// The rounds of so many levels: nothing here grows with the number of nodes. With `split` the last
/// round of each is two, of pieces (section 6). In the middle the families of `families` nodes
/// gossip in `coarse` rounds, whose messages are blocks of what an active node holds.
std::vector<Step> steps(const Code& code, unsigned levels, bool split,
                        std::span<const Step> coarse = {}, std::uint64_t families = 1);

/// g_alpha, g_delta and g_tau of notation 3.10: rounds, and the sums over rounds of the longest
/// dipath (hops) and of the most messages on a dipath. Exact for 7^i up to i = 7.
struct Cost {
  std::uint64_t rounds = 0;
  std::uint64_t delta_sum = 0;
  std::uint64_t tau_sum = 0;
  auto operator<=>(const Cost&) const = default;
};
Cost cost(std::span<const Step> steps);

/// The nodes of a dipath, every hop of it so many times, backwards if negative.
std::vector<Node> walk(const Topology& topology, Node from, const Dipath& dipath,
                       std::int64_t dilation);

/// A transfer of a step, as a representative of its orbit.
struct Route {
  unsigned from_colour = 0;  ///< colour of source and destination at the step's level
  unsigned to_colour = 0;
  std::vector<Node> path;
};

/// One transfer of each orbit of a step that is not coarse.
std::vector<Route> routes(const Topology& topology, const Code& code, unsigned levels,
                          const Step& step);

/// i of a torus 7^i x 7^i x 7^i; 0 for any other topology.
unsigned exponent(const Topology& topology);
/// A schedule without transfers, held under the largest group that leaves all rounds unchanged: the
/// nodes of weight 0 (mod m^levels). The nodes that are 0 in all but the first axes, with
/// coordinates below that, are one of each class.
Schedule empty_schedule(const Topology& topology, const Code& code, unsigned levels);

}  // namespace delmas_perennes
}  // namespace gossamer
