#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// A topology as rtl/fabric/torus_fabric.sv builds it: dimensions that are rings or paths.
struct TorusShape {
  struct Dimension {
    Node radix = 2;
    bool wrap = true;  ///< a ring; of two nodes there is only one kind
  };
  std::vector<Dimension> dimensions;

  /// "4x3p" is a ring of 4 times a path of 3; dimension 0, whose digit counts fastest, first.
  std::string name() const;
  /// The value of the fabric's parameter RADICES in hex digits, 16 bits a dimension.
  std::string radices_hex() const;
  /// The value of the fabric's parameter WRAP in binary digits.
  std::string wrap_binary() const;
};

/// Throws InputError if the topology is not a product of rings and paths with ports numbered as in
/// the fabric, or if it is too large for it. `instead` ends the line: what takes any topology.
TorusShape torus_shape(const Topology& topology, std::string_view instead = "");

}  // namespace gossamer
