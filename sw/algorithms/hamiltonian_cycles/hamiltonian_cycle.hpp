#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// A hamiltonian cycle in the order in which it visits the nodes, or why none can be given.
struct FoundCycle {
  std::vector<Node> cycle;  ///< empty: none
  std::string why_none;
};

/// Two nodes with a link count as a cycle (the link there and back), as in a ring of two nodes. By
/// construction for products of rings, paths, complete graphs, cube-connected cycles, butterflies
/// and de Bruijn graphs (hypercubes by their Gray code); by a bounded search, always with the same
/// result, for any other graph.
FoundCycle hamiltonian_cycle(const Topology& topology);

/// Why no cycle can be given; nothing if one can. Builds no cycle that comes by construction, so a
/// product of a billion nodes takes no time.
std::optional<std::string> why_no_hamiltonian_cycle(const Topology& topology);

/// Why `cycle` is no hamiltonian cycle of the topology; nothing if it is one.
std::optional<std::string> why_no_cycle(const Topology& topology, std::span<const Node> cycle);

/// Hamiltonian cycles no two of which share a link. On products of rings of three nodes and more,
/// and of pairs of links, one for each ring and pair if the search finds so many (Kotzig 1973: two
/// rings have two; the same is known of more); on other graphs the one of hamiltonian_cycle(), or
/// none.
std::vector<std::vector<Node>> disjoint_hamiltonian_cycles(const Topology& topology);

}  // namespace gossamer
