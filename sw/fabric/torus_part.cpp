#include "fabric/torus_part.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "support/error.hpp"

namespace gossamer {
namespace {

/// The numbers of a text with `separator` between them; none if it is something else.
std::optional<std::vector<Node>> numbers(const std::string& text, char separator) {
  std::vector<Node> found;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    Node number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return std::nullopt;
    found.push_back(number);
    if (next == end) return found;
    if (*next != separator) return std::nullopt;
    at = next + 1;
  }
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
    throw InputError(
        fmt::format("--part: '{}' is no part of {}; expected its nodes along each of {} dimensions "
                    "and its first node there, such as {}",
                    text, shape.name(), dims,
                    dims == 1   ? "4@4"
                    : dims == 2 ? "4x4@4,0"
                                : "4x4x4@4,0,0"));
  }
  std::size_t nodes = 1;
  bool split = false;
  for (std::size_t d = 0; d < dims; ++d) {
    const Node radix = shape.dimensions[d].radix, size = (*sizes)[d], first = (*corner)[d];
    if (size == 0 || size > radix || first > radix - size) {
      throw InputError(fmt::format(
          "--part: '{}': dimension {} of {} has nodes 0 to {}, {} from {} on are not among them",
          text, d, shape.name(), radix - 1, size, first));
    }
    nodes *= size;
    split = split || size != radix;
  }
  if (!split)
    throw InputError(
        fmt::format("--part: '{}' is all of {}: leave --part out", text, shape.name()));

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
