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

#include "algorithms/edge_colouring/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "algorithms/common/sender_classes.hpp"
#include "algorithms/edge_colouring/bipartite_edge_colouring.hpp"
#include "support/error.hpp"

namespace gossamer::edge_colouring {
namespace {

constexpr Node kNobody = 0;  // no message goes to offset 0
/// Orders of the hops that are tried until a colouring has pairs for T; the first one nearly always
/// has.
constexpr unsigned kTries = 1000;

/// The message that each port forwards in each round; kNobody if it is idle.
class Grid {
 public:
  Grid(const std::vector<Hop>& hops, Port ports, std::uint32_t rounds)
      : ports_(ports), cells_(std::size_t{ports} * rounds, kNobody) {
    std::vector<BipartiteEdge> edges;
    edges.reserve(hops.size());
    for (const Hop& hop : hops) edges.push_back({hop.offset, hop.port});
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

  std::vector<Round> find();

 private:
  void make_odd_round();
  void add_split_hops();
  bool find_pairs(const Grid& grid);
  bool fits(const Grid& grid, std::uint32_t a, std::uint32_t b) const;
  bool reassign(const Grid& grid, std::size_t a, std::vector<bool>& seen);
  std::vector<Round> arrange(const Grid& grid);
  void add_pair(const Grid& grid, std::uint32_t a, std::uint32_t b);
  void add_odd_round();
  void add_whole(Round round);
  void add_half(std::size_t round, Node offset, Port port, unsigned origin_parity);

  const Topology& topology_;
  const SplitMessage& split_;
  std::uint32_t count_;
  std::vector<Hop> hops_;
  std::optional<Round> odd_;                             ///< the round of T's odd hop
  std::vector<std::uint32_t> forward_in_, backward_in_;  ///< colours in which T has hops
  std::vector<std::size_t> partner_;  ///< of each backward_in_: index in forward_in_
  std::vector<Round> rounds_;
  std::vector<unsigned> turns_;  ///< hops made in the split dimension, by offset
};

/// T alone on its two ports; each other port that has a hop sends a message of its own.
void SplitRounds::make_odd_round() {
  odd_.emplace();
  odd_->push_back({{split_.offset, split_.forward}, 0});
  odd_->push_back({{split_.offset, split_.backward}, 1});
  std::vector<bool> busy(topology_.ports(), false), moves(topology_.nodes(), false);
  busy[split_.forward] = busy[split_.backward] = true;
  std::vector<Hop> later;
  for (const Hop& hop : hops_) {
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

void SplitRounds::add_split_hops() {
  hops_.insert(hops_.end(), split_.hops / 2, {split_.offset, split_.forward});
  hops_.insert(hops_.end(), split_.hops / 2, {split_.offset, split_.backward});
}

/// May T go forward in a and backward in b?
bool SplitRounds::fits(const Grid& grid, std::uint32_t a, std::uint32_t b) const {
  const Node f = grid.at(b, split_.forward), g = grid.at(a, split_.backward);
  return (f == kNobody || !grid.moves(a, f)) && (g == kNobody || !grid.moves(b, g));
}

/// A matching of the colours a with the colours b, by augmenting paths.
bool SplitRounds::reassign(const Grid& grid, std::size_t a, std::vector<bool>& seen) {
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

bool SplitRounds::find_pairs(const Grid& grid) {
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

void SplitRounds::add_odd_round() {
  rounds_.push_back(*odd_);
  turns_[split_.offset] = 1;  // the other messages do not use its ports
}

/// A round that is the same everywhere.
void SplitRounds::add_whole(Round round) {
  for (const Move& move : round) {
    if (move.hop.port == split_.forward || move.hop.port == split_.backward)
      ++turns_[move.hop.offset];
  }
  rounds_.push_back(std::move(round));
}

void SplitRounds::add_half(std::size_t round, Node offset, Port port, unsigned origin_parity) {
  if (offset != kNobody) rounds_[round].push_back({{offset, port}, origin_parity % 2});
}

/// Half of the messages F hop in a and the other half in b, so that between a and b their places
/// are not translations of one another; so b follows at once.
void SplitRounds::add_pair(const Grid& grid, std::uint32_t a, std::uint32_t b) {
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

/// The odd hop first, then the rounds without T, then the pairs.
std::vector<Round> SplitRounds::arrange(const Grid& grid) {
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

std::vector<Round> SplitRounds::find() {
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

}  // namespace

std::vector<Round> rounds_of(const Topology& topology, const Hops& hops, std::uint32_t count) {
  if (hops.split.exists()) return SplitRounds(topology, hops, count).find();
  const Grid grid(hops.list, topology.ports(), count);
  std::vector<Round> rounds;
  for (std::uint32_t round = 0; round < grid.rounds(); ++round) {
    rounds.push_back(grid.round_without(round, kNoPort, kNoPort));
  }
  return rounds;
}

std::vector<Round> half_duplex_rounds(const Topology& topology, const Hops& hops) {
  std::vector<BipartiteEdge> edges;
  edges.reserve(hops.list.size());
  for (const Hop& hop : hops.list) {
    edges.push_back({hop.offset, std::min(hop.port, port_back(topology, hop.port))});
  }
  std::vector<Round> rounds(max_degree(edges));
  const std::vector<std::uint32_t> colours = colour_bipartite_edges(edges);
  for (std::size_t e = 0; e < edges.size(); ++e) rounds[colours[e]].push_back({hops.list[e], {}});
  return rounds;
}

}  // namespace gossamer::edge_colouring
