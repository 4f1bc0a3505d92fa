#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "support/job.hpp"
#include "support/memory.hpp"
#include "topology/topology.hpp"

namespace gossamer {
namespace {

constexpr std::uint64_t kBacktrackingSteps = 2'000'000;
/// Nodes moved by rotations in total.
std::uint64_t rotation_work(std::uint64_t nodes) {
  return std::clamp<std::uint64_t>(64 * nodes * nodes, 1'000'000, 600'000'000);
}

using Adjacency = std::vector<std::vector<Node>>;

Adjacency adjacency_of(const Topology& topology) {
  constexpr double kBytesOfList = sizeof(std::vector<Node>) + 32;  // with what malloc adds
  require_memory((kBytesOfList + sizeof(Node) * topology.ports()) * topology.nodes(),
                 "the search for a hamiltonian cycle of " + topology.spec());
  Adjacency adjacency(topology.nodes());
  for (Node x = 0; x < topology.nodes(); ++x) {
    stop_if_interrupted();
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (e.connected()) adjacency[x].push_back(e.node);
    }
  }
  return adjacency;
}

/// Sizes of the two sides if the graph is bipartite, that is if no link joins nodes at the same
/// parity of distance from node 0.
std::optional<std::array<Node, 2>> sides(const Adjacency& adjacency) {
  std::vector<int> side(adjacency.size(), -1);
  std::array<Node, 2> count = {0, 0};
  std::vector<Node> stack = {0};
  side[0] = 0;
  while (!stack.empty()) {
    stop_if_interrupted();
    const Node x = stack.back();
    stack.pop_back();
    ++count[side[x]];
    for (const Node y : adjacency[x]) {
      if (side[y] == side[x]) return std::nullopt;
      if (side[y] != -1) continue;
      side[y] = 1 - side[x];
      stack.push_back(y);
    }
  }
  return count;
}

/// Simple reasons why no hamiltonian cycle can exist; empty if none applies.
std::string dead_end(const Topology& topology) {
  for (Node x = 0; x < topology.nodes(); ++x) {
    stop_if_interrupted();
    if (topology.degree(x) < 2) return fmt::format("node {} has one link only", x);
  }
  return {};
}

std::string unequal_sides(const Adjacency& adjacency) {
  const auto count = sides(adjacency);
  if (!count || (*count)[0] == (*count)[1]) return {};
  return fmt::format("it is bipartite with sides of {} and {} nodes", (*count)[0], (*count)[1]);
}

/// A node through which all ways between some others lead.
std::string bottleneck(const Adjacency& adjacency) {
  constexpr std::size_t kMostNodes = 4096;
  for (Node x = 0; x < adjacency.size() && adjacency.size() <= kMostNodes; ++x) {
    stop_if_interrupted();
    std::vector<bool> reached(adjacency.size());
    reached[x] = true;
    reached_from(x == 0 ? 1 : 0, reached, [&](Node y, const auto& reach) {
      for (const Node z : adjacency[y]) reach(z);
    });
    const auto other = std::ranges::find(reached, false) - reached.begin();
    if (other == std::ssize(reached)) continue;
    return fmt::format("all ways from node {} to node {} lead through node {}", x == 0 ? 1 : 0,
                       other, x);
  }
  return {};
}

bool linked(const Adjacency& adjacency, Node x, Node y) {
  return std::ranges::find(adjacency[x], y) != adjacency[x].end();
}

enum class Outcome { Found, None, GaveUp };

/// Tries all paths from node 0, depth first, within a number of steps.
class Backtracking {
 public:
  explicit Backtracking(const Adjacency& adjacency)
      : adjacency_(adjacency), visited_(adjacency.size(), false), path_{0}, choices_{choices(0)} {
    visited_[0] = true;
  }

  Outcome run() {
    for (std::uint64_t step = 0; step < kBacktrackingSteps; ++step) {
      stop_if_interrupted();
      if (path_.size() == adjacency_.size() && linked(adjacency_, path_.back(), 0))
        return Outcome::Found;
      if (!choices_.back().empty()) {
        advance();
      } else if (path_.size() == 1) {
        return Outcome::None;
      } else {
        retreat();
      }
    }
    return Outcome::GaveUp;
  }
  std::vector<Node> path() && { return std::move(path_); }

 private:
  void advance() {
    const Node x = choices_.back().back();
    choices_.back().pop_back();
    visited_[x] = true;
    path_.push_back(x);
    choices_.push_back(choices(x));
  }
  void retreat() {
    visited_[path_.back()] = false;
    path_.pop_back();
    choices_.pop_back();
  }
  std::size_t ways_on(Node x) const {
    return std::count_if(adjacency_[x].begin(), adjacency_[x].end(),
                         [&](Node y) { return !visited_[y]; });
  }
  /// Unvisited neighbours, the best one last.
  std::vector<Node> choices(Node x) const {
    std::vector<std::pair<std::size_t, Node>> ranked;
    for (const Node y : adjacency_[x]) {
      if (!visited_[y]) ranked.emplace_back(ways_on(y), y);
    }
    std::sort(ranked.rbegin(), ranked.rend());
    std::vector<Node> nodes;
    for (const auto& [ways, y] : ranked) nodes.push_back(y);
    return nodes;
  }

  const Adjacency& adjacency_;
  std::vector<bool> visited_;
  std::vector<Node> path_;
  std::vector<std::vector<Node>> choices_;
};

/// Posa's rotations. From the end of a path, go to an unvisited neighbour if there is one;
/// otherwise to a random node of the path, and reverse the part after that node, which gives the
/// path another end.
class Rotations {
 public:
  /// Begins with `path`.
  Rotations(const Adjacency& adjacency, std::uint32_t seed, const std::vector<Node>& path)
      : adjacency_(adjacency), random_(seed), place_(adjacency.size(), kUnvisited) {
    for (const Node x : path) append(x);
  }

  /// Spends at most `work`, and subtracts what it spent.
  bool run(std::uint64_t& work) {
    while (work > 0) {
      stop_if_interrupted();
      if (path_.size() == adjacency_.size() && linked(adjacency_, path_.front(), path_.back()))
        return true;
      --work;
      if (extend()) continue;
      work -= std::min<std::uint64_t>(work, rotate());
    }
    return false;
  }
  std::vector<Node> path() && { return std::move(path_); }

 private:
  static constexpr Node kUnvisited = kNoNode;

  void append(Node x) {
    place_[x] = static_cast<Node>(path_.size());
    path_.push_back(x);
  }
  std::size_t ways_on(Node x) const {
    return std::count_if(adjacency_[x].begin(), adjacency_[x].end(),
                         [&](Node y) { return place_[y] == kUnvisited; });
  }
  /// To the unvisited neighbour with the fewest unvisited neighbours.
  bool extend() {
    Node best = kNoNode;
    for (const Node y : adjacency_[path_.back()]) {
      if (place_[y] != kUnvisited) continue;
      if (best == kNoNode || ways_on(y) < ways_on(best)) best = y;
    }
    if (best == kNoNode) return false;
    append(best);
    return true;
  }
  /// Returns how many nodes it moved.
  std::size_t rotate() {
    const auto& near = adjacency_[path_.back()];
    const std::size_t from = place_[near[random_() % near.size()]] + std::size_t{1};
    std::reverse(path_.begin() + from, path_.end());
    for (std::size_t i = from; i < path_.size(); ++i) place_[path_[i]] = static_cast<Node>(i);
    return path_.size() - from;
  }

  const Adjacency& adjacency_;
  std::mt19937 random_;
  std::vector<Node> place_, path_;
};

/// Rotates a path through all nodes until its ends are linked. Empty if that takes too long.
std::vector<Node> close_path(const Topology& topology, std::vector<Node> path) {
  const Adjacency adjacency = adjacency_of(topology);
  Rotations rotations(adjacency, 1, path);
  std::uint64_t work = 10 * rotation_work(topology.nodes());
  if (!rotations.run(work)) return {};
  return std::move(rotations).path();
}

/// A hamiltonian cycle of any graph by search: first backtracking over all paths, the neighbours
/// with the fewest continuations first (Warnsdorff), which decides small graphs; then paths that
/// are extended and rotated at random (Posa), from fixed seeds. Effort is bounded (some seconds at
/// the most). A graph that cannot have such a cycle is refused with the reason.
FoundCycle search_cycle(const Topology& topology) {
  if (topology.nodes() == 2) return {{0, 1}, {}};
  const std::string none = fmt::format("{} has no hamiltonian cycle: ", topology.spec());
  if (const std::string why = dead_end(topology); !why.empty()) return {{}, none + why};
  const Adjacency adjacency = adjacency_of(topology);
  if (const std::string why = unequal_sides(adjacency); !why.empty()) return {{}, none + why};

  if (const std::string why = bottleneck(adjacency); !why.empty()) return {{}, none + why};

  Backtracking backtracking(adjacency);
  const Outcome outcome = backtracking.run();
  if (outcome == Outcome::Found) return {std::move(backtracking).path(), {}};
  if (outcome == Outcome::None) return {{}, none + "all paths were tried"};

  const std::uint64_t most = rotation_work(topology.nodes());
  std::uint64_t work = most;
  for (std::uint32_t seed = 1; work > 0; ++seed) {
    std::uint64_t share = std::min(work, most / 8);
    work -= share;
    Rotations rotations(adjacency, seed, {seed % topology.nodes()});
    if (rotations.run(share)) return {std::move(rotations).path(), {}};
  }
  return {{}, fmt::format("no hamiltonian cycle of {} was found: give one", topology.spec())};
}

/// Hamiltonian cycles of families of graphs by construction, in the node numbers of
/// topology/families.hpp.

/// If every node goes straight to the next level, each row is a cycle of its own. If the two nodes
/// of a level whose rows differ in that level's bit both go across instead, their two cycles become
/// one. Doing so along the edges of a spanning tree of the rows joins all of them: row w is joined
/// to w without its lowest one-bit.
/// d >= 2.
std::vector<Node> butterfly_cycle(Node d) {
  const Node rows = Node{1} << d, nodes = d * rows;
  std::vector<bool> across(nodes, false);
  for (Node row = 1; row < rows; ++row) {
    Node level = 0;
    while ((row >> level & 1) == 0) ++level;
    across[level + d * row] = true;
    across[level + d * (row ^ (Node{1} << level))] = true;
  }

  std::vector<Node> cycle;
  cycle.reserve(nodes);
  Node row = 0, level = 0;
  for (Node i = 0; i < nodes; ++i) {
    const Node x = level + d * row;
    cycle.push_back(x);
    if (across[x]) row ^= Node{1} << level;
    level = (level + 1) % d;
  }
  return cycle;
}

/// Which of its three links a node does not use.
enum class Unused : std::uint8_t { BetweenVertices, ToNext, ToLast };

/// Cycles that together visit every node of the cube-connected cycles once: at first, the cycle of
/// each vertex of the cube. A *face* of the cube in dimensions i and i+1 is a ring of eight nodes,
/// in which links within vertices and links between them alternate; exchanging the four that are
/// used for the other four leaves each node with two used links.
class Cycles {
 public:
  explicit Cycles(Node d) : d_(d), unused_(nodes(), Unused::BetweenVertices) {}

  Node nodes() const { return d_ << d_; }

  /// Exchanges the links of the face of dimensions i and i+1 (mod d) at vertex v.
  void use_between_vertices(Node v, Node i) {
    for (const Node w : face(v, i)) {
      unused_[w * d_ + i] = Unused::ToNext;
      unused_[w * d_ + next(i)] = Unused::ToLast;
    }
  }

  /// The cycle that contains a node, starting there.
  std::vector<Node> walk(Node start) const {
    std::vector<Node> cycle;
    Node x = start, previous = links(start)[1];
    do {
      cycle.push_back(x);
      const auto [a, b] = links(x);
      const Node y = a == previous ? b : a;
      previous = x;
      x = y;
    } while (x != start);
    return cycle;
  }

 private:
  Node next(Node i) const { return (i + 1) % d_; }
  Node last(Node i) const { return (i + d_ - 1) % d_; }

  std::array<Node, 4> face(Node v, Node i) const {
    const Node a = Node{1} << i, b = Node{1} << next(i);
    return {v, v ^ a, v ^ b, v ^ a ^ b};
  }
  std::array<Node, 2> links(Node x) const {
    const Node v = x / d_, i = x % d_;
    const Node across = (v ^ (Node{1} << i)) * d_ + i;
    const Node to_next = v * d_ + next(i), to_last = v * d_ + last(i);
    if (unused_[x] == Unused::ToNext) return {across, to_last};
    if (unused_[x] == Unused::ToLast) return {across, to_next};
    return {to_next, to_last};
  }

  Node d_;
  std::vector<Unused> unused_;
};

/// Two dimensions at a time are a digit of base 4 of the vertex. For each digit p, the vertices
/// whose higher digits are 0 are joined four by four along p: each face joins four cycles that
/// share no node yet. The last dimension, if d is odd, is left to `offset`.
void join_digits(Cycles& cycles, Node digits, Node offset) {
  for (Node p = 0; p < digits; ++p) {
    for (Node v = 0; v < Node{1} << (2 * p); ++v) cycles.use_between_vertices(v + offset, 2 * p);
  }
}

/// d >= 2; empty for d = 2 and d = 3, which the construction does not cover. By construction for
/// even d; for odd d the last step is a search.
std::vector<Node> cube_connected_cycles_cycle(Node d) {
  if (d < 4) return {};
  Cycles cycles(d);
  join_digits(cycles, d / 2, 0);
  if (d % 2 == 0) return cycles.walk(0);

  // The two halves along the last dimension are a cycle each. Opened beside one of the links
  // between them, they make one path, whose ends are brought together by rotations. (No face joins
  // the two cycles: they go round neighbouring vertices in opposite senses.)
  const Node half = Node{1} << (d - 1);
  join_digits(cycles, d / 2, half);
  std::vector<Node> path = cycles.walk(d - 1);
  std::reverse(path.begin(), path.end());
  const std::vector<Node> other = cycles.walk(half * d + d - 1);
  path.insert(path.end(), other.begin(), other.end());
  return close_path(Topology::parse(fmt::format("ccc:{}", d)), std::move(path));
}

/// The greedy sequence "prefer one": shift a 1 in unless that word was met before. It is known to
/// meet every word, the first one included, before it gets stuck.
/// `nodes` a power of two, at least 2: a binary de Bruijn sequence.
std::vector<Node> de_bruijn_cycle(Node nodes) {
  std::vector<bool> seen(nodes, false);
  std::vector<Node> cycle = {0};
  seen[0] = true;
  while (cycle.size() < nodes) {
    const Node shifted = cycle.back() * 2 % nodes;
    const Node next = seen[shifted + 1] ? shifted : shifted + 1;
    seen[next] = true;
    cycle.push_back(next);
  }
  return cycle;
}

/// The nodes of a graph in an order in which each is linked to the next; `closed` if the last is
/// linked to the first. A line of two nodes is closed by its own link.
struct Line {
  std::vector<Node> nodes;
  bool closed = false;
  Node size() const { return static_cast<Node>(nodes.size()); }
};

/// How the product of two lines goes.
enum class Way { SpiralOfFirst, SpiralOfSecond, CombOfFirst, CombOfSecond, Snake };

Way way(Node a, bool a_closed, Node b, bool b_closed) {
  if (a_closed && b_closed && b % a == 0) return Way::SpiralOfFirst;
  if (a_closed && b_closed && a % b == 0) return Way::SpiralOfSecond;
  if (a % 2 == 0 || b_closed) return Way::CombOfFirst;
  if (b % 2 == 0 || a_closed) return Way::CombOfSecond;
  return Way::Snake;
}

/// Products of lines A x B: node a of A and node b of B give node a + b, because their numbers use
/// different digits.
///
/// Spiral: the rows divide the columns, both closed. Go round the rows except for their last link,
/// then one step along the columns, again and again. Each tour of the rows starts one place before
/// the previous one, so that after all columns the start is reached. If there are always two rows
/// this is the reflected Gray code; in general it has the symmetry of the columns.
///
/// Comb: back and forth along columns 1, 2, ... of every row, and home along column 0. Closed if
/// the number of rows is even (the last row ends beside column 0) or the columns are closed (it
/// ends at the far side, which is then linked to column 0).
///
/// Snake: back and forth along every row, the best that two open lines of odd length allow.
Line product(const Line& first, const Line& second) {
  const Way how = way(first.size(), first.closed, second.size(), second.closed);
  const bool turned = how == Way::SpiralOfSecond || how == Way::CombOfSecond;
  const Line &rows = turned ? second : first, &columns = turned ? first : second;
  const Node a = rows.size(), b = columns.size();
  Line line{{}, how != Way::Snake};
  line.nodes.reserve(std::size_t{a} * b);
  const auto add = [&](Node i, Node j) {
    stop_if_interrupted();
    line.nodes.push_back(rows.nodes[i] + columns.nodes[j]);
  };
  if (how == Way::SpiralOfFirst || how == Way::SpiralOfSecond) {
    for (Node j = 0; j < b; ++j) {
      for (Node i = 0; i < a; ++i) add((i + a - j % a) % a, j);
    }
    return line;
  }
  const Node begin = how == Way::Snake ? 0 : 1;
  for (Node i = 0; i < a; ++i) {
    for (Node j = begin; j < b; ++j) add(i, i % 2 == 0 ? j : begin + b - 1 - j);
  }
  for (Node i = a; begin == 1 && i-- > 0;) add(i, 0);
  return line;
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
    return {numbers_below(graph.nodes), graph.cyclic};
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

namespace {

/// Larger products get one cycle: the search counts all nodes again and again.
constexpr Node kMostNodes = 4096;

/// The links of a graph in several colours, of each of which every node has two: so the links of a
/// colour form cycles. A square with two links of each of two colours, opposite ones alike, may
/// exchange them; what was two cycles may then be one.
class Coloured {
 public:
  using Two = std::array<Node, 2>;

  /// One colour for each ring and each pair of links, and a last one for a link that is left over;
  /// nothing for other products.
  static std::optional<Coloured> of(const Topology& topology) {
    std::vector<std::array<std::size_t, 2>> colours;  // the factors; twice the same: a ring
    std::optional<std::size_t> link;
    for (std::size_t f = 0; f < topology.factors().size(); ++f) {
      const Graph& factor = topology.factors()[f];
      if (factor.nodes == 2) {
        if (link) colours.push_back({*link, f});
        link = link ? std::nullopt : std::optional(f);
      } else if (factor.cyclic && factor.ports == 2) {
        colours.push_back({f, f});
      } else {
        return std::nullopt;
      }
    }
    if (colours.empty() || topology.nodes() > kMostNodes) return std::nullopt;
    Coloured all;
    std::vector<Two> over;
    if (link) {
      for (Node x = 0; x < topology.nodes(); ++x) {
        over.push_back({topology.peer(x, topology.first_port(*link)).node, kNoNode});
      }
    }
    for (const auto& [a, b] : colours) {
      std::vector<Two>& of = all.next_.emplace_back();
      for (Node x = 0; x < topology.nodes(); ++x) {
        const Node first = topology.first_port(a), second = topology.first_port(b) + (a == b);
        of.push_back({topology.peer(x, first).node, topology.peer(x, second).node});
      }
    }
    all.colours_ = colours.size();
    if (link) all.next_.push_back(std::move(over));
    return all;
  }

  /// Exchanges squares until every colour is a single cycle. False if that takes too long.
  bool join() {
    constexpr std::uint64_t kWork = 200'000'000;
    std::mt19937 random(1);
    const auto any = [&random](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    std::uint64_t open = 0;
    for (std::size_t k = 0; k < colours_; ++k) open += cycles(k) - 1;
    for (std::uint64_t work = 0; open > 0 && next_.size() > 1; work += 4 * nodes()) {
      stop_if_interrupted();
      if (work > kWork) return false;
      const std::size_t a = any(next_.size());
      const std::size_t b = (a + 1 + any(next_.size() - 1)) % next_.size();
      const auto u = static_cast<Node>(any(nodes()));
      const Node v = next_[a][u][any(2)], w = next_[b][u][any(2)];
      if (v == kNoNode || w == kNoNode) continue;
      const auto z = common(next_[b][v], next_[a][w], u);
      if (!z) continue;
      const std::uint64_t before = cycles(a) + cycles(b);
      exchange(a, b, u, v, w, *z);
      const std::uint64_t after = cycles(a) + cycles(b);
      // One more cycle now and then leads out of dead ends.
      if (after > before + (any(64) == 0 ? 1 : 0)) {
        exchange(b, a, u, v, w, *z);
      } else {
        open = open + after - before;
      }
    }
    return open == 0;
  }

  std::vector<Node> cycle(std::size_t colour) const {
    std::vector<Node> way = {0};
    for (Node before = 0, x = next_[colour][0][0]; x != 0;) {
      way.push_back(x);
      before = std::exchange(x, after(colour, before, x));
    }
    return way;
  }
  std::size_t colours() const { return colours_; }

 private:
  Node nodes() const { return static_cast<Node>(next_[0].size()); }
  Node after(std::size_t colour, Node before, Node x) const {
    const Two& two = next_[colour][x];
    return two[0] == before ? two[1] : two[0];
  }

  static std::optional<Node> common(const Two& a, const Two& b, Node but) {
    for (const Node x : a) {
      if (x != but && x != kNoNode && (x == b[0] || x == b[1])) return x;
    }
    return std::nullopt;
  }

  /// The links u-v and w-z of colour `a`, and u-w and v-z of colour `b`, change colours.
  void exchange(std::size_t a, std::size_t b, Node u, Node v, Node w, Node z) {
    const auto turn = [this](std::size_t colour, Node x, Node from, Node to) {
      Two& two = next_[colour][x];
      (two[0] == from ? two[0] : two[1]) = to;
    };
    turn(a, u, v, w), turn(a, w, z, u), turn(a, v, u, z), turn(a, z, w, v);
    turn(b, u, w, v), turn(b, v, z, u), turn(b, w, u, z), turn(b, z, v, w);
  }

  std::uint64_t cycles(std::size_t colour) const {
    if (colour == colours_) return 1;
    std::vector<bool> seen(nodes(), false);
    std::uint64_t count = 0;
    for (Node start = 0; start < nodes(); ++start) {
      if (seen[start]) continue;
      ++count;
      for (Node before = start, x = start; !seen[x];) {
        seen[x] = true;
        before = std::exchange(x, after(colour, before, x));
      }
    }
    return count;
  }

  std::vector<std::vector<Two>> next_;  ///< by colour and node
  std::size_t colours_ = 0;             ///< without the last one, of links that are left over
};

}  // namespace

std::vector<std::vector<Node>> disjoint_hamiltonian_cycles(const Topology& topology) {
  std::vector<std::vector<Node>> cycles;
  if (auto coloured = Coloured::of(topology); coloured && coloured->join()) {
    for (std::size_t k = 0; k < coloured->colours(); ++k) cycles.push_back(coloured->cycle(k));
    return cycles;
  }
  FoundCycle one = hamiltonian_cycle(topology);
  if (!one.cycle.empty()) cycles.push_back(std::move(one.cycle));
  return cycles;
}

}  // namespace gossamer
