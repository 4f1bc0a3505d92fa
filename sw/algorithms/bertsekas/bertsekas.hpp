#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// The algorithms one by one. As in the paper a node of the d-cube is a string of d bits numbered
/// from 1 at the right, bit k belongs to link k (port k-1), and everything is described for node
/// 00...0: what holds for node x and origin 00...0 holds for node t (+) x and origin t, where (+)
/// is the exclusive or.
namespace bertsekas {

/// d if the topology is a product of d graphs of two nodes, which is a d-cube; else 0.
unsigned dimension(const Topology& topology);

/// e_k, the string with a 1 in position k only.
constexpr Node unit(unsigned k) { return Node{1} << (k - 1); }
/// 11...1.
constexpr Node all_ones(unsigned d) { return (Node{1} << d) - 1; }
/// ceil((2^d - 1) / d): a node must receive (or send) 2^d - 1 packets over d links.
constexpr std::uint64_t packets_over_links(unsigned d) { return (all_ones(d) + d - 1) / d; }
/// m(t) of the string with number n(t) = n >= 1. Numbers continue from class to class, and m
/// repeats 1, ..., d.
constexpr unsigned m_of(Node n, unsigned d) { return 1 + (n - 1) % d; }

/// The strings in the order of their numbers n(t), as section 2 chooses it: bit m(t) of t is 1.
std::vector<Node> numbered_strings(unsigned d);

/// The order in which node 00...0 sends its own packets in a total exchange, the d-th table of
/// section 4: element [k-1][s-1] is the destination of the packet that it sends over link k in time
/// unit s.
std::vector<std::vector<Node>> own_packets(unsigned d);

}  // namespace bertsekas
}  // namespace gossamer
