#pragma once

#include <string>
#include <vector>

#include "fabric/torus_shape.hpp"

namespace gossamer {

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
