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
/// `t` rotated to the left by `by` < d positions.
Node rotate_left(Node t, unsigned by, unsigned d);

/// A class R_kn of strings that are rotations of one another.
struct RotationClass {
  Node smallest = 0;  ///< as a number; for R_k1 its k rightmost bits are 1
  unsigned size = 0;  ///< strings: d or a divisor of d
};
/// All of them in the order R_11, R_21, ..., R_2n2, ..., R_k1, ..., R_(d-1)1 of section 2. With
/// 00...0 before and 11...1 after them, every string occurs once.
std::vector<RotationClass> rotation_classes(unsigned d);

/// m(t) of the string with number n(t) = n >= 1. Numbers continue from class to class, and m
/// repeats 1, ..., d.
constexpr unsigned m_of(Node n, unsigned d) { return 1 + (n - 1) % d; }

/// The strings in the order of their numbers n(t), as section 2 chooses it: bit m(t) of t is 1.
std::vector<Node> numbered_strings(unsigned d);

/// The perfectly balanced spanning tree T of section 3. Its root is 00...0, each path from the root
/// is a shortest path, and the sizes of its d subtrees T_1, ..., T_d differ by at most one node.
struct BalancedTree {
  std::vector<Node> parent;       ///< by node; of the root itself
  std::vector<unsigned> subtree;  ///< by node: i of T_i; 0 for the root
};
BalancedTree balanced_tree(unsigned d);

/// The order in which node 00...0 sends its own packets in a total exchange, the d-th table of
/// section 4: element [k-1][s-1] is the destination of the packet that it sends over link k in time
/// unit s.
std::vector<std::vector<Node>> own_packets(unsigned d);

Schedule gossip(const Topology& topology);
Schedule broadcast(const Topology& topology, Node root);
Schedule scatter(const Topology& topology, Node root);
Schedule gather(const Topology& topology, Node root);
Schedule total_exchange(const Topology& topology);

/// A schedule without transfers. Without a root it is kept under all translations: every node does
/// the same, and one node's transfers stand for all.
Schedule empty_schedule(const Topology& topology, Collective collective,
                        std::optional<Node> root = std::nullopt);

}  // namespace bertsekas
}  // namespace gossamer
