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

/// A block of a larger torus, as rtl/fabric/torus_part.sv builds it.
struct TorusPart {
  std::vector<Node> sizes;  ///< its nodes along each dimension
  std::vector<Node> nodes;  ///< of the whole torus, in the part's order

  /// The value of the part's parameter SIZES in hex digits, 16 bits a dimension.
  std::string sizes_hex() const;
};

/// The part that a text names: nodes along each dimension, and where its first node is. "4x4@4,0"
/// of torus:8x4 is the half that begins at node 4. Throws InputError if the text is not of this
/// form, or names no part of the torus.
TorusPart torus_part(const TorusShape& shape, const std::string& text);

}  // namespace gossamer
