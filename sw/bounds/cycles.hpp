#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "bounds/bounds.hpp"

namespace gossamer {

/// The fewest register stages that links have: of all links, or of those at each port (none: 0).
class LeastStages {
 public:
  LeastStages(std::uint64_t of_all = 0) : of_all_(of_all) {}
  LeastStages(std::vector<std::uint32_t> at_ports) : at_ports_(std::move(at_ports)) {}
  std::uint64_t of_any() const;
  /// Of the links of a factor, whose ports are so many, from `first` on.
  std::uint64_t of_factor(Port first, Port ports) const;

 private:
  std::uint64_t of_all_ = 0;
  std::vector<std::uint32_t> at_ports_;
};

/// A lower bound of the cycles from the start pulse to the last flit on its last link, for every
/// schedule that delivers `collective` in messages of `flits` flits, with or without combining,
/// whole or in pieces: a flit takes a cycle on each link that it crosses, and a node receives at
/// most one flit per port and cycle.
Bound lower_bound_cycles(const Topology& topology, Collective collective, const Model& model,
                         Node root, unsigned flits, const LeastStages& stages = {});

}  // namespace gossamer
