#pragma once

#include <cstdint>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer::dimension_exchange {

/// The graphs whose total exchanges we have a rule for (Dimakopoulos-Dimopoulos 1998, sections 4.1
/// and 5.1). Those of other graphs are planned by any-graph.
enum class Kind { Ring, Path, Complete, Other };

/// A ring of two or three nodes, and a path of two, are complete graphs.
Kind kind_of(const Graph& graph);
/// Can it be moved onto itself by translations that we know? Then there is a rule for a single
/// port.
bool is_cayley(const Graph& graph);

/// One hop of a message in one dimension, in digits: the message of `origin` for `destination`.
struct Hop {
  Node from = 0, to = 0;
  Node origin = 0, destination = 0;
};
using Round = std::vector<Hop>;

/// Rounds in which no message hops twice: what they send is present when the stage begins, so they
/// may be delayed and interleaved with others.
using Stage = std::vector<Round>;

/// A total exchange in one dimension. Translations by `period` digits leave all rounds unchanged,
/// so only the hops from digits 0 .. period-1 are listed.
struct Exchange {
  Node period = 1;
  std::vector<Stage> stages;
};
/// Its rounds one after the other.
std::vector<Round> rounds_of(const Exchange& exchange);

/// The fewest rounds with a single port: rings floor(n^2/4), complete graphs n-1 and other Cayley
/// graphs the sum of the distances of a node, which is bound (3); paths n^2/2 - 1 or (n^2-1)/2,
/// which is what an inner node has to send. Of other graphs what any-graph finds.
Exchange single_port(const Graph& graph);
std::uint64_t single_port_rounds(const Graph& graph);

/// The fewest rounds with all ports, which is bound (4): rings (n^2-1)/8 or ceil(n^2/8), paths
/// floor(n/2) ceil(n/2), complete graphs 1. Of other graphs what any-graph finds.
Exchange all_port(const Graph& graph);
std::uint64_t all_port_rounds(const Graph& graph);

/// Hops of all messages of all nodes (the sum of all distances).
std::uint64_t hops(const Graph& graph);

/// How far the exchange may be translated: Exchange::period without building the exchange.
Node single_port_period(const Graph& graph);
Node all_port_period(const Graph& graph);

}  // namespace gossamer::dimension_exchange
