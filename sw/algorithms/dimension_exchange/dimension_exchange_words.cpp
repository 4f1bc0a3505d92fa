// Total exchange on a Cayley graph through a single port (Dimakopoulos-Dimopoulos 1998,
// section 4.1, which cites it from elsewhere; this construction is ours).
//
// A node of a Cayley graph is a group element, and its links lead to its products with the
// generators. A shortest path from node 0 to y spells y as a word of generators, and the same word
// leads from any node x to x y. In each round all nodes send over the link of one generator, the
// next in the word of one y: then each node sends one message and receives one. So any order is
// right in which each word is sent from its beginning, and no round is lost.

#include "algorithms/dimension_exchange/dimension_exchange_words.hpp"

#include <algorithm>
#include <array>

#include "topology/arcs.hpp"

namespace gossamer::dimension_exchange {
namespace {

Node modulo_nodes(const Graph& graph, Node x, Node y) { return (x + y) % graph.nodes; }

/// d, if the graph has d levels of 2^d nodes; else 0.
Node levels_of(const Graph& graph) {
  Node d = 1;
  while (std::uint64_t{d} << d < graph.nodes) ++d;
  return std::uint64_t{d} << d == graph.nodes ? d : 0;
}

/// Node level + d row: levels add up modulo d, and turn the bits of the rows that they pass.
Node by_level_and_row(const Graph& graph, Node x, Node y) {
  const Node d = levels_of(graph), turn = x % d, row = y / d;
  const Node turned = (row << turn | row >> (d - turn)) & ((Node{1} << d) - 1);
  return (turn + y % d) % d + d * (x / d ^ turned);
}

/// Does every translation take the neighbours of node 0 to those of the node where it takes that?
bool keeps_links(const Graph& graph, const Arcs& arcs, Translation moved) {
  for (Node x = 0; x < graph.nodes; ++x) {
    if (arcs.degree(x) != arcs.degree(0)) return false;
    for (const Node generator : arcs.neighbours(0)) {
      const auto neighbours = arcs.neighbours(x);
      if (std::ranges::find(neighbours, moved(graph, x, generator)) == neighbours.end()) {
        return false;
      }
    }
  }
  return true;
}

/// The nodes of a shortest path from node 0 to every node: the beginnings of its word.
std::vector<std::vector<Node>> words_of(const Arcs& arcs) {
  std::vector<std::vector<Node>> words(arcs.nodes());
  words[0] = {0};
  std::vector<Node> reached = {0};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Node y : arcs.neighbours(reached[i])) {
      if (!words[y].empty()) continue;
      words[y] = words[reached[i]];
      words[y].push_back(y);
      reached.push_back(y);
    }
  }
  return words;
}

}  // namespace

std::optional<Translation> translations_of(const Graph& graph) {
  const Arcs arcs(Topology(graph.spec, {graph}));
  if (keeps_links(graph, arcs, modulo_nodes)) return modulo_nodes;
  if (levels_of(graph) != 0 && keeps_links(graph, arcs, by_level_and_row)) return by_level_and_row;
  return std::nullopt;
}

/// Letter after letter of all words, as ring_single_port.
Exchange words_single_port(const Graph& graph, Translation moved) {
  const auto words = words_of(Arcs(Topology(graph.spec, {graph})));
  Exchange exchange{graph.nodes, {}};
  for (std::size_t letter = 1;; ++letter) {
    Stage stage;
    for (const std::vector<Node>& word : words) {
      if (letter >= word.size()) continue;
      Round& round = stage.emplace_back();
      for (Node x = 0; x < graph.nodes; ++x) {
        round.push_back({moved(graph, x, word[letter - 1]), moved(graph, x, word[letter]), x,
                         moved(graph, x, word.back())});
      }
    }
    if (stage.empty()) return exchange;
    exchange.stages.push_back(std::move(stage));
  }
}

}  // namespace gossamer::dimension_exchange
