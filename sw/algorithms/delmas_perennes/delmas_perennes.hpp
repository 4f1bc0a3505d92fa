#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// The perfect Lee code that both variants use, and the recursion that dilates it.
///
/// The weight of a node x is w(x) = x1 + 2 x2 + 3 x3. At level k = 0, 1, ..., i-1 the nodes of
/// weight 0 (mod 7^k) are active, and a hop is a dilated hop of 7^k links. The active nodes fall
/// into families, dilated sub-tori of 7^(i-k) nodes a side; the colour of an active node is w(x) /
/// 7^k (mod 7), and a dilated hop along axis j changes it by j, so that a node and its six
/// neighbours have all seven colours. The nodes of colour 0 are the level's code, and the active
/// nodes of level k+1.
namespace delmas_perennes {

/// `steps` dilated hops along one axis (0, 1, 2), backwards if negative.
struct Leg {
  std::uint8_t axis = 0;
  std::int8_t steps = 0;
};
/// Legs in the order in which they are taken, padded with legs of 0 steps.
using Dipath = std::array<Leg, 4>;

/// The six direct neighbours (B_1 of definition 5.2, without 0).
std::span<const Dipath> unit_dipaths();
/// Dipaths to x + M0 B1 and to x + M0^2 B1: rounds 2-a and 2-b (section 5.1.3). Translated by the
/// code, the dipaths of one round share no arc.
std::span<const Dipath> gossip_dipaths_a();
std::span<const Dipath> gossip_dipaths_b();

/// Dilated hops of a dipath.
unsigned length(const Dipath& dipath);

/// Which active nodes of the level send to which, and what.
enum class StepKind : std::uint8_t {
  Concentrate,     ///< all nodes off the code send everything to their code vertex
  Gossip,          ///< code vertices send everything along six dipaths
  Broadcast,       ///< code vertices send everything to their neighbours
  HandOutPieces,   ///< round 3-a: each neighbour receives the piece of its colour
  ExchangePieces,  ///< round 3-b: every node sends its piece to the neighbours off the code
};

/// One round: a level, the dipaths used (dilated by 7^level), and the most messages on one of them.
struct Step {
  StepKind kind = StepKind::Concentrate;
  unsigned level = 0;
  std::uint64_t dilation = 1;
  std::uint64_t messages = 0;
  std::span<const Dipath> dipaths;
};

/// The rounds on TM(7^i)^3: nothing here grows with the number of nodes.
std::vector<Step> steps(unsigned i, bool split);

/// g_alpha, g_delta and g_tau of notation 3.10: rounds, and the sums over rounds of the longest
/// dipath (hops) and of the most messages on a dipath.
struct Cost {
  std::uint64_t rounds = 0;
  std::uint64_t delta_sum = 0;
  std::uint64_t tau_sum = 0;
  bool operator==(const Cost&) const = default;
};

/// Adds up steps(); exact for i up to 7.
Cost cost(unsigned i, bool split);

/// A transfer of a step, as a representative of its orbit.
struct Route {
  unsigned from_colour = 0;  ///< colour of source and destination at the step's level
  unsigned to_colour = 0;
  std::vector<Node> path;
};

/// One transfer of each orbit of a step on TM(7^i)^3.
std::vector<Route> routes(const Step& step, unsigned i);

/// i of a torus 7^i x 7^i x 7^i; 0 for any other topology.
unsigned exponent(const Topology& topology);
/// Why neither variant serves a request; nothing if both can.
std::optional<std::string> refuses(const Request& request);
/// A schedule without transfers, held under the largest group that leaves all rounds unchanged:
/// the 7^(2i) nodes of weight 0 (mod 7^i), so that there are 7^i classes of nodes.
Schedule empty_schedule(const Topology& topology);

}  // namespace delmas_perennes
}  // namespace gossamer
