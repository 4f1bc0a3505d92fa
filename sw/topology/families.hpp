#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

using Edge = std::pair<Node, Node>;

/// Graphs that topologies are built from; their sizes have been checked.

/// `n` >= 2 nodes; port 0 leads to x+1, port 1 to x-1 (mod n). Two nodes share a single link.
Graph ring(Node n);
/// A ring without the link between its ends.
Graph path(Node n);
/// Port k leads to x+k+1 (mod n).
Graph complete(Node n);
/// The most entries that a factor's table of links may have: 1 GB.
inline constexpr std::uint64_t kMaxLinkEnds = std::uint64_t{1} << 27;
/// Throws TooLarge if that table would be larger than this limit or than the free memory.
void require_link_table(const std::string& spec, std::uint64_t nodes, std::uint64_t ports);

/// Any graph from its links; ports are in increasing order of the neighbours. Self loops are
/// dropped, and repeated links unless they are `parallel`. Throws TooLarge.
Graph graph_of_edges(std::string spec, Node nodes, std::vector<Edge> edges, bool parallel = false);
/// Reads {"n":6,"edges":[[0,1],...]}; [0,1,2] are two links, nodes may have names and links
/// register stages and one direction (docs/use/schedule-format.md). Throws InputError unless every
/// node can reach every other.
Graph read_edges(const std::string& file);

/// The factors of what follows "product:", between commas; an edge list's name may have some, too.
std::vector<std::string_view> factors_of_product(std::string_view list);

/// Converts a topology named in a file of `folder` to its name from the working directory: the
/// names of its edge lists (`edges:FILE.json`) are relative to the file that holds them.
std::string edge_lists_from(std::string_view spec, const std::string& folder);

/// The inverse: from the name seen from the working directory to the name in a file of `folder`.
std::string edge_lists_in(std::string_view spec, const std::string& folder);

/// The folder of a file; empty if it is the working directory.
std::string folder_of(const std::string& file);

}  // namespace gossamer
