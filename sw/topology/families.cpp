#include "topology/families.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <memory>
#include <utility>

#include "support/job.hpp"
#include "support/memory.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"
#include "topology/topology.hpp"

namespace gossamer {

Graph ring(Node n) {
  const Port ports = n == 2 ? 1 : 2;
  Graph graph{fmt::format("ring:{}", n), n, ports, /*cyclic=*/true, {}};
  graph.peers.reserve(std::size_t{n} * ports);
  for (Node x = 0; x < n; ++x) {
    graph.peers.push_back({(x + 1) % n, ports - 1});
    if (ports == 2) graph.peers.push_back({(x + n - 1) % n, 0});
  }
  return graph;
}

Graph path(Node n) {
  Graph graph = ring(n);
  graph.spec = fmt::format("path:{}", n);
  if (n == 2) return graph;  // x+1 exchanges the two ends of the only link: cyclic
  graph.cyclic = false;
  graph.peers[1] = {};                       // node 0 has no port towards -1
  graph.peers[std::size_t{n - 1} * 2] = {};  // node n-1 none towards +1
  return graph;
}

Graph complete(Node n) {
  Graph graph{fmt::format("complete:{}", n), n, n - 1, /*cyclic=*/true, {}};
  graph.peers.reserve(std::size_t{n} * (n - 1));
  for (Node x = 0; x < n; ++x) {
    // The way back from x+k+1 is n-k-1 steps long.
    for (Port k = 0; k < n - 1; ++k) graph.peers.push_back({(x + k + 1) % n, n - 2 - k});
  }
  return graph;
}

namespace {

constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 31;

/// The whole text, for messages, and the part that is being read.
struct Source {
  std::string_view whole;
  std::string_view part;

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> why, Args&&... args) const {
    refuse("topology '{}': {}", whole, fmt::format(why, std::forward<Args>(args)...));
  }
  Source at(std::string_view other) const { return {whole, other}; }
};

/// A whole number from `least` to `most`, and nothing after it.
Node number(const Source& in, std::uint64_t least, std::uint64_t most, std::string_view what) {
  if (in.part.empty()) in.fail("a {} is missing", what);
  const auto value = number_of<std::uint64_t>(in.part);
  if (!value || *value < least || *value > most) {
    in.fail("'{}' is no {}; expected a whole number from {} to {}", in.part, what, least, most);
  }
  return static_cast<Node>(*value);
}

/// A factor that has been read but not built. All factors are checked together before any is built.
struct Factor {
  std::uint64_t nodes = 0;
  std::uint64_t bytes = 0;  ///< memory needed to build it
  std::function<Graph()> make;
};

/// Bytes of a table of links with so many ports per node.
std::uint64_t table(std::uint64_t nodes, std::uint64_t ports) {
  return nodes * ports * sizeof(Endpoint);
}

/// One size, checked against what the table of links can hold.
Node size(const Source& in, std::uint64_t ports) {
  return number(in, 2, kMaxLinkEnds / ports, "number of nodes");
}

/// Sizes separated by 'x', one factor for each; a side of one node adds nothing.
template <typename ReadFactor>
std::vector<Factor> factors(const Source& in, ReadFactor read) {
  std::vector<Factor> all;
  for (const std::string_view part : split(in.part, 'x')) {
    if (part != "1") all.push_back(read(in.at(part)));
  }
  return all;
}

Factor read_ring(const Source& in) {
  const Node n = size(in, 2);
  return {n, table(n, 2), [n] { return ring(n); }};
}
Factor read_path(const Source& in) {
  const Node n = size(in, 2);
  return {n, table(n, 2), [n] { return path(n); }};
}
Factor read_complete(const Source& in) {
  const Node n = number(in, 2, 11585, "number of nodes");
  return {n, table(n, n - 1), [n] { return complete(n); }};
}

template <Factor (*read)(const Source&)>
std::vector<Factor> one(const Source& in) {
  return {read(in)};
}
template <Factor (*read)(const Source&)>
std::vector<Factor> many(const Source& in) {
  return factors(in, read);
}

std::vector<Factor> hypercube(const Source& in) {
  return std::vector<Factor>(number(in, 1, 31, "dimension of a hypercube"),
                             {2, 0, [] { return path(2); }});
}

/// A family that is built from a list of its links: two of each node to others, of which some may
/// be named by both ends.
struct Linked {
  const char* name;
  Node least, most;  ///< dimensions
  std::uint64_t (*nodes)(Node d);
  std::array<Node, 2> (*next)(Node d, Node x);
};

/// Each vertex v of the d-cube is a cycle of d nodes (v,i), numbered i + d*v; (v,i) has the link of
/// dimension i.
constexpr Linked kCubeConnectedCycles = {
    "ccc", 2, 20, [](Node d) { return std::uint64_t{d} << d; },
    [](Node d, Node x) {
      const Node vertex = x / d, i = x % d;
      return std::array{(i + 1) % d + d * vertex, i + d * (vertex ^ (Node{1} << i))};
    }};
/// d levels of 2^d rows; node (row,level) is number level + d*row and has links to level+1 (mod d)
/// in its own row and in the row that differs in bit `level`.
constexpr Linked kButterfly = {
    "butterfly", 2, 20, [](Node d) { return std::uint64_t{d} << d; },
    [](Node d, Node x) {
      const Node row = x / d, level = x % d, next = (level + 1) % d;
      return std::array{next + d * row, next + d * (row ^ (Node{1} << level))};
    }};
/// x is linked to 2x and 2x+1 (mod 2^d), without directions.
constexpr Linked kDeBruijn = {"debruijn", 1, 25, [](Node d) { return std::uint64_t{1} << d; },
                              [](Node d, Node x) {
                                const Node nodes = Node{1} << d;
                                return std::array{2 * x % nodes, (2 * x + 1) % nodes};
                              }};

template <const Linked& family>
std::vector<Factor> linked(const Source& in) {
  const Node d = number(in, family.least, family.most, fmt::format("dimension of {}", family.name));
  const std::uint64_t nodes = family.nodes(d);
  const std::uint64_t bytes = 2 * sizeof(Edge) + 4 * sizeof(Node) + 2 * sizeof(std::size_t);
  return {{nodes, table(nodes, 4) + nodes * bytes, [d, nodes] {
             std::vector<Edge> edges;
             edges.reserve(2 * nodes);
             for (Node x = 0; x < nodes; ++x) {
               stop_if_interrupted();
               for (const Node y : family.next(d, x)) edges.emplace_back(x, y);
             }
             return graph_of_edges(fmt::format("{}:{}", family.name, d), static_cast<Node>(nodes),
                                   std::move(edges));
           }}};
}

/// The size of a file's graph is not known in advance, so the file is read at once.
Factor of_file(const Source& in) {
  const auto graph = std::make_shared<Graph>(read_edges(std::string(in.part)));
  return {graph->nodes, 0, [graph] { return std::move(*graph); }};
}

std::vector<Factor> factors_of(const Source& in);

/// Specs separated by commas; one that is itself a product (a torus) adds all its factors.
std::vector<Factor> product(const Source& in) {
  std::vector<Factor> factors;
  for (const std::string_view part : factors_of_product(in.part)) {
    if (part.substr(0, 8) == "product:") in.fail("a product cannot contain a product");
    for (Factor& factor : factors_of(in.at(part))) factors.push_back(std::move(factor));
  }
  return factors;
}

struct Kind {
  TopologyKind kind;
  std::vector<Factor> (*read)(const Source&);
};

constexpr std::array<Kind, 12> kKinds = {{
    {{"ring", "ring:8", "a cycle of 8 nodes"}, one<read_ring>},
    {{"path", "path:5", "a line of 5 nodes"}, one<read_path>},
    {{"complete", "complete:6", "6 nodes, all linked"}, one<read_complete>},
    {{"torus", "torus:7x7x7", "product of rings"}, many<read_ring>},
    {{"mesh", "mesh:3x4", "product of paths"}, many<read_path>},
    {{"hypercube", "hypercube:4", "product of 4 paths of two nodes"}, hypercube},
    {{"ghc", "ghc:3x4", "generalized hypercube: product of complete graphs"}, many<read_complete>},
    {{"ccc", "ccc:3", "cube-connected cycles of dimension 3"}, linked<kCubeConnectedCycles>},
    {{"butterfly", "butterfly:3", "wrapped butterfly of dimension 3"}, linked<kButterfly>},
    {{"debruijn", "debruijn:4", "binary de Bruijn graph of 2^4 nodes"}, linked<kDeBruijn>},
    {{"product", "product:ring:3,path:4", "product of any of these"}, product},
    {{"edges", "edges:FILE.json", R"(your own: {"n":6,"edges":[[0,1],[1,2],...]})"}, one<of_file>},
}};

std::vector<Factor> factors_of(const Source& in) {
  const std::size_t colon = in.part.find(':');
  if (colon == std::string_view::npos) {
    in.fail("expected KIND:SIZE such as ring:8 or torus:7x7x7, not '{}'", in.part);
  }
  const std::string_view kind = in.part.substr(0, colon);
  const Source rest = in.at(in.part.substr(colon + 1));
  if (rest.part.empty()) in.fail("nothing follows '{}:'", kind);
  std::vector<std::string_view> names;
  for (const Kind& known : kKinds) {
    if (known.kind.name == kind) return known.read(rest);
    names.push_back(known.kind.name);
  }
  in.fail("unknown kind '{}': {}", kind, suggestion(kind, names));
}

}  // namespace

std::vector<TopologyKind> topology_kinds() {
  std::vector<TopologyKind> all;
  for (const Kind& known : kKinds) all.push_back(known.kind);
  return all;
}

Topology Topology::parse(std::string_view spec) {
  const Source in{spec, spec};
  const std::vector<Factor> factors = factors_of(in);
  if (factors.empty()) in.fail("it has a single node; expected 2 at least");
  std::uint64_t nodes = 1;
  double bytes = 0;
  for (const Factor& factor : factors) {
    nodes *= factor.nodes;
    bytes += static_cast<double>(factor.bytes);
    if (nodes > kMaxNodes) in.fail("more than 2^31 nodes");
  }
  require_memory(bytes, fmt::format("topology '{}'", spec));
  std::vector<Graph> graphs;
  for (const Factor& factor : factors) graphs.push_back(factor.make());
  return Topology(std::string(spec), std::move(graphs));
}

}  // namespace gossamer
