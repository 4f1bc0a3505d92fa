// Without a split message, rounds are the colours of the edges (message, port).
//
// The split message T of a ring of r nodes, h = r/2, goes forward from origins of even parity and
// backward from the others: in its i-th hop (from 0) forward out of nodes of parity i, backward out
// of the others. The other halves of the two ports must not rest, if the bound is to be met. So T
// takes two consecutive rounds a, b with a message F that needs a hop forward and a message G that
// needs one backward. Out of nodes of parity i (in a, in b) and i+1 (in a, in b) there go
//     forward    T F   F T
//     backward   G T   T G
//
// In the colouring, T has one hop forward (colour a) and one backward (colour b) for such a pair; F
// has its hop forward in b and nothing in a, and G the reverse. If h is odd, a hop more is made in
// a round where the rest of the two ports does rest: the bound, rounded up, has room for it.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/common/algorithm.hpp"
#include "algorithms/common/all.hpp"
#include "schedule/model.hpp"
#include "support/error.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
#include "topology/topology.hpp"

namespace gossamer::edge_colouring {
namespace {

/// An edge of a bipartite multigraph. Vertices of each side count from 0.
struct BipartiteEdge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

constexpr std::uint32_t kNone = ~std::uint32_t{0};

void count(std::vector<std::uint32_t>& degrees, std::uint32_t vertex) {
  if (vertex >= degrees.size()) degrees.resize(vertex + std::size_t{1}, 0);
  ++degrees[vertex];
}

/// The proof of König's theorem as an algorithm. Edges are coloured one by one. Some colour a is
/// still free at the left end of the next edge, and some b at its right end. If neither is free at
/// both ends, the path that starts at the right end and alternates between a and b is recoloured.
/// It reaches left vertices only by edges of colour a, so it never reaches the left end, which has
/// none. Then a is free at both ends.
class Colouring {
 public:
  explicit Colouring(std::span<const BipartiteEdge> edges)
      : edges_(edges), colour_of_(edges.size(), kNone), left_(edges.size()) {
    std::vector<std::uint32_t> left, right;  // degrees
    for (const BipartiteEdge& edge : edges) {
      count(left, edge.left);
      count(right, edge.right);
      colours_ = std::max({colours_, left[edge.left], right[edge.right]});
    }
    right_.assign(right.size() * colours_, kNone);
    no_free_below_.assign(right.size(), 0);
    left_begin_ = {0};
    for (const std::uint32_t degree : left) left_begin_.push_back(left_begin_.back() + degree);
    std::vector<std::uint32_t> next = left_begin_;
    for (std::uint32_t e = 0; e < edges.size(); ++e) left_[next[edges[e].left]++] = e;
  }

  std::vector<std::uint32_t> colour_all() {
    for (std::uint32_t e = 0; e < edges_.size(); ++e) {
      stop_if_interrupted();
      const auto [left, right] = edges_[e];
      std::uint32_t colour = free_at_right(right);
      if (at_left(left, colour) != kNone) {
        const std::uint32_t a = free_at_left(left);
        recolour_path(right, a, colour);
        colour = a;
      }
      colour_of_[e] = colour;
      at_right(right, colour) = e;
    }
    return std::move(colour_of_);
  }

 private:
  std::uint32_t at_left(std::uint32_t vertex, std::uint32_t colour) const {
    for (std::uint32_t i = left_begin_[vertex]; i < left_begin_[vertex + 1]; ++i) {
      if (colour_of_[left_[i]] == colour) return left_[i];
    }
    return kNone;
  }
  std::uint32_t& at_right(std::uint32_t vertex, std::uint32_t colour) {
    return right_[std::size_t{vertex} * colours_ + colour];
  }

  /// The smallest; one exists while an edge of the vertex is not coloured.
  std::uint32_t free_at_left(std::uint32_t vertex) const {
    const std::uint32_t degree = left_begin_[vertex + 1] - left_begin_[vertex];
    std::vector<bool> used(degree, false);
    for (std::uint32_t i = left_begin_[vertex]; i < left_begin_[vertex + 1]; ++i) {
      const std::uint32_t colour = colour_of_[left_[i]];
      if (colour < degree) used[colour] = true;
    }
    return static_cast<std::uint32_t>(std::find(used.begin(), used.end(), false) - used.begin());
  }

  std::uint32_t free_at_right(std::uint32_t vertex) {
    std::uint32_t& colour = no_free_below_[vertex];
    while (at_right(vertex, colour) != kNone) ++colour;
    return colour;
  }

  /// Exchanges a and b on the path that starts at a right vertex with an edge of colour a.
  void recolour_path(std::uint32_t right, std::uint32_t a, std::uint32_t b) {
    std::vector<std::uint32_t> path;
    for (;;) {
      const std::uint32_t there = at_right(right, a);
      if (there == kNone) break;
      path.push_back(there);
      const std::uint32_t back = at_left(edges_[there].left, b);
      if (back == kNone) break;
      path.push_back(back);
      right = edges_[back].right;
    }
    for (const std::uint32_t e : path) at_right(edges_[e].right, colour_of_[e]) = kNone;
    for (const std::uint32_t e : path) {
      std::uint32_t& lowest = no_free_below_[edges_[e].right];
      lowest = std::min(lowest, colour_of_[e]);
      colour_of_[e] = colour_of_[e] == a ? b : a;
      at_right(edges_[e].right, colour_of_[e]) = e;
    }
  }

  std::span<const BipartiteEdge> edges_;
  std::uint32_t colours_ = 0;
  std::vector<std::uint32_t> colour_of_;          ///< by edge; kNone: not coloured yet
  std::vector<std::uint32_t> left_begin_, left_;  ///< all edges at each left vertex
  std::vector<std::uint32_t> right_;              ///< right vertex x colour: edge or kNone
  std::vector<std::uint32_t> no_free_below_;      ///< by right vertex
};

/// König's theorem: a colour for every edge, as many as the largest degree of a vertex, so that
/// edges which share a vertex differ. The same edges in the same order get the same colours.
///
/// Made for few vertices of large degree on the right and many of small degree on the left: takes
/// time O(edges x (left degree + right vertices)) and memory O(edges + right vertices x colours).
std::vector<std::uint32_t> colour_bipartite_edges(std::span<const BipartiteEdge> edges) {
  return Colouring(edges).colour_all();
}

/// The message to `offset` needs a hop through `port`, for every origin.
struct Need {
  Node offset = 0;
  Port port = kNoPort;
};

/// In a dimension with an odd number of halfway messages, one of them cannot go the same way from
/// every node without loading one direction more than the other: the message to the node straight
/// across. It goes forward from nodes with an even digit and backward from the others.
struct SplitMessage {
  std::size_t dimension = 0;
  Node offset = 0;
  std::uint32_t hops = 0;  ///< 0: no message is split
  Port forward = kNoPort;
  Port backward = kNoPort;
  bool exists() const { return hops != 0; }
};

/// What all messages of node 0 need, apart from the split one: minimal paths; of the messages that
/// can go either way round a ring, as many go forward as backward. Over half-duplex links, which
/// carry both ways in turn, no message is split.
struct Hops {
  std::vector<Need> list;
  SplitMessage split;
};

bool is_complete(const Graph& factor) { return factor.cyclic && factor.ports + 1 == factor.nodes; }

/// Is the factor a ring of at least four nodes (so that hops have a sign), port 0 forward? All
/// other supported factors are complete graphs (including two and three nodes), one hop per
/// message.
bool is_signed_ring(const Graph& factor) {
  return factor.cyclic && factor.ports == 2 && factor.nodes > 3 && factor.peer(0, 0).node == 1;
}

/// Decides, dimension by dimension, which way halfway messages go.
class Ways {
 public:
  Ways(const Topology& topology, Duplex duplex)
      : topology_(topology), halfway_(topology.factors().size(), 0) {
    if (duplex == Duplex::Half) return;
    for (std::size_t f = 0; f < topology.factors().size(); ++f) {
      const Graph& factor = topology.factors()[f];
      const bool even_ring = is_signed_ring(factor) && factor.nodes % 2 == 0;
      if (even_ring && topology.nodes() / factor.nodes % 2 == 1) tear(f);
    }
  }

  const SplitMessage& split() const { return split_; }

  void append(Node offset, std::size_t f, std::vector<Need>& hops) {
    const Graph& factor = topology_.factors()[f];
    const Node digit = topology_.digit(offset, f);
    const Port first = topology_.first_port(f);
    if (digit == 0) return;
    if (is_complete(factor)) {
      hops.push_back({offset, first + digit - 1});
      return;
    }
    const bool back = 2 * digit > factor.nodes || (2 * digit == factor.nodes && backward_turn(f));
    const Node count = back ? factor.nodes - digit : digit;
    hops.insert(hops.end(), count, {offset, back ? first + 1 : first});
  }

 private:
  void tear(std::size_t f) {
    const Node half = topology_.factors()[f].nodes / 2;
    const Port first = topology_.first_port(f);
    split_ = {f, half * topology_.stride(f), half, first, first + 1};
  }
  bool backward_turn(std::size_t f) { return halfway_[f]++ % 2 == 1; }

  const Topology& topology_;
  std::vector<Node> halfway_;  ///< halfway messages so far, by dimension
  SplitMessage split_;
};

Hops hops_of(const Topology& topology, Duplex duplex) {
  Ways ways(topology, duplex);
  Hops hops;
  hops.split = ways.split();
  for (Node offset = 1; offset < topology.nodes(); ++offset) {
    if (hops.split.exists() && offset == hops.split.offset) continue;
    for (std::size_t f = 0; f < topology.factors().size(); ++f) ways.append(offset, f, hops.list);
  }
  return hops;
}

/// A hop in a round: of every origin's message, or (if a message is split) only for origins whose
/// digit in the split dimension has this parity.
struct Move {
  Need hop;
  std::optional<unsigned> origin_parity;
};
using Round = std::vector<Move>;

constexpr Node kNobody = 0;  // no message goes to offset 0
/// Orders of the hops that are tried until a colouring has pairs for T; the first one nearly always
/// has.
constexpr unsigned kTries = 1000;

/// The message that each port forwards in each round; kNobody if it is idle.
class Grid {
 public:
  Grid(const std::vector<Need>& hops, Port ports, std::uint32_t rounds)
      : ports_(ports), cells_(std::size_t{ports} * rounds, kNobody) {
    std::vector<BipartiteEdge> edges;
    edges.reserve(hops.size());
    for (const Need& hop : hops) edges.push_back({hop.offset, hop.port});
    const std::vector<std::uint32_t> colours = colour_bipartite_edges(edges);
    for (std::size_t e = 0; e < hops.size(); ++e) {
      cells_[std::size_t{colours[e]} * ports + hops[e].port] = hops[e].offset;
    }
  }

  std::uint32_t rounds() const { return static_cast<std::uint32_t>(cells_.size() / ports_); }
  Node at(std::uint32_t round, Port port) const {
    return cells_[std::size_t{round} * ports_ + port];
  }
  bool moves(std::uint32_t round, Node offset) const {
    for (Port p = 0; p < ports_; ++p) {
      if (at(round, p) == offset) return true;
    }
    return false;
  }
  /// The hops of a round through all ports except two.
  Round round_without(std::uint32_t round, Port one, Port other) const {
    Round moves;
    for (Port p = 0; p < ports_; ++p) {
      if (p != one && p != other && at(round, p) != kNobody)
        moves.push_back({{at(round, p), p}, {}});
    }
    return moves;
  }

 private:
  Port ports_;
  std::vector<Node> cells_;  ///< row by row
};

/// Rounds with the split message.
class SplitRounds {
 public:
  SplitRounds(const Topology& topology, const Hops& hops, std::uint32_t count)
      : topology_(topology), split_(hops.split), count_(count), hops_(hops.list) {}

  std::vector<Round> find() {
    if (split_.hops % 2 == 1) make_odd_round();
    add_split_hops();
    std::mt19937 random(1);
    for (unsigned attempt = 0; attempt < kTries; ++attempt) {
      const Grid grid(hops_, topology_.ports(), count_);
      if (find_pairs(grid)) return arrange(grid);
      // Not std::shuffle, whose result depends on the library.
      for (std::size_t i = hops_.size(); i > 1; --i) std::swap(hops_[i - 1], hops_[random() % i]);
    }
    throw InputError(
        fmt::format("edge-colouring found no schedule of {} rounds for {} in {} attempts", count_,
                    topology_.spec(), kTries));
  }

 private:
  /// T alone on its two ports; each other port that has a hop sends a message of its own.
  void make_odd_round() {
    odd_.emplace();
    odd_->push_back({{split_.offset, split_.forward}, 0});
    odd_->push_back({{split_.offset, split_.backward}, 1});
    std::vector<bool> busy(topology_.ports(), false), moves(topology_.nodes(), false);
    busy[split_.forward] = busy[split_.backward] = true;
    std::vector<Need> later;
    for (const Need& hop : hops_) {
      if (busy[hop.port] || moves[hop.offset]) {
        later.push_back(hop);
        continue;
      }
      busy[hop.port] = moves[hop.offset] = true;
      odd_->push_back({hop, {}});
    }
    hops_ = std::move(later);
    --count_;
  }

  void add_split_hops() {
    hops_.insert(hops_.end(), split_.hops / 2, {split_.offset, split_.forward});
    hops_.insert(hops_.end(), split_.hops / 2, {split_.offset, split_.backward});
  }

  bool find_pairs(const Grid& grid) {
    forward_in_.clear();
    backward_in_.clear();
    for (std::uint32_t round = 0; round < grid.rounds(); ++round) {
      if (grid.at(round, split_.forward) == split_.offset) forward_in_.push_back(round);
      if (grid.at(round, split_.backward) == split_.offset) backward_in_.push_back(round);
    }
    partner_.assign(backward_in_.size(), backward_in_.size());
    for (std::size_t a = 0; a < forward_in_.size(); ++a) {
      std::vector<bool> seen(backward_in_.size(), false);
      if (!reassign(grid, a, seen)) return false;
    }
    return true;
  }

  /// May T go forward in a and backward in b?
  bool fits(const Grid& grid, std::uint32_t a, std::uint32_t b) const {
    const Node f = grid.at(b, split_.forward), g = grid.at(a, split_.backward);
    return (f == kNobody || !grid.moves(a, f)) && (g == kNobody || !grid.moves(b, g));
  }

  /// A matching of the colours a with the colours b, by augmenting paths.
  bool reassign(const Grid& grid, std::size_t a, std::vector<bool>& seen) {
    for (std::size_t b = 0; b < backward_in_.size(); ++b) {
      if (seen[b] || !fits(grid, forward_in_[a], backward_in_[b])) continue;
      seen[b] = true;
      if (partner_[b] == partner_.size() || reassign(grid, partner_[b], seen)) {
        partner_[b] = a;
        return true;
      }
    }
    return false;
  }

  /// The odd hop first, then the rounds without T, then the pairs.
  std::vector<Round> arrange(const Grid& grid) {
    turns_.assign(topology_.nodes(), 0);
    if (odd_) add_odd_round();
    for (std::uint32_t round = 0; round < grid.rounds(); ++round) {
      if (!grid.moves(round, split_.offset)) add_whole(grid.round_without(round, kNoPort, kNoPort));
    }
    for (std::size_t pair = 0; pair < backward_in_.size(); ++pair) {
      add_pair(grid, forward_in_[partner_[pair]], backward_in_[pair]);
    }
    return std::move(rounds_);
  }

  /// Half of the messages F hop in a and the other half in b, so that between a and b their places
  /// are not translations of one another; so b follows at once.
  void add_pair(const Grid& grid, std::uint32_t a, std::uint32_t b) {
    const Node f = grid.at(b, split_.forward), g = grid.at(a, split_.backward);
    const unsigned i = turns_[split_.offset];
    for (unsigned second = 0; second < 2; ++second) {
      const std::size_t round = rounds_.size();
      rounds_.push_back(grid.round_without(second ? b : a, split_.forward, split_.backward));
      add_half(round, split_.offset, split_.forward, 0);
      add_half(round, split_.offset, split_.backward, 1);
      add_half(round, f, split_.forward, i + 1 + turns_[f] + second);
      add_half(round, g, split_.backward, i + turns_[g] + second);
    }
    ++turns_[f];
    ++turns_[g];
    turns_[split_.offset] += 2;
  }

  void add_odd_round() {
    rounds_.push_back(*odd_);
    turns_[split_.offset] = 1;  // the other messages do not use its ports
  }

  /// A round that is the same everywhere.
  void add_whole(Round round) {
    for (const Move& move : round) {
      if (move.hop.port == split_.forward || move.hop.port == split_.backward)
        ++turns_[move.hop.offset];
    }
    rounds_.push_back(std::move(round));
  }

  void add_half(std::size_t round, Node offset, Port port, unsigned origin_parity) {
    if (offset != kNobody) rounds_[round].push_back({{offset, port}, origin_parity % 2});
  }

  const Topology& topology_;
  const SplitMessage& split_;
  std::uint32_t count_;
  std::vector<Need> hops_;
  std::optional<Round> odd_;                             ///< the round of T's odd hop
  std::vector<std::uint32_t> forward_in_, backward_in_;  ///< colours in which T has hops
  std::vector<std::size_t> partner_;  ///< of each backward_in_: index in forward_in_
  std::vector<Round> rounds_;
  std::vector<unsigned> turns_;  ///< hops made in the split dimension, by offset
};

/// All hops in `count` rounds, at least the largest number of hops through one port: each port and
/// each message has at most one hop per round. Throws InputError if it finds no partners for the
/// split message; this has happened on no topology tried (docs/research/beyond.md).
std::vector<Round> rounds_of(const Topology& topology, const Hops& hops, std::uint32_t count) {
  if (hops.split.exists()) return SplitRounds(topology, hops, count).find();
  const Grid grid(hops.list, topology.ports(), count);
  std::vector<Round> rounds;
  for (std::uint32_t round = 0; round < grid.rounds(); ++round) {
    rounds.push_back(grid.round_without(round, kNoPort, kNoPort));
  }
  return rounds;
}

/// Over half-duplex links, none of which leads through the same port of both ends: every node uses
/// a port, or the port that leads back, but not both in a round.
std::vector<Round> half_duplex_rounds(const Topology& topology, const Hops& hops) {
  std::vector<BipartiteEdge> edges;
  edges.reserve(hops.list.size());
  for (const Need& hop : hops.list) {
    edges.push_back({hop.offset, std::min(hop.port, port_back(topology, hop.port))});
  }
  const std::vector<std::uint32_t> colours = colour_bipartite_edges(edges);
  std::vector<Round> rounds(std::ranges::max(colours) + std::size_t{1});
  for (std::size_t e = 0; e < edges.size(); ++e) rounds[colours[e]].push_back({hops.list[e], {}});
  return rounds;
}

}  // namespace

}  // namespace gossamer::edge_colouring

namespace gossamer {
namespace {

using namespace edge_colouring;

std::optional<std::string> refuses(const Request& request) {
  for (const Graph& factor : request.topology.factors()) {
    if (is_complete(factor) || is_signed_ring(factor)) continue;
    return fmt::format("edge-colouring needs a product of rings and complete graphs; {} is neither",
                       factor.spec);
  }
  return std::nullopt;
}

/// The load of one direction of one dimension: hops of all messages of a node through its port.
/// Over half-duplex links, of both directions.
Formula load(const Graph& factor, std::uint64_t nodes, Duplex duplex) {
  const std::uint64_t r = factor.nodes;
  if (duplex == Duplex::Half) {
    if (is_complete(factor)) return {fmt::format("2N/{}", r), nodes / r * 2};
    if (r % 2 == 1) return {fmt::format("N*({0}^2-1)/(4*{0})", r), nodes / r * ((r * r - 1) / 4)};
    return {fmt::format("N*{}/4", r), nodes / r * (r * r / 4)};
  }
  if (is_complete(factor)) return {fmt::format("N/{}", r), nodes / r};
  if (r % 2 == 1) return {fmt::format("N*({0}^2-1)/(8*{0})", r), nodes / r * ((r * r - 1) / 8)};
  return {fmt::format("ceil(N*{}/8)", r), (nodes * r + 7) / 8};
}

Formula most_load(const Topology& topology, Duplex duplex) {
  Formula most;
  for (const Graph& factor : topology.factors()) {
    Formula one = load(factor, topology.nodes(), duplex);
    if (one.rounds > most.rounds) most = std::move(one);
  }
  return most;
}

Formula formula(const Request& request) { return most_load(request.topology, request.duplex); }

/// Every node does the same; if a message is split, every node of the same parity does.
Symmetry symmetry_of(const Topology& topology, const SplitMessage& split) {
  std::vector<Node> generators;
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    const Node step = split.exists() && f == split.dimension ? 2 : 1;
    generators.push_back(step * topology.stride(f));
  }
  return Symmetry(topology, generators);
}

/// Where the messages of one class of origins are.
struct MessagePlaces {
  Node origin = 0;
  std::vector<Node> at;  ///< by offset
};

/// Adds all moves, for each class of origins. With `second` a round is two: what this says of a
/// sender and its port comes in the second one.
void add_rounds(Schedule& schedule, const SplitMessage& split, const std::vector<Round>& rounds,
                const std::function<bool(Node, Port)>& second = {}) {
  const Topology& topology = schedule.topology();
  std::vector<MessagePlaces> places;
  for (Node c = 0; c < schedule.symmetry().classes(); ++c) {
    const Node origin = schedule.symmetry().representative(c);
    places.push_back({origin, std::vector<Node>(topology.nodes(), origin)});
  }
  std::uint32_t number = 0;
  const auto add = [&](const Move& move, MessagePlaces& of) {
    Node& at = of.at[move.hop.offset];
    const Node to = topology.peer(at, move.hop.port).node;
    const Message message{of.origin, topology.translate(of.origin, move.hop.offset)};
    schedule.add({number, std::exchange(at, to), to, message});
  };
  for (const Round& round : rounds) {
    std::vector<std::pair<Move, MessagePlaces*>> later;
    ++number;
    for (const Move& move : round) {
      for (MessagePlaces& of : places) {
        const Node parity = topology.digit(of.origin, split.dimension) % 2;
        if (move.origin_parity && parity != *move.origin_parity) continue;
        if (second && second(of.at[move.hop.offset], move.hop.port)) {
          later.emplace_back(move, &of);
        } else {
          add(move, of);
        }
      }
    }
    if (second) ++number;
    for (const auto& [move, of] : later) add(move, *of);
  }
}

/// Before there are any: of the hops, their colours and the lines of the schedule.
void require_memory_of_hops(const Topology& topology) {
  constexpr double kBytesOfHop = 100;  // as measured
  double hops = 0;
  for (const Graph& factor : topology.factors()) {
    const Formula through_port = load(factor, topology.nodes(), Duplex::Full);
    hops += static_cast<double>(through_port.rounds) * factor.ports;
  }
  require_memory(kBytesOfHop * hops, "a total exchange on " + topology.spec());
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  require_memory_of_hops(topology);
  const Model model = {PortModel::All, request.duplex, Switching::Packet, /*combining=*/false};
  const SenderClasses classes(topology, request.duplex);
  // Some links lead through the same port of both ends. Each round over full-duplex links becomes
  // two, one for each direction of a link. That is no round too many: such a dimension has an even
  // number of nodes, so the loads of all directions are whole numbers and no message is split.
  const bool in_turns = classes.count() > 1;
  const Duplex duplex = in_turns ? Duplex::Full : request.duplex;
  const Hops hops = hops_of(topology, duplex);
  const auto count = static_cast<std::uint32_t>(most_load(topology, duplex).rounds);
  const std::vector<Round> rounds = duplex == Duplex::Full ? rounds_of(topology, hops, count)
                                                           : half_duplex_rounds(topology, hops);
  Schedule schedule(topology, Collective::TotalExchange, model,
                    request.duplex == Duplex::Full ? symmetry_of(topology, hops.split)
                                                   : Symmetry(topology, classes.generators()));
  if (!in_turns) {
    add_rounds(schedule, hops.split, rounds);
    return schedule;
  }
  add_rounds(schedule, hops.split, rounds, [&](Node x, Port p) {
    const Port back = port_back(topology, p);
    return back == p ? classes.of(x) >= classes.count() / 2 : back < p;
  });
  return schedule;
}

}  // namespace

const Algorithm kEdgeColouring = {
    .name = "edge-colouring",
    .summary =
        "total exchange on tori of any sides, hypercubes and ghc, all ports, full or half duplex",
    .serves = every({Collective::TotalExchange}, {PortModel::All}, {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .formula = formula,
    .make = plan,
};

}  // namespace gossamer
