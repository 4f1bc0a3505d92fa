#include "fabric/torus_shape.hpp"

#include <fmt/format.h>

#include <optional>

#include "support/refuse.hpp"
#include "support/words.hpp"
#include "topology/families.hpp"

namespace gossamer {
namespace {

// The limits of rtl/fabric/torus_fabric.sv.
constexpr std::size_t kMaxDimensions = 16;
constexpr Node kMaxTorusNodes = 65536;
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
  if (topology.nodes() > kMaxTorusNodes || topology.factors().size() > kMaxDimensions ||
      topology.ports() > kMaxPorts) {
    refuse("topology '{}' is too large for torus_fabric: at most {} nodes, {} dimensions, {} ports",
           topology.spec(), kMaxTorusNodes, kMaxDimensions, kMaxPorts);
  }
  TorusShape shape;
  for (const Graph& graph : topology.factors()) {
    const bool is_ring = graph.peers == ring(graph.nodes).peers;
    if (!is_ring && graph.peers != path(graph.nodes).peers) {
      refuse("topology '{}': torus_fabric is a product of rings and paths, and {} is neither{}",
             topology.spec(), graph.spec, instead);
    }
    shape.dimensions.push_back({graph.nodes, is_ring});
  }
  return shape;
}

namespace {

/// The numbers of a text with `separator` between them; none if it is something else.
std::optional<std::vector<Node>> numbers(const std::string& text, char separator) {
  std::vector<Node> found;
  for (const std::string_view part : split(text, separator)) {
    const auto number = number_of<Node>(part);
    if (!number) return std::nullopt;
    found.push_back(*number);
  }
  return found;
}

}  // namespace

std::string TorusPart::sizes_hex() const {
  std::string text;
  for (const Node size : sizes) text = fmt::format("{:04x}", size) + text;
  return text;
}

TorusPart torus_part(const TorusShape& shape, const std::string& text) {
  const std::size_t dims = shape.dimensions.size(), at = text.find('@');
  const auto sizes = numbers(text.substr(0, at), 'x');
  const auto corner = at == std::string::npos ? std::nullopt : numbers(text.substr(at + 1), ',');
  if (!sizes || !corner || sizes->size() != dims || corner->size() != dims) {
    refuse(
        "--part: '{}' is no part of {}; expected its nodes along each of {} dimensions and its "
        "first node there, such as {}",
        text, shape.name(), dims,
        dims == 1   ? "4@4"
        : dims == 2 ? "4x4@4,0"
                    : "4x4x4@4,0,0");
  }
  std::size_t nodes = 1;
  bool split = false;
  for (std::size_t d = 0; d < dims; ++d) {
    const Node radix = shape.dimensions[d].radix, size = (*sizes)[d], first = (*corner)[d];
    if (size == 0 || size > radix || first > radix - size) {
      refuse("--part: '{}': dimension {} of {} has nodes 0 to {}, {} from {} on are not among them",
             text, d, shape.name(), radix - 1, size, first);
    }
    nodes *= size;
    split = split || size != radix;
  }
  if (!split) refuse("--part: '{}' is all of {}: leave --part out", text, shape.name());

  TorusPart part{*sizes, {}};
  for (std::size_t n = 0; n < nodes; ++n) {
    std::size_t rest = n, node = 0, stride = 1;
    for (std::size_t d = 0; d < dims; ++d) {
      node += ((*corner)[d] + rest % (*sizes)[d]) * stride;
      rest /= (*sizes)[d];
      stride *= shape.dimensions[d].radix;
    }
    part.nodes.push_back(static_cast<Node>(node));
  }
  return part;
}

}  // namespace gossamer
