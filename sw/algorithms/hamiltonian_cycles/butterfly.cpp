#include <vector>

#include "algorithms/hamiltonian_cycles/families.hpp"

namespace gossamer {

/// If every node goes straight to the next level, each row is a cycle of its own. If the two nodes
/// of a level whose rows differ in that level's bit both go across instead, their two cycles become
/// one. Doing so along the edges of a spanning tree of the rows joins all of them: row w is joined
/// to w without its lowest one-bit.
std::vector<Node> butterfly_cycle(Node d) {
  const Node rows = Node{1} << d, nodes = d * rows;
  std::vector<bool> across(nodes, false);
  for (Node row = 1; row < rows; ++row) {
    Node level = 0;
    while ((row >> level & 1) == 0) ++level;
    across[level + d * row] = true;
    across[level + d * (row ^ (Node{1} << level))] = true;
  }

  std::vector<Node> cycle;
  cycle.reserve(nodes);
  Node row = 0, level = 0;
  for (Node i = 0; i < nodes; ++i) {
    const Node x = level + d * row;
    cycle.push_back(x);
    if (across[x]) row ^= Node{1} << level;
    level = (level + 1) % d;
  }
  return cycle;
}

}  // namespace gossamer
