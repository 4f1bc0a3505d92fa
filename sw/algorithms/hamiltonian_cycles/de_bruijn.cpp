#include "algorithms/hamiltonian_cycles/families.hpp"

namespace gossamer {

/// The greedy sequence "prefer one": shift a 1 in unless that word was met before. It is known to
/// meet every word, the first one included, before it gets stuck.
std::vector<Node> de_bruijn_cycle(Node nodes) {
  std::vector<bool> seen(nodes, false);
  std::vector<Node> cycle = {0};
  seen[0] = true;
  while (cycle.size() < nodes) {
    const Node shifted = cycle.back() * 2 % nodes;
    const Node next = seen[shifted + 1] ? shifted : shifted + 1;
    seen[next] = true;
    cycle.push_back(next);
  }
  return cycle;
}

}  // namespace gossamer
