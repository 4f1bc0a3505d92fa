#pragma once

#include <vector>

#include "algorithms/single_port/single_port.hpp"

namespace gossamer {

/// The ring's algorithm along a hamiltonian cycle of any graph (Dimakopoulos 1999, section 3):
/// place i of the ring is node cycle[i].
class CycleGossip : public SinglePortGossip {
 public:
  /// `cycle` is a hamiltonian cycle of `topology`, already checked.
  CycleGossip(const Topology& topology, std::vector<Node> cycle, Duplex duplex);

  std::uint32_t steps() const override;
  std::optional<Send> send(std::uint32_t step, Node x) const override;
  Node origin(Node x, std::uint32_t index) const override;
  Node period() const override { return period_; }

 private:
  Node nodes() const { return static_cast<Node>(cycle_.size()); }

  std::vector<Node> cycle_, place_;
  Duplex duplex_;
  Node period_;
};

}  // namespace gossamer
