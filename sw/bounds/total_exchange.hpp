#pragma once

#include <cstdint>

#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer::bounds {

/// The sum of the distances from a node to all others (Dimakopoulos-Dimopoulos 1998, equation (2)),
/// by breadth-first search.
std::uint64_t status(const Graph& graph, Node x);
/// From the status of the digits: n sum of s_i(x_i)/|V_i| (Dimakopoulos-Dimopoulos 1998, theorem
/// 1).
std::uint64_t status(const Topology& topology, Node x);

/// The average status of all nodes, which is bound (3) before rounding up.
double average_status(const Graph& graph);
/// From the averages of the dimensions (Dimakopoulos-Dimopoulos 1998, corollary 2).
double average_status(const Topology& topology);

/// Total exchange without combining, any ports and switching: n1 n2 messages must leave n1 nodes
/// over the links that lead to the n2 others, one on a link in a round (Dimakopoulos-Dimopoulos
/// 1998, equation (4)). The best of the cuts that divide one dimension into digits 0 .. i and the
/// others. With half duplex the links serve both directions. With messages of `flits` flits, the
/// same in cycles.
std::uint64_t cut_rounds(const Topology& topology, Duplex duplex, std::uint64_t flits = 1);

/// Total exchange of single-port packets without combining on a product with a path (ours). The
/// nodes in the middle of the path separate the others: one of them sends each message that goes
/// from one side to the other or starts in the middle, and each sends one message per round. For
/// one path this is what a node in the middle has to send. 0 without a path of at least three
/// nodes.
std::uint64_t middle_of_path_rounds(const Topology& topology);

}  // namespace gossamer::bounds
