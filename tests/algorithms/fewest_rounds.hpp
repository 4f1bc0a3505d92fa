#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer::test {

/// The fewest rounds of a single-port packet gossip, by trying everything: for up to 5 nodes.
class FewestRounds {
 public:
  FewestRounds(const Topology& topology, Duplex duplex)
      : topology_(topology), half_(duplex == Duplex::Half), n_(topology.nodes()) {}

  unsigned search() {
    State start = 0, goal = 0;
    for (Node x = 0; x < n_; ++x) start |= bit(x, x);
    for (Node x = 0; x < n_; ++x) {
      for (Node m = 0; m < n_; ++m) goal |= bit(x, m);
    }
    std::unordered_set<State> layer = {start};
    for (unsigned round = 0;; ++round) {
      if (layer.count(goal) != 0) return round;
      reached_.clear();
      for (const State state : layer) receive(state, state, 0, 0, 0);
      layer.swap(reached_);
    }
  }

 private:
  using State = std::uint32_t;  // bit n x + m: node x holds message m

  State bit(Node x, Node m) const { return State{1} << (n_ * x + m); }

  /// Lets node x and those after it receive something or nothing. Receiving nothing may leave more
  /// to the other nodes, so both are tried.
  void receive(State before, State after, Node x, std::uint32_t sending, std::uint32_t receiving) {
    if (x == n_) {
      if (after != before) reached_.insert(after);
      return;
    }
    receive(before, after, x + 1, sending, receiving);
    if (half_ && (sending >> x & 1) != 0) return;
    for (Port p = 0; p < topology_.ports(); ++p) {
      const Node y = topology_.peer(x, p).node;
      if (y == kNoNode || (sending >> y & 1) != 0) continue;
      if (half_ && (receiving >> y & 1) != 0) continue;
      for (Node m = 0; m < n_; ++m) {
        if ((before & bit(y, m)) == 0 || (before & bit(x, m)) != 0) continue;
        receive(before, after | bit(x, m), x + 1, sending | 1u << y, receiving | 1u << x);
      }
    }
  }

  const Topology& topology_;
  bool half_;
  Node n_;
  std::unordered_set<State> reached_;
};

inline unsigned fewest_rounds(const Topology& topology, Duplex duplex) {
  return FewestRounds(topology, duplex).search();
}

}  // namespace gossamer::test
