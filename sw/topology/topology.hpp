#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gossamer {

using Node = std::uint32_t;
using Port = std::uint32_t;
inline constexpr Node kNoNode = ~Node{0};
inline constexpr Port kNoPort = ~Port{0};

/// One end of a link: a port of a node.
struct Endpoint {
  Node node = kNoNode;
  Port port = kNoPort;
  bool connected() const { return node != kNoNode; }
  bool operator==(const Endpoint&) const = default;
};

/// A connected graph with numbered ports, given link by link; one factor of a Topology.
/// `cyclic` says that x -> x+1 (mod nodes) maps every port p to port p, so that the graph can be
/// translated along itself.
struct Graph {
  std::string spec;  ///< as in Topology::parse, e.g. "ring:8"
  Node nodes = 0;
  Port ports = 0;  ///< largest degree
  bool cyclic = false;
  std::vector<Endpoint> peers;  ///< nodes x ports, row by row; unconnected if a port has no link
  bool parallel = false;        ///< some neighbours have several links
  // What files of edges may say, each empty if they do not:
  std::vector<std::string> names = {};     ///< of the nodes
  std::vector<std::uint32_t> stages = {};  ///< register stages of the links, by port
  std::vector<bool> silent = {};           ///< by place in `peers`: the link only comes in here

  Endpoint peer(Node x, Port p) const { return peers[std::size_t{x} * ports + p]; }
};

/// Nodes and links: a product of graphs (Dimakopoulos 1999, section 4; Delmas-Perennes 1996,
/// definition 3.1). A node with digits (x1,...,xk) of radices (r1,...,rk) is number x1 + r1*(x2 +
/// r2*(x3 + ...)); the ports of factor 1 come first, then those of factor 2, and so on. A ring of
/// two nodes is a single link.
class Topology {
 public:
  /// Reads "ring:8", "torus:7x7x7" and the other kinds (topology_kinds). Throws InputError.
  static Topology parse(std::string_view spec);

  Topology(std::string spec, std::vector<Graph> factors);

  const std::string& spec() const { return spec_; }
  Node nodes() const { return nodes_; }
  Port ports() const { return ports_; }
  std::span<const Graph> factors() const { return *factors_; }

  /// Have the nodes names? Those of a product have none.
  bool named() const { return factors_->size() == 1 && !factors_->front().names.empty(); }
  /// What a node is called: its name in a file of edges, or its number.
  std::string name(Node x) const;
  /// The node of this name or number, if there is one.
  std::optional<Node> node_named(std::string_view text) const;

  /// Digit of `x` in factor `f`, and the step of the node number when that digit grows by one.
  Node digit(Node x, std::size_t f) const { return x / strides_[f] % (*factors_)[f].nodes; }
  Node stride(std::size_t f) const { return strides_[f]; }
  /// First port of factor `f`.
  Port first_port(std::size_t f) const { return first_ports_[f]; }

  /// The other end of the link at port `p` of node `x`; unconnected if the port has no link.
  Endpoint peer(Node x, Port p) const {
    const std::size_t f = factor_of_port_[p];
    const Node d = digit(x, f);
    const Endpoint e = (*factors_)[f].peer(d, p - first_ports_[f]);
    if (!e.connected()) return {};
    return {x + (e.node - d) * strides_[f], e.port + first_ports_[f]};
  }
  /// Does the link at port `p` of node `x` lead away from it? Of one-way links only one end does.
  bool sends(Node x, Port p) const {
    if (!peer(x, p).connected()) return false;
    if (!one_way_) return true;
    const std::size_t f = factor_of_port_[p];
    const Graph& graph = (*factors_)[f];
    const std::size_t at = std::size_t{digit(x, f)} * graph.ports + p - first_ports_[f];
    return graph.silent.empty() || !graph.silent[at];
  }
  /// The port of `from` whose link leads to `to`, of the link number `lane` if they have several;
  /// kNoPort if they have none of that number.
  Port port_to(Node from, Node to, std::uint32_t lane = 0) const;
  /// Have any two nodes several links?
  bool parallel() const { return parallel_; }
  /// Is any link one-way?
  bool one_way() const { return one_way_; }
  /// Number of links at node `x`.
  Port degree(Node x) const;

  /// True if every factor is cyclic: the product can then be translated by any node (tori,
  /// hypercubes, ghc).
  bool translatable() const { return translatable_; }
  /// x + by, digit by digit modulo the radices. Only for translatable topologies.
  Node translate(Node x, Node by) const;
  /// The translation that undoes `by`.
  Node negate(Node by) const;

 private:
  std::string spec_;
  std::shared_ptr<const std::vector<Graph>> factors_;
  std::vector<Node> strides_;
  std::vector<Port> first_ports_;
  std::vector<std::uint32_t> factor_of_port_;
  Node nodes_ = 1;
  Port ports_ = 0;
  bool translatable_ = true;
  bool parallel_ = false;
  bool one_way_ = false;
};

/// A subgroup of the translations of a topology, and the classes of nodes that it maps onto one
/// another. Data that is invariant under it is kept for one node of each class. Nothing here grows
/// with the number of nodes: the group is kept as a triangular basis (docs/research/scale.md).
class Symmetry {
 public:
  /// Without generators it is the trivial group: every node is its own class.
  explicit Symmetry(const Topology& topology, std::span<const Node> generators = {});

  Node order() const { return nodes_ / classes_; }
  /// All translations of the group in increasing order; built anew at every call.
  std::vector<Node> elements() const;
  /// A few translations that generate the group; none if it is trivial.
  std::vector<Node> generators() const;
  Node classes() const { return classes_; }
  /// The least node of class `c`; classes are numbered in the order of their least nodes.
  Node representative(Node c) const;
  Node class_of(Node x) const;
  /// The translation in the group that takes representative(class_of(x)) to x.
  Node shift(Node x) const;

 private:
  /// One factor of the topology. `basis` is a translation that leaves all later factors unchanged
  /// and moves this factor's digit by the least possible step, `pivot`. If no translation moves the
  /// digit, `basis` is 0 and `pivot` is the radix.
  struct Axis {
    Node radix, stride;
    Node pivot, class_stride;
    std::vector<Node> basis;  ///< digits up to and including this factor's
  };

  bool trivial() const { return classes_ == nodes_; }
  void insert(std::vector<Node> digits, std::size_t f);
  std::vector<Node> digits_of(Node x) const;
  Node node_of(const std::vector<Node>& digits) const;
  void reduce(std::vector<Node>& digits) const;

  std::vector<Axis> axes_;
  Node nodes_ = 1, classes_ = 1;
};

/// When the digit of a node passes its radix as a number is added to it, with one multiplication.
///
/// The block of a factor consists of the nodes that differ in the digits of the factors up to it
/// alone; a digit passes its radix if the node's number within its block is at least a limit. The
/// product of the number and 2^64 / size, rounded up, modulo 2^64, is the number within the block
/// times 2^64 / size, and less than 2^32 more, which is at most 2^64 / size. So it is above the
/// limit times 2^64 / size, rounded up, less one, exactly then.
struct DigitBlock {
  DigitBlock(const Topology& topology, std::size_t factor)
      : size(std::uint64_t{topology.stride(factor)} * topology.factors()[factor].nodes),
        magic(size == 1 ? 0 : ~std::uint64_t{0} / size + 1) {}

  /// For a translation with this digit: what `magic` times a node is above if its digit passes.
  std::uint64_t limit(const Topology& topology, std::size_t factor, Node digit) const {
    __extension__ using Wide = unsigned __int128;
    const Wide passes = Wide{topology.factors()[factor].nodes - digit} * topology.stride(factor);
    return static_cast<std::uint64_t>(((passes << 64) - 1) / size);
  }

  std::uint64_t size;
  std::uint64_t magic;  ///< 0 for a block of one node
};

/// One translation of a topology, for many nodes (Topology::translate() is for one).
class Translation {
 public:
  Translation(const Topology& topology, Node by) : by_(by) {
    for (std::size_t f = 0; by != 0 && f < topology.factors().size(); ++f) {
      const Node digit = topology.digit(by, f);
      if (digit == 0) continue;
      const DigitBlock block(topology, f);
      wraps_.push_back({block.magic, block.limit(topology, f, digit), block.size});
    }
  }
  Node operator()(Node x) const {
    std::uint64_t sum = std::uint64_t{x} + by_;
    for (const Wrap& wrap : wraps_) {
      if (wrap.magic * x > wrap.limit) sum -= wrap.size;
    }
    return static_cast<Node>(sum);
  }

 private:
  struct Wrap {  ///< where sums begin again
    std::uint64_t magic, limit, size;
  };
  Node by_;
  std::vector<Wrap> wraps_;
};

/// The numbers of so many nodes, ports or arcs: 0, 1, 2, ...
inline std::vector<Node> numbers_below(Node count) {
  std::vector<Node> numbers(count);
  std::iota(numbers.begin(), numbers.end(), Node{0});
  return numbers;
}

/// The nodes that are reached from a node, itself included, and not seen before: `next` calls what
/// it is given with each neighbour of a node.
template <typename Next>
std::vector<Node> reached_from(Node from, std::vector<bool>& seen, const Next& next) {
  std::vector<Node> reached = {from};
  seen[from] = true;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    next(reached[i], [&](Node y) {
      if (!seen[y]) reached.push_back(y);
      seen[y] = true;
    });
  }
  return reached;
}

/// A kind of topology that Topology::parse reads.
struct TopologyKind {
  std::string_view name;     ///< "torus"
  std::string_view example;  ///< "torus:7x7x7"
  std::string_view meaning;
};

/// All of them; families.cpp has the table.
std::vector<TopologyKind> topology_kinds();

using ArcId = std::uint32_t;
inline constexpr ArcId kNoArcId = ~ArcId{0};

/// The directed links of a topology, numbered by the node that they leave and then by its ports.
class Arcs {
 public:
  explicit Arcs(const Topology& topology);

  Node nodes() const { return static_cast<Node>(first_.size() - 1); }
  ArcId count() const { return first_.back(); }
  ArcId first(Node x) const { return first_[x]; }
  ArcId degree(Node x) const { return first_[x + 1] - first_[x]; }
  /// The neighbours of `x`; the i-th is the head of arc first(x) + i.
  std::span<const Node> neighbours(Node x) const { return {heads_.data() + first_[x], degree(x)}; }
  Node tail(ArcId a) const { return tails_[a]; }
  Node head(ArcId a) const { return heads_[a]; }
  /// The same link in the other direction; kNoArcId of a one-way link.
  ArcId reverse(ArcId a) const { return reverse_[a]; }
  /// The number of its link, if several lead from its tail to its head.
  std::uint32_t lane(ArcId a) const {
    const auto before = neighbours(tails_[a]).first(a - first_[tails_[a]]);
    return static_cast<std::uint32_t>(std::ranges::count(before, heads_[a]));
  }

 private:
  std::vector<ArcId> first_;
  std::vector<Node> heads_, tails_;
  std::vector<ArcId> reverse_;
};

/// The distance of every node from `x`, the way that links lead.
std::vector<std::uint32_t> distances_from(const Arcs& arcs, Node x);

/// Dijkstra's algorithm. `from` are the nodes where ways begin, and `cost` what it costs to be
/// there; it is infinite or as large elsewhere, and becomes the cost of the cheapest way. `arrives`
/// becomes the last arc of each way. What costs so much before an arc costs over(cost, arc) after
/// it. Calls ends(node) in the order of their costs until that is true.
template <typename Cost, typename Over, typename Ends>
void cheapest_ways(const Arcs& arcs, std::span<const Node> from, std::vector<Cost>& cost,
                   std::vector<ArcId>& arrives, const Over& over, const Ends& ends) {
  using Entry = std::pair<Cost, Node>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> near;
  for (const Node x : from) near.push({cost[x], x});
  while (!near.empty()) {
    const auto [here, x] = near.top();
    near.pop();
    if (here != cost[x]) continue;
    if (ends(x)) return;
    for (ArcId a = arcs.first(x); a < arcs.first(x) + arcs.degree(x); ++a) {
      const Cost more = over(here, a);
      if (more >= cost[arcs.head(a)]) continue;
      cost[arcs.head(a)] = more;
      arrives[arcs.head(a)] = a;
      near.push({more, arcs.head(a)});
    }
  }
}

}  // namespace gossamer
