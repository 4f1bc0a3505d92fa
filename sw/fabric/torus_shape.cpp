#include "fabric/torus_shape.hpp"

#include <fmt/format.h>

#include "support/error.hpp"
#include "topology/families.hpp"

namespace gossamer {
namespace {

// The limits of rtl/fabric/torus_fabric.sv.
constexpr std::size_t kMaxDimensions = 16;
constexpr Node kMaxNodes = 65536;
constexpr Port kMaxPorts = 62;

}  // namespace

std::string TorusShape::name() const {
  std::string text;
  for (const Dimension& d : dimensions) {
    text += fmt::format("{}{}{}", text.empty() ? "" : "x", d.radix, d.wrap ? "" : "p");
  }
  return text;
}

std::string TorusShape::radices_hex() const {
  std::string text;
  for (const Dimension& d : dimensions) text = fmt::format("{:04x}", d.radix) + text;
  return text;
}

std::string TorusShape::wrap_binary() const {
  std::string text;
  for (const Dimension& d : dimensions) text = (d.wrap ? "1" : "0") + text;
  return text;
}

TorusShape torus_shape(const Topology& topology, std::string_view instead) {
  if (topology.nodes() > kMaxNodes || topology.factors().size() > kMaxDimensions ||
      topology.ports() > kMaxPorts) {
    throw InputError(fmt::format(
        "topology '{}' is too large for torus_fabric: at most {} nodes, {} dimensions, {} ports",
        topology.spec(), kMaxNodes, kMaxDimensions, kMaxPorts));
  }
  TorusShape shape;
  for (const Graph& graph : topology.factors()) {
    const bool is_ring = graph.peers == ring(graph.nodes).peers;
    if (!is_ring && graph.peers != path(graph.nodes).peers) {
      throw InputError(fmt::format(
          "topology '{}': torus_fabric is a product of rings and paths, and {} is neither{}",
          topology.spec(), graph.spec, instead));
    }
    shape.dimensions.push_back({graph.nodes, is_ring});
  }
  return shape;
}

}  // namespace gossamer
