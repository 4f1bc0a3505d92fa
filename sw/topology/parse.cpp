#include <fmt/format.h>

#include <array>
#include <charconv>

#include "support/error.hpp"
#include "support/nearest_name.hpp"
#include "topology/families.hpp"

namespace gossamer {
namespace {

constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 31;
/// A factor's links are held in a table: at 8 bytes an entry this is 1 GB.
constexpr std::uint64_t kMaxLinkEnds = std::uint64_t{1} << 27;

constexpr std::array<std::string_view, 12> kKinds = {"ring",      "path",      "complete", "torus",
                                                     "mesh",      "hypercube", "ghc",      "ccc",
                                                     "butterfly", "debruijn",  "product",  "edges"};

/// The text being read, for messages, and the part of it at hand.
struct Source {
  std::string_view whole;
  std::string_view part;

  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(fmt::format("topology '{}': {}", whole, why));
  }
  Source at(std::string_view other) const { return {whole, other}; }
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// A whole number from `least` to `most`, and nothing after it.
Node number(const Source& in, std::uint64_t least, std::uint64_t most, std::string_view what) {
  if (in.part.empty()) in.fail(fmt::format("a {} is missing", what));
  std::uint64_t value = 0;
  const char* const end = in.part.data() + in.part.size();
  const auto [stop, error] = std::from_chars(in.part.data(), end, value);
  if (error != std::errc{} || stop != end || value < least || value > most) {
    in.fail(fmt::format("'{}' is no {}; expected a whole number from {} to {}", in.part, what,
                        least, most));
  }
  return static_cast<Node>(value);
}

/// One size, checked against what the table of links can hold.
Node size(const Source& in, std::uint64_t ports) {
  return number(in, 2, kMaxLinkEnds / ports, "number of nodes");
}

Node complete_size(const Source& in) { return number(in, 2, 11585, "number of nodes"); }

/// Sizes between 'x's, a graph of each.
template <typename MakeGraph>
std::vector<Graph> graphs(const Source& in, MakeGraph make) {
  std::vector<Graph> factors;
  for (const std::string_view part : split(in.part, 'x')) factors.push_back(make(in.at(part)));
  return factors;
}

Graph make_ring(const Source& in) { return ring(size(in, 2)); }
Graph make_path(const Source& in) { return path(size(in, 2)); }
Graph make_complete(const Source& in) { return complete(complete_size(in)); }

std::vector<Graph> hypercube(const Source& in) {
  return std::vector<Graph>(number(in, 1, 31, "dimension of a hypercube"), path(2));
}

std::vector<Graph> factors_of(const Source& in);

/// Specs between commas; one that is a product itself (a torus) adds all its factors.
std::vector<Graph> product(const Source& in) {
  std::vector<Graph> factors;
  for (const std::string_view part : split(in.part, ',')) {
    if (part.substr(0, 8) == "product:") in.fail("a product cannot stand in a product");
    for (Graph& graph : factors_of(in.at(part))) factors.push_back(std::move(graph));
  }
  return factors;
}

std::vector<Graph> factors_of(const Source& in) {
  const std::size_t colon = in.part.find(':');
  if (colon == std::string_view::npos) {
    in.fail(fmt::format("expected KIND:SIZE such as ring:8 or torus:7x7x7, not '{}'", in.part));
  }
  const std::string_view kind = in.part.substr(0, colon);
  const Source rest = in.at(in.part.substr(colon + 1));
  if (rest.part.empty()) in.fail(fmt::format("nothing stands after '{}:'", kind));
  if (kind == "ring") return {make_ring(rest)};
  if (kind == "path") return {make_path(rest)};
  if (kind == "complete") return {make_complete(rest)};
  if (kind == "torus") return graphs(rest, make_ring);
  if (kind == "mesh") return graphs(rest, make_path);
  if (kind == "ghc") return graphs(rest, make_complete);
  if (kind == "hypercube") return hypercube(rest);
  if (kind == "ccc") return {cube_connected_cycles(number(rest, 2, 20, "dimension of ccc"))};
  if (kind == "butterfly") return {butterfly(number(rest, 2, 20, "dimension of butterfly"))};
  if (kind == "debruijn") return {de_bruijn(number(rest, 1, 25, "dimension of debruijn"))};
  if (kind == "product") return product(rest);
  if (kind == "edges") return {read_edges(std::string(rest.part))};
  in.fail(fmt::format("unknown kind '{}': {}", kind, suggestion(kind, kKinds)));
}

}  // namespace

Topology Topology::parse(std::string_view spec) {
  const Source in{spec, spec};
  std::vector<Graph> factors = factors_of(in);
  std::uint64_t nodes = 1;
  for (const Graph& graph : factors) {
    nodes *= graph.nodes;
    if (nodes > kMaxNodes) in.fail("more than 2^31 nodes");
  }
  return Topology(std::string(spec), std::move(factors));
}

}  // namespace gossamer
