#include "algorithms/dimension_exchange/dimension_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>

#include "algorithms/any_graph/any_graph.hpp"
#include "bounds/distances.hpp"
#include "topology/topology.hpp"

// Total exchange on a path of n nodes. The paper cites it from elsewhere ([7]); this construction
// is ours.
//
// Node i sends to the right, in this order: all messages for node n-1, then all for n-2, and so on;
// of those for one node its own first, then that of i-1, i-2, ... They are i+1 each, and node i-1,
// which sends i each, is always ahead: what node i forwards in round (i+1) k + s + 1 (s >= 1) it
// received in round i k + s. So the link from i to i+1 is busy without a gap from round 1 to
// (i+1)(n-1-i), which is its load; the link in the middle, or the two, are busy longest.

// Total exchange on a ring of n nodes. The paper cites it from elsewhere ([7], [8]); this
// construction is ours.
//
// If all nodes do the same and each round makes one hop in one direction, no two messages meet. So
// any order is right in which each message makes its hops in sequence. We take hop 1 of all
// messages that go one way, then hop 2 of those that go on, and so on, always in the order of their
// destinations: a node then reads runs of what it holds.

// Total exchange on a Cayley graph through a single port (Dimakopoulos-Dimopoulos 1998,
// section 4.1, which cites it from elsewhere; this construction is ours).
//
// A node of a Cayley graph is a group element, and its links lead to its products with the
// generators. A shortest path from node 0 to y spells y as a word of generators, and the same word
// leads from any node x to x y. In each round all nodes send over the link of one generator, the
// next in the word of one y: then each node sends one message and receives one. So any order is
// right in which each word is sent from its beginning, and no round is lost.

namespace gossamer::dimension_exchange {
namespace {

std::size_t middle_load(Node n) { return std::size_t{n / 2} * (n - n / 2); }

/// What node `i` sends to the right in `round`, unless it has finished.
void add_right(Node n, Node i, Node round, Round& hops) {
  const Node k = (round - 1) / (i + 1), s = (round - 1) % (i + 1);
  if (k >= n - 1 - i) return;
  hops.push_back({0, i, i + 1, {i - s, n - 1 - k}});
}

Round to_the_right(Node n, Node round) {
  Round hops;
  for (Node i = 0; i + 1 < n; ++i) add_right(n, i, round, hops);
  return hops;
}

/// The same backwards: digits x and `sum` - x are exchanged.
Hop mirror(Node n, Node sum, const Hop& hop) {
  const auto image = [&](Node x) { return (n + sum - x) % n; };
  const auto [origin, destination, piece] = hop.message;
  return {0, image(hop.from), image(hop.to), {image(origin), image(destination)}};
}

/// Total exchange on a path of n >= 3 nodes in floor(n/2) ceil(n/2) rounds: the load of the link in
/// the middle, bound (4).
Exchange path_all_port(Node n) {
  Exchange exchange{n, {}};
  for (Node round = 1; round <= middle_load(n); ++round) {
    Round hops = to_the_right(n, round);
    const std::size_t right = hops.size();
    for (std::size_t h = 0; h < right; ++h) hops.push_back(mirror(n, n - 1, hops[h]));
    exchange.stages.push_back({std::move(hops)});
  }
  return exchange;
}

/// First everything to the right, then everything to the left, which is the same with time
/// reversed: every node sends one message per round, and receives one. If n is even, only the link
/// in the middle is busy in the last round to the right; the first round to the left, in which only
/// that link is busy too, can be the same round.
/// In n^2/2 - 1 (n even) or (n^2-1)/2 (n odd) rounds: what a node in the middle has to send.
Exchange path_single_port(Node n) {
  const std::size_t load = middle_load(n), shared = n % 2 == 0 ? 1 : 0;
  Exchange exchange{n, std::vector<Stage>(2 * load - shared, Stage(1))};
  for (std::size_t t = 0; t < load; ++t) {
    for (const Hop& hop : to_the_right(n, static_cast<Node>(t + 1))) {
      const auto [origin, destination, piece] = hop.message;
      exchange.stages[t][0].push_back(hop);
      exchange.stages.rbegin()[t][0].push_back({0, hop.to, hop.from, {destination, origin}});
    }
  }
  return exchange;
}

/// Hop number `hop` of the message with offset `offset`, forwards.
struct HopNumber {
  Node hop = 0, offset = 0;
};

/// All hops forwards of the messages with offsets 1 .. farthest.
std::vector<HopNumber> forward_hops(Node farthest) {
  std::vector<HopNumber> hops;
  for (Node hop = 1; hop <= farthest; ++hop) {
    for (Node offset = hop; offset <= farthest; ++offset) hops.push_back({hop, offset});
  }
  return hops;
}

/// Such a hop as digit `from` makes it.
Hop forward(Node n, Node from, HopNumber number) {
  const Node origin = (from + n - (number.hop - 1)) % n;
  return {0, from, (from + 1) % n, {origin, (origin + number.offset) % n}};
}

/// n odd: both directions in the same rounds.
Exchange odd_all_port(Node n) {
  Exchange exchange{1, {}};
  for (const HopNumber number : forward_hops(n / 2)) {
    const Hop hop = forward(n, 0, number);
    exchange.stages.push_back({{hop, mirror(n, 0, hop)}});
  }
  return exchange;
}

/// n = 2h: the halfway messages of even digits go forwards, those of odd digits backwards, so that
/// each halfway hop uses every other link. Two of them share their two rounds with one hop of the
/// others:
///
///   round a: even digits make halfway hop 2p-1, odd digits the other hop,
///   round b: odd digits make halfway hop 2p, even digits the other hop.
///
/// With h(h-1)/2 other hops that makes h(h-1)/2 + ceil(h/2) = ceil(n^2/8) rounds. If h is odd, the
/// last halfway hop has a round of its own.
class EvenAllPort {
 public:
  explicit EvenAllPort(Node n) : n_(n), half_(n / 2) {}

  Exchange exchange() {
    const std::vector<HopNumber> others = forward_hops(half_ - 1);
    std::size_t next = 0;
    for (Node hop = 1; hop + 1 <= half_; hop += 2, ++next) {
      add({forward(n_, 0, halfway(hop)), forward(n_, 1, others[next])});
      add({forward(n_, 1, halfway(hop + 1)), forward(n_, 0, others[next])});
    }
    for (; next < others.size(); ++next) {
      add({forward(n_, 0, others[next]), forward(n_, 1, others[next])});
    }
    if (half_ % 2 == 1) add({forward(n_, 0, halfway(half_))});
    return std::move(exchange_);
  }

 private:
  HopNumber halfway(Node hop) const { return {hop, half_}; }

  /// Backwards, even and odd digits are exchanged.
  void add(Round round) {
    const std::size_t size = round.size();
    for (std::size_t i = 0; i < size; ++i) round.push_back(mirror(n_, 1, round[i]));
    exchange_.stages.push_back({std::move(round)});
  }

  Node n_, half_;
  Exchange exchange_{2, {}};
};

/// Each hop number is a stage.
/// Total exchange on a ring of n >= 4 nodes in floor(n^2/4) rounds, all nodes doing the same.
Exchange ring_single_port(Node n) {
  Exchange exchange{1, {}};
  for (Node hop = 1, farthest = n / 2; hop <= farthest; ++hop) {
    Stage& stage = exchange.stages.emplace_back();
    for (Node offset = hop; offset <= farthest; ++offset) {
      stage.push_back({forward(n, 0, {hop, offset})});
    }
  }
  for (Node hop = 1, farthest = (n - 1) / 2; hop <= farthest; ++hop) {
    Stage& stage = exchange.stages.emplace_back();
    for (Node offset = farthest; offset >= hop; --offset) {
      stage.push_back({mirror(n, 0, forward(n, 0, {hop, offset}))});
    }
  }
  return exchange;
}

/// In (n^2-1)/8 rounds, all nodes doing the same, or in ceil(n^2/8), every other node doing the
/// same.
Exchange ring_all_port(Node n) { return n % 2 == 1 ? odd_all_port(n) : EvenAllPort(n).exchange(); }

/// The node where the translation that takes node 0 to `x` takes node `y`.
using Translation = Node (*)(const Graph& graph, Node x, Node y);

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

/// The translations of a Cayley graph: modulo the nodes, or, on cube-connected cycles, butterflies
/// and all graphs of d 2^d nodes that can be moved in the same way, by level and row. Nothing if
/// the graph is not mapped onto itself by either.
std::optional<Translation> translations_of(const Graph& graph) {
  const Arcs arcs(Topology(graph.spec, {graph}));
  if (keeps_links(graph, arcs, modulo_nodes)) return modulo_nodes;
  if (levels_of(graph) != 0 && keeps_links(graph, arcs, by_level_and_row)) return by_level_and_row;
  return std::nullopt;
}

/// Letter after letter of all words, as ring_single_port.
/// Total exchange on a Cayley graph, all nodes doing the same, in as many rounds as node 0 has
/// distances to all others, which is bound (3).
Exchange words_single_port(const Graph& graph, Translation moved) {
  const auto words = words_of(Arcs(Topology(graph.spec, {graph})));
  Exchange exchange{graph.nodes, {}};
  for (std::size_t letter = 1;; ++letter) {
    Stage stage;
    for (const std::vector<Node>& word : words) {
      if (letter >= word.size()) continue;
      Round& round = stage.emplace_back();
      for (Node x = 0; x < graph.nodes; ++x) {
        round.push_back({0,
                         moved(graph, x, word[letter - 1]),
                         moved(graph, x, word[letter]),
                         {x, moved(graph, x, word.back())}});
      }
    }
    if (stage.empty()) return exchange;
    exchange.stages.push_back(std::move(stage));
  }
}

bool is_path(const Graph& graph) {
  if (graph.ports != 2 || graph.peer(graph.nodes - 1, 0).connected()) return false;
  for (Node x = 0; x + 1 < graph.nodes; ++x) {
    if (graph.peer(x, 0).node != x + 1) return false;
  }
  return true;
}

/// Each node sends to the node `offset` digits on.
Hop direct(Node offset) { return {0, 0, offset, {0, offset}}; }

Exchange complete_single_port(Node n) {
  Stage stage;
  for (Node offset = 1; offset < n; ++offset) stage.push_back({direct(offset)});
  return {1, {stage}};
}

Exchange complete_all_port(Node n) {
  Round round;
  for (Node offset = 1; offset < n; ++offset) round.push_back(direct(offset));
  return {1, {{round}}};
}

const Schedule& planned(const Graph& graph, PortModel ports) {
  return factor_plan(graph, Collective::TotalExchange, ports, Duplex::Full);
}

/// A stage is a round of it.
Exchange exchange_of(const Schedule& plan) {
  Exchange exchange{plan.topology().nodes(), std::vector<Stage>(plan.rounds(), Stage(1))};
  for (const Transfer& t : plan.transfers()) {
    const auto path = plan.path(t);
    exchange.stages[t.round - 1][0].push_back({0, path[0], path[1], plan.messages(t)[0]});
  }
  return exchange;
}

std::uint64_t distances_of(const Arcs& arcs, Node x) {
  const std::vector<std::uint32_t> distances = distances_from(arcs, x);
  return std::accumulate(distances.begin(), distances.end(), std::uint64_t{0});
}

}  // namespace

Kind kind_of(const Graph& graph) {
  if (graph.cyclic && graph.ports + 1 == graph.nodes) return Kind::Complete;
  if (graph.cyclic && graph.ports == 2 && graph.peer(0, 0).node == 1) return Kind::Ring;
  return is_path(graph) ? Kind::Path : Kind::Other;
}

namespace {

/// Can it be moved onto itself by translations that we know? Then there is a rule for a single
/// port.
bool is_cayley(const Graph& graph) {
  return kind_of(graph) != Kind::Path && translations_of(graph).has_value();
}

}  // namespace

std::vector<Round> rounds_of(const Exchange& exchange) {
  std::vector<Round> rounds;
  for (const Stage& stage : exchange.stages) {
    rounds.insert(rounds.end(), stage.begin(), stage.end());
  }
  return rounds;
}

Exchange exchange(const Graph& graph, PortModel ports) {
  const bool single = ports == PortModel::Single;
  const Node n = graph.nodes;
  switch (kind_of(graph)) {
    case Kind::Ring: return single ? ring_single_port(n) : ring_all_port(n);
    case Kind::Path: return single ? path_single_port(n) : path_all_port(n);
    case Kind::Complete: return single ? complete_single_port(n) : complete_all_port(n);
    default: break;
  }
  const auto moved = single ? translations_of(graph) : std::nullopt;
  return moved ? words_single_port(graph, *moved) : exchange_of(planned(graph, ports));
}

std::uint64_t rounds(const Graph& graph, PortModel ports) {
  const bool single = ports == PortModel::Single;
  const std::uint64_t n = graph.nodes;
  switch (kind_of(graph)) {
    case Kind::Ring: return single ? n * n / 4 : (n * n + (n % 2 == 0 ? 7 : 0)) / 8;
    case Kind::Path: return single ? (n * n - 1) / 2 : middle_load(graph.nodes);
    case Kind::Complete: return single ? n - 1 : 1;
    default: break;
  }
  const bool words = single && translations_of(graph);
  return words ? distances_of(Arcs(Topology(graph.spec, {graph})), 0)
               : planned(graph, ports).rounds();
}

std::uint64_t hops(const Graph& graph) {
  const std::uint64_t n = graph.nodes;
  switch (kind_of(graph)) {
    case Kind::Ring: return n * (n * n / 4);
    case Kind::Path: return n * (n * n - 1) / 3;
    case Kind::Complete: return n * (n - 1);
    default: break;
  }
  const Arcs arcs(Topology(graph.spec, {graph}));
  if (translations_of(graph)) return n * distances_of(arcs, 0);
  std::uint64_t sum = 0;
  for (Node x = 0; x < graph.nodes; ++x) sum += distances_of(arcs, x);
  return sum;
}

Node period(const Graph& graph, PortModel ports) {
  const Kind kind = kind_of(graph);
  if (kind == Kind::Path || kind == Kind::Other) return graph.nodes;
  return ports == PortModel::All && kind == Kind::Ring && graph.nodes % 2 == 0 ? 2 : 1;
}

}  // namespace gossamer::dimension_exchange

namespace gossamer::copies {
namespace {

/// Transfers that a schedule may list: about 2 GB.
constexpr std::uint64_t kMostTransfers = std::uint64_t{1} << 25;

std::uint64_t listed_transfers(const Topology& topology, PortModel ports) {
  std::uint64_t hops = 0, order = 1;
  for (const Graph& graph : topology.factors()) {
    const std::uint64_t copies = topology.nodes() / graph.nodes;
    hops = bounds::add_saturating(
        hops, bounds::multiply_saturating(copies * copies, dimension_exchange::hops(graph)));
    order *= graph.nodes / dimension_exchange::period(graph, ports);
  }
  return hops / order;
}

}  // namespace

Batch own_messages(Node nodes) {
  Batch own(nodes);
  for (Node offset = 0; offset < nodes; ++offset) own[offset] = {0, offset};
  return own;
}

Carried moved(const Topology& topology, const Carried& there, Node offset, std::size_t first) {
  const Node back = topology.negate(offset * topology.stride(first));
  return {topology.translate(there.origin, back), topology.translate(there.destination, back)};
}

Schedule empty_schedule(const Request& request) {
  const Topology& topology = request.topology;
  std::vector<Node> generators;
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    const Graph& graph = topology.factors()[f];
    const Node period = dimension_exchange::period(graph, request.ports);
    if (period < graph.nodes) generators.push_back(period * topology.stride(f));
  }
  const Model model = {request.ports, Duplex::Full, Switching::Packet, false};
  return {topology, Collective::TotalExchange, model, Symmetry(topology, generators)};
}

Writer::Writer(Schedule& schedule) : schedule_(schedule) {
  const Topology& topology = schedule.topology();
  const Symmetry& symmetry = schedule.symmetry();
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    auto& by_digit = nodes_.emplace_back(topology.factors()[f].nodes);
    for (Node c = 0; c < symmetry.classes(); ++c) {
      const Node x = symmetry.representative(c);
      by_digit[topology.digit(x, f)].push_back(x);
    }
  }
}

Node Writer::replace_digit(Node x, std::size_t dimension, Node digit) const {
  const Topology& topology = schedule_.topology();
  return x + (digit - topology.digit(x, dimension)) * topology.stride(dimension);
}

Node Writer::offset(std::size_t dimension, const Hop& hop) const {
  const Node n = schedule_.topology().factors()[dimension].nodes;
  return (hop.message.destination + n - hop.message.origin) % n;
}

void Writer::add(std::uint32_t round, std::size_t dimension, const Hop& hop,
                 const Carried& carried) {
  const Topology& topology = schedule_.topology();
  for (const Node x : nodes_[dimension][hop.from]) {
    const Node start = replace_digit(x, dimension, hop.message.origin);
    schedule_.add({round,
                   x,
                   replace_digit(x, dimension, hop.to),
                   {topology.translate(start, carried.origin),
                    topology.translate(start, carried.destination)}});
  }
}

Schedule all_port_schedule(const Request& request, const std::vector<std::vector<Turn>>& turns) {
  Schedule schedule = empty_schedule(request);
  std::vector<std::vector<dimension_exchange::Round>> exchanges;  // by dimension
  std::uint64_t rounds = 0;
  for (const Graph& graph : request.topology.factors()) {
    exchanges.push_back(rounds_of(dimension_exchange::exchange(graph, PortModel::All)));
    const Turn& last = turns[exchanges.size() - 1].back();
    rounds = std::max(rounds, last.after + exchanges.back().size());
  }
  Writer writer(schedule);
  std::vector<std::size_t> current(exchanges.size(), 0);
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    for (std::size_t f = 0; f < exchanges.size(); ++f) {
      std::size_t& t = current[f];
      if (t < turns[f].size() && round > turns[f][t].after + exchanges[f].size()) ++t;
      if (t == turns[f].size() || round <= turns[f][t].after) continue;
      for (const auto& hop : exchanges[f][round - turns[f][t].after - 1]) {
        writer.add(round, f, hop, turns[f][t].batch[writer.offset(f, hop)]);
      }
    }
  }
  return schedule;
}

std::optional<std::string> refuses(std::string_view name, const Request& request) {
  const Topology& topology = request.topology;
  const PortModel ports = request.ports;
  for (const Graph& graph : topology.factors()) {
    if (dimension_exchange::kind_of(graph) != dimension_exchange::Kind::Other) continue;
    if (bounds::multiply_saturating(graph.nodes, graph.nodes - 1) > kMostTransfers) {
      return fmt::format("{} would list more than {} transfers on {}", name, kMostTransfers,
                         graph.spec);
    }
    if (ports == PortModel::Single && dimension_exchange::is_cayley(graph)) continue;
    if (topology.factors().size() == 1) {
      return fmt::format("{} needs a product, or a graph that it has a rule for", name);
    }
    if (const auto why = factor_refusal(graph, request.collective, ports, request.duplex)) {
      return fmt::format("{} has no exchange for {}: {}", name, graph.spec, *why);
    }
  }
  const std::uint64_t listed = listed_transfers(topology, ports);
  if (listed > kMostTransfers) {
    return fmt::format("{} would list {} transfers on {}; it lists up to {}", name, listed,
                       topology.spec(), kMostTransfers);
  }
  return std::nullopt;
}

}  // namespace gossamer::copies
