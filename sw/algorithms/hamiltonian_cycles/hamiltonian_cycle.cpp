#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "algorithms/hamiltonian_cycles/families.hpp"
#include "algorithms/hamiltonian_cycles/search.hpp"
#include "support/interrupt.hpp"
#include "support/memory.hpp"

namespace gossamer {
namespace {

/// The nodes of a graph in an order in which each is linked to the next; `closed` if the last is
/// linked to the first. A line of two nodes is closed by its own link.
struct Line {
  std::vector<Node> nodes;
  bool closed = false;
  Node size() const { return static_cast<Node>(nodes.size()); }
};

/// Products of lines A x B: node a of A and node b of B give node a + b, because their numbers use
/// different digits.
///
/// `inner` divides `outer`, both closed: go round `inner` except for its last link, then one step
/// along `outer`, again and again. Each tour of `inner` starts one place before the previous one,
/// so that after all of `outer` the start is reached. If `inner` always has two nodes this is the
/// reflected Gray code; in general it has the symmetry of `outer`.
Line spiral(const Line& inner, const Line& outer) {
  const Node a = inner.size(), b = outer.size();
  Line line{{}, true};
  line.nodes.reserve(std::size_t{a} * b);
  for (Node j = 0; j < b; ++j) {
    for (Node i = 0; i < a; ++i) {
      stop_if_interrupted();
      line.nodes.push_back(outer.nodes[j] + inner.nodes[(i + a - j % a) % a]);
    }
  }
  return line;
}

/// Back and forth along columns 1, 2, ... of every row, and home along column 0. Closed if the
/// number of rows is even (the last row ends beside column 0) or the columns are closed (it ends at
/// the far side, which is then linked to column 0).
Line comb(const Line& rows, const Line& columns) {
  const Node a = rows.size(), b = columns.size();
  Line line{{}, true};
  line.nodes.reserve(std::size_t{a} * b);
  for (Node i = 0; i < a; ++i) {
    for (Node j = 1; j < b; ++j) {
      stop_if_interrupted();
      line.nodes.push_back(rows.nodes[i] + columns.nodes[i % 2 == 0 ? j : b - j]);
    }
  }
  for (Node i = a; i-- > 0;) line.nodes.push_back(rows.nodes[i] + columns.nodes[0]);
  return line;
}

/// Back and forth along every row: the best that two open lines of odd length allow.
Line snake(const Line& rows, const Line& columns) {
  const Node a = rows.size(), b = columns.size();
  Line line;
  line.nodes.reserve(std::size_t{a} * b);
  for (Node i = 0; i < a; ++i) {
    for (Node j = 0; j < b; ++j) {
      stop_if_interrupted();
      line.nodes.push_back(rows.nodes[i] + columns.nodes[i % 2 == 0 ? j : b - 1 - j]);
    }
  }
  return line;
}

/// How the product of two lines goes.
enum class Way { SpiralOfFirst, SpiralOfSecond, CombOfFirst, CombOfSecond, Snake };

Way way(Node a, bool a_closed, Node b, bool b_closed) {
  if (a_closed && b_closed && b % a == 0) return Way::SpiralOfFirst;
  if (a_closed && b_closed && a % b == 0) return Way::SpiralOfSecond;
  if (a % 2 == 0 || b_closed) return Way::CombOfFirst;
  if (b % 2 == 0 || a_closed) return Way::CombOfSecond;
  return Way::Snake;
}

Line product(const Line& a, const Line& b) {
  switch (way(a.size(), a.closed, b.size(), b.closed)) {
    case Way::SpiralOfFirst: return spiral(a, b);
    case Way::SpiralOfSecond: return spiral(b, a);
    case Way::CombOfFirst: return comb(a, b);
    case Way::CombOfSecond: return comb(b, a);
    case Way::Snake: break;
  }
  return snake(a, b);
}

bool is_kind(const Graph& graph, std::string_view kind) {
  return graph.spec.compare(0, kind.size(), kind) == 0;
}

/// d of a graph of d 2^d nodes.
Node levels(const Graph& graph) {
  Node d = 1;
  while (d << d < graph.nodes) ++d;
  return d;
}

/// Rings, complete graphs and paths: nodes in order of their numbers.
bool in_order(const Graph& graph) { return graph.cyclic || is_kind(graph, "path:"); }

/// A line through all nodes of one factor; empty if none is known.
Line line_of(const Graph& graph) {
  if (in_order(graph)) {
    Line line{std::vector<Node>(graph.nodes), graph.cyclic};
    std::iota(line.nodes.begin(), line.nodes.end(), Node{0});
    return line;
  }
  std::vector<Node> cycle;
  if (is_kind(graph, "debruijn:")) cycle = de_bruijn_cycle(graph.nodes);
  if (is_kind(graph, "butterfly:")) cycle = butterfly_cycle(levels(graph));
  if (is_kind(graph, "ccc:")) cycle = cube_connected_cycles_cycle(levels(graph));
  if (cycle.empty()) cycle = search_cycle(Topology(graph.spec, {graph})).cycle;
  return {std::move(cycle), true};
}

/// The product of the factors' lines, the first factor innermost; empty if a factor has none.
Line line_of(const Topology& topology) {
  Line all;
  for (std::size_t f = topology.factors().size(); f-- > 0;) {
    Line line = line_of(topology.factors()[f]);
    if (line.nodes.empty()) return line;
    for (Node& x : line.nodes) x *= topology.stride(f);
    all = all.nodes.empty() ? std::move(line) : product(line, all);
  }
  return all;
}

/// Is there a line of the product of the factors' lines, and is it closed? Builds no lines of
/// factors that are visited in order.
bool is_closed(const Topology& topology) {
  Node size = 0;
  bool closed = false;
  for (std::size_t f = topology.factors().size(); f-- > 0;) {
    const Graph& graph = topology.factors()[f];
    bool one_closed = graph.cyclic;
    if (!in_order(graph)) {
      require_memory(3.0 * sizeof(Node) * graph.nodes, "a hamiltonian cycle of " + graph.spec);
      const Line line = line_of(graph);
      if (line.nodes.empty()) return false;
      one_closed = line.closed;
    }
    closed = size == 0 ? one_closed : way(graph.nodes, one_closed, size, closed) != Way::Snake;
    size = size == 0 ? graph.nodes : size * graph.nodes;
  }
  return closed;
}

}  // namespace

std::optional<std::string> why_no_hamiltonian_cycle(const Topology& topology) {
  if (is_closed(topology)) return std::nullopt;
  const FoundCycle found = search_cycle(topology);
  if (found.cycle.empty()) return found.why_none;
  return std::nullopt;
}

FoundCycle hamiltonian_cycle(const Topology& topology) {
  // Memory for a product of lines, and the two that it is built from.
  require_memory(3.0 * sizeof(Node) * topology.nodes(),
                 "a hamiltonian cycle of " + topology.spec());
  Line line = line_of(topology);
  if (!line.nodes.empty() && line.closed) return {std::move(line.nodes), {}};
  return search_cycle(topology);
}

std::optional<std::string> why_no_cycle(const Topology& topology, std::span<const Node> cycle) {
  const Node n = topology.nodes();
  if (cycle.size() != n) {
    return fmt::format("the given cycle has {} nodes; {} has {}", cycle.size(), topology.spec(), n);
  }
  std::vector<bool> seen(n, false);
  for (Node i = 0; i < n; ++i) {
    const Node x = cycle[i], next = cycle[(i + 1) % n];
    if (x >= n) return fmt::format("the given cycle names node {}; nodes are 0 to {}", x, n - 1);
    if (seen[x]) return fmt::format("the given cycle visits node {} twice", x);
    if (next < n && topology.port_to(x, next) == kNoPort) {
      return fmt::format("the given cycle goes from {} to {}, which are not linked", x, next);
    }
    seen[x] = true;
  }
  return std::nullopt;
}

}  // namespace gossamer
