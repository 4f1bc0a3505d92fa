#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Perfect Lee codes of radius 1 in k dimensions, the dipaths between their vertices, and the
/// recursion that dilates them.
///
/// The weight of a node x is w(x) = x1 W1 + ... + xk Wk, a vector of one or two numbers. At level l
/// = 0, 1, ... the nodes with w(x) = 0 (mod m^l) are active, m being the code's modulus, and a hop
/// is a dilated hop of (code's side)^l links. The colour of an active node is w(x) / m^l (mod m),
/// one of q = 2k+1; a dilated hop along axis j changes it by Wj, and the numbers Wj, -Wj are all
/// colours except 0. So each active node either has colour 0 or has exactly one neighbour of colour
/// 0: the nodes of colour 0 are a perfect code, and the active nodes of level l+1.
namespace lee_code {

inline constexpr unsigned kMaxDimensions = 4;

/// A dilated hop along axis |hop| (axes count from 1), backwards if negative.
using Hop = std::int8_t;
/// Hops in the order in which they are taken.
using Dipath = std::vector<Hop>;

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
  /// The rounds between the families: k dipaths each, whose opposites (each hop backwards, in the
  /// same order) are used too. Translated by the code, the dipaths of one round share no arc, and
  /// sums of one end (or 0) from each round are the code modulo `side`, each vertex once.
  std::vector<std::vector<Dipath>> gossip;

  unsigned colours() const { return 2 * dimensions + 1; }
};

/// All codes with their dipaths, which a search has found.
std::span<const Code> codes();

/// Weight modulo m of a vector of whole numbers, as one number from 0 to 2k.
unsigned colour(const Code& code, std::span<const int> x);

/// The same hops, each in the opposite direction.
Dipath opposite(Dipath dipath);

/// From first to last.
struct Interval {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
/// Offsets in the coarse torus: an interval for each dimension.
using Box = std::vector<Interval>;
/// How many they are.
std::uint64_t size(const Box& box);
/// As mixed-radix numbers, as nodes are.
std::vector<Node> offsets(const Box& box, std::span<const Node> sides);

/// A transfer of the coarse gossip: each node sends along the dipath what it holds of the nodes at
/// these offsets.
struct CoarseRoute {
  Dipath dipath;
  Box box;
  bool everything = false;  ///< these are all that it holds
};
using CoarseRound = std::vector<CoarseRoute>;

/// Gossip on the torus of these sides (each at least 1) in which every node does the same: ring by
/// ring, both ways around; two even sides share their last round. Takes sum floor(m_j/2) -
/// floor(e/2) rounds for e even sides.
std::vector<CoarseRound> coarse_rounds(std::span<const Node> sides);
/// The number of these rounds.
std::uint64_t coarse_round_count(std::span<const Node> sides);

/// What the active nodes of a level do in a round.
enum class StepKind : std::uint8_t {
  Concentrate,  ///< all nodes off the code send everything to their code vertex
  Coarse,       ///< the active nodes of the last level gossip in their families
  Gossip,       ///< code vertices send everything along 2k dipaths
  Broadcast,    ///< code vertices send everything to their neighbours
};

/// One round.
struct Step {
  StepKind kind = StepKind::Concentrate;
  unsigned level = 0;
  std::uint64_t dilation = 1;   ///< links of a hop
  std::uint64_t messages = 0;   ///< most on one path
  std::vector<Dipath> dipaths;  ///< for all kinds except Coarse
  CoarseRound coarse;           ///< for Coarse
};

/// A code, and how often it divides the torus.
struct Choice {
  const Code* code = nullptr;
  unsigned levels = 0;
  std::vector<Node> coarse;  ///< sides of what is left
};

/// The rounds of a choice, (k+1) a level and those of the coarse torus.
std::vector<Step> steps(const Choice& choice);

/// Rounds, and the sums over rounds of the longest path (hops) and of the most messages on a path.
struct Cost {
  std::uint64_t rounds = 0;
  std::uint64_t delta_sum = 0;
  std::uint64_t tau_sum = 0;
  auto operator<=>(const Cost&) const = default;
};
Cost cost(const std::vector<Step>& steps);

/// The choice of the least cost for a torus, compared by rounds, then hops, then messages; it has
/// no code if none fits.
Choice choose(const Topology& topology);

/// Sides of the rings whose product the torus is; empty for another topology.
std::vector<Node> sides_of(const Topology& topology);
/// The same choice; where no code fits, the torus itself is what is left.
Choice choose_for_broadcast(const Topology& topology);
/// The nodes of a dipath along which a node that knows the message informs another.
using Call = std::vector<Node>;
/// A broadcast's calls, round by round; every node is called once.
std::vector<std::vector<Call>> broadcast_calls(const Topology& topology, const Choice& choice,
                                               Node root);
/// Their rounds: as many as the code's gossip has, and one, for a level; and of each coarse side
/// the logarithm to base 3, rounded up.
std::uint64_t broadcast_round_count(const Choice& choice);

/// The schedule of a choice, of a gossip.
Schedule schedule_of(const Topology& topology, const Choice& choice);

}  // namespace lee_code
}  // namespace gossamer
