// Gossip with combining, and what follows from it.
//
// A node that sends may as well send all that the receiver lacks. So a schedule is a choice of arcs
// for each round. If not all of them can send at once, attempts differ in which arcs claim first
// (claims.hpp):
//
// - those that carry the most messages, and chance changes this order more or less; or
// - the links of one colour of an edge colouring, then those of the next, over and over, as on a
//   hypercube the dimensions; the others where there is room, and those of rare colours; or
// - through a single port, a gather to one node and a broadcast from it, which is best on a star.
//
// On small graphs a search of another kind then tries to save a round, and one more
// (shorter_gossip.cpp).
#include "algorithms/any_graph/combining.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "algorithms/any_graph/bit_sets.hpp"
#include "algorithms/any_graph/broadcast.hpp"
#include "algorithms/any_graph/claims.hpp"
#include "algorithms/any_graph/random.hpp"
#include "algorithms/any_graph/shorter_gossip.hpp"
#include "bounds/resources.hpp"

namespace gossamer::any_graph {
namespace {

/// Arcs that claim first, in rounds of which the first few are repeated; and whether others may
/// follow.
struct Preference {
  std::vector<std::vector<ArcId>> rounds = {};
  std::size_t period = 0;
  bool others = true;
};

class Attempt {
 public:
  /// `noise`: chance may raise what an arc is worth by this part of it.
  Attempt(const Arcs& arcs, const bounds::Resources& resources, std::uint64_t seed, double noise,
          const Preference& preference)
      : arcs_(arcs),
        random_(seed),
        noise_(noise),
        preference_(preference),
        claims_(arcs, resources),
        holds_(arcs.nodes(), arcs.nodes()),
        stored_(arcs.nodes(), 1),
        place_(std::size_t{arcs.nodes()} * arcs.nodes(), 0),
        worth_(arcs.count()) {
    for (Node x = 0; x < arcs.nodes(); ++x) {
      BitSets::insert(holds_[x], x);
    }
  }

  /// Empty if it would take `limit` rounds or more.
  std::vector<Batch> run(std::uint32_t limit) {
    std::uint64_t missing = std::uint64_t{arcs_.nodes()} * (arcs_.nodes() - 1);
    for (std::uint32_t round = 1; missing > 0; ++round) {
      stop_if_interrupted();
      if (round >= limit) return {};
      choose_arcs(round);
      const std::size_t begin = batches_.size();
      for (Node x = 0; x < arcs_.nodes(); ++x) receive(x, round);
      for (std::size_t i = begin; i < batches_.size(); ++i) {
        const Batch& batch = batches_[i];
        missing -= batch.messages.size();
        for (const Message& m : batch.messages) {
          BitSets::insert(holds_[batch.to], m.origin);
          place(batch.to, m.origin) = stored_[batch.to]++;
        }
      }
    }
    return std::move(batches_);
  }

 private:
  /// Messages that the tail holds and the head lacks.
  std::uint32_t new_messages(ArcId a) const {
    const Word* const from = holds_[arcs_.tail(a)];
    const Word* const to = holds_[arcs_.head(a)];
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < holds_.words(); ++i) {
      count += static_cast<std::uint32_t>(std::popcount(from[i] & ~to[i]));
    }
    return count;
  }

  void choose_arcs(std::uint32_t round) {
    order_.clear();
    for (ArcId a = 0; a < arcs_.count(); ++a) {
      const std::uint32_t count = new_messages(a);
      worth_[a] = count * (1 + noise_ * random_.below(1024) / 1024);
      if (count > 0) order_.push_back(a);
    }
    random_.shuffle(order_);
    std::ranges::stable_sort(order_, std::greater{}, [&](ArcId a) { return worth_[a]; });
    claims_.begin_round();
    const auto useful = [&](ArcId a) { return worth_[a] > 0; };
    if (preference_.period > 0) {
      for (const ArcId a : preference_.rounds[(round - 1) % preference_.period]) {
        if (useful(a)) claims_.claim(a, useful);
      }
      if (!preference_.others) return;
    }
    for (const ArcId a : order_) claims_.claim(a, useful);
  }

  /// What arrives at `x` in this round: each message over one arc, so that the arc that carries the
  /// most carries as little as it can; what only one arc can bring is given out first.
  void receive(Node x, std::uint32_t round) {
    std::vector<Batch> in;
    for (ArcId out = arcs_.first(x); out < arcs_.first(x) + arcs_.degree(x); ++out) {
      const ArcId a = arcs_.reverse(out);
      if (worth_[a] > 0 && claims_.sends(a)) in.push_back({round, arcs_.tail(a), x, {}});
    }
    std::vector<Node> open;  // more than one arc can bring it
    for (std::uint32_t i = 0; i < holds_.words(); ++i) {
      Word once = 0, twice = 0;
      for (const Batch& batch : in) {
        const Word from = holds_[batch.from][i] & ~holds_[x][i];
        twice |= once & from;
        once |= from;
      }
      for (; once != 0; once &= once - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(once));
        const Node m = i * kWordBits + bit;
        if (twice >> bit & 1) {
          open.push_back(m);
        } else {
          std::ranges::find_if(in, [&](const Batch& b) {
            return BitSets::contains(holds_[b.from], m);
          })->messages.push_back({m});
        }
      }
    }
    for (const Node m : open) {
      Batch* least = nullptr;
      for (Batch& b : in) {
        if (!BitSets::contains(holds_[b.from], m)) continue;
        if (least == nullptr || b.messages.size() < least->messages.size()) least = &b;
      }
      least->messages.push_back({m});
    }
    while (relieve(in)) {
    }
    for (Batch& b : in) {
      if (b.messages.empty()) continue;
      // In the order in which the sender stored them: few segments to read.
      std::ranges::sort(b.messages, {}, [&](const Message& m) { return place(b.from, m.origin); });
      batches_.push_back(std::move(b));
    }
  }

  /// Takes a message from a batch that has the most, over others that pass one on, to one that has
  /// two less; false if that is not possible.
  bool relieve(std::vector<Batch>& in) const {
    const auto size = [](const Batch& b) { return b.messages.size(); };
    const auto most = std::ranges::max_element(in, {}, size);
    if (most == in.end()) return false;
    struct Way {
      std::size_t from = 0, message = 0;  ///< the batch that passes on, and its message's place
    };
    std::vector<std::optional<Way>> ways(in.size());
    const auto start = static_cast<std::size_t>(most - in.begin());
    std::vector<std::size_t> reached = {start};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const Batch& from = in[reached[i]];
      for (std::size_t to = 0; to < in.size(); ++to) {
        if (to == start || ways[to]) continue;
        const auto m = std::ranges::find_if(from.messages, [&](const Message& message) {
          return BitSets::contains(holds_[in[to].from], message.origin);
        });
        if (m == from.messages.end()) continue;
        ways[to] = Way{reached[i], static_cast<std::size_t>(m - from.messages.begin())};
        reached.push_back(to);
        if (size(in[to]) + 2 > size(*most)) continue;
        for (std::size_t at = to; at != start; at = ways[at]->from) {
          std::vector<Message>& before = in[ways[at]->from].messages;
          in[at].messages.push_back(before[ways[at]->message]);
          before.erase(before.begin() + static_cast<std::ptrdiff_t>(ways[at]->message));
        }
        return true;
      }
    }
    return false;
  }

  std::uint32_t& place(Node x, Node m) { return place_[std::size_t{x} * arcs_.nodes() + m]; }

  const Arcs& arcs_;
  Random random_;
  double noise_;
  const Preference& preference_;
  Claims claims_;
  BitSets holds_;                      ///< of each node, when the round starts
  std::vector<std::uint32_t> stored_;  ///< messages of each node
  std::vector<std::uint32_t> place_;   ///< of each message among those of a node
  std::vector<double> worth_;          ///< of each arc in this round
  std::vector<ArcId> order_;
  std::vector<Batch> batches_;
};

/// The links by the colours of a proper edge colouring, each node's in the order of its ports. Over
/// half-duplex links they go one way in one round and back in another.
Preference by_colours(const Arcs& arcs, Duplex duplex) {
  Preference preference;
  auto& rounds = preference.rounds;
  std::vector<std::vector<bool>> has(arcs.nodes());
  for (ArcId a = 0; a < arcs.count(); ++a) {
    const ArcId back = arcs.reverse(a);
    if (back < a) continue;
    std::vector<bool>&x = has[arcs.tail(a)], &y = has[arcs.head(a)];
    std::size_t colour = 0;
    while ((colour < x.size() && x[colour]) || (colour < y.size() && y[colour])) ++colour;
    for (auto* const end : {&x, &y}) {
      if (end->size() <= colour) end->resize(colour + 1);
      (*end)[colour] = true;
    }
    if (duplex == Duplex::Full) {
      if (rounds.size() <= colour) rounds.resize(colour + 1);
      rounds[colour].insert(rounds[colour].end(), {a, back});
    } else {
      if (rounds.size() <= 2 * colour) rounds.resize(2 * colour + 2);
      rounds[2 * colour].push_back(a);
      rounds[2 * colour + 1].push_back(back);
    }
  }
  preference.period = rounds.size();
  return preference;
}

ArcId arc_between(const Arcs& arcs, Node from, Node to) {
  const auto neighbours = arcs.neighbours(from);
  return arcs.first(from) +
         static_cast<ArcId>(std::ranges::find(neighbours, to) - neighbours.begin());
}

/// A broadcast backwards, then forwards.
Preference there_and_back(const Arcs& arcs, const std::vector<Hop>& broadcast) {
  const std::uint32_t rounds = broadcast.back().round;
  Preference preference{std::vector<std::vector<ArcId>>(2 * rounds), 2 * rounds,
                        /*others=*/false};
  for (const Hop& hop : broadcast) {
    const ArcId a = arc_between(arcs, hop.from, hop.to);
    preference.rounds[rounds - hop.round].push_back(arcs.reverse(a));
    preference.rounds[rounds + hop.round - 1].push_back(a);
  }
  return preference;
}

/// A node from which no other is farther than necessary.
Node centre(const Arcs& arcs) {
  Node best = 0;
  auto least = ~std::uint32_t{0};
  for (Node x = 0; x < arcs.nodes(); ++x) {
    stop_if_interrupted();
    const std::uint32_t farthest = std::ranges::max(distances_from(arcs, x));
    if (farthest >= least) continue;
    least = farthest;
    best = x;
  }
  return best;
}

}  // namespace

std::vector<Batch> gossip_combining(const Arcs& arcs, PortModel ports, Duplex duplex,
                                    std::uint32_t bound, const Effort& effort) {
  constexpr std::uint64_t kEnough = 4'000'000;       // receptions planned
  constexpr std::uint64_t kEnoughWords = 8'000'000;  // of sets, in one annealing
  constexpr std::uint64_t kMostChanges = 150'000;
  constexpr std::uint64_t kChangesOfANode = 8'000;
  constexpr std::uint64_t kFewestChanges = 20'000;  // with fewer it finds nothing
  constexpr unsigned kMostFailures = 3;
  constexpr double kNoises[] = {0, 0.1, 0.5, 2};
  const bounds::Resources resources(arcs, ports, duplex);
  const Preference no_preference;
  Preference colours = by_colours(arcs, duplex);
  std::vector<Batch> best;
  const auto attempt = [&](std::uint64_t seed, double noise, const Preference& preference) {
    const std::uint32_t limit = best.empty() ? ~std::uint32_t{0} : best.back().round;
    auto next = Attempt(arcs, resources, seed, noise, preference).run(limit);
    if (!next.empty()) best = std::move(next);
  };
  std::uint64_t seed = std::uint64_t{effort.seed} << 32;
  attempt(seed, 0, no_preference);
  if (best.back().round > bound) attempt(seed, 0, colours);
  if (ports == PortModel::Single && best.back().round > bound) {
    const auto broadcast = broadcast_single_port(arcs, centre(arcs), bound, Effort{effort.seed});
    attempt(seed, 0, there_and_back(arcs, broadcast));
  }
  const auto attempt_anew = [&] {
    const double noise = kNoises[++seed / 2 % std::size(kNoises)];
    if (seed % 2 == 0) return attempt(seed, noise, no_preference);
    Random random(seed);
    random.shuffle(colours.rounds);
    const auto most = static_cast<std::uint32_t>(colours.rounds.size());
    colours.period = most - random.below((most + 1) / 2);
    attempt(seed, noise, colours);
  };
  const std::uint64_t words = (arcs.nodes() + kWordBits - 1) / kWordBits;
  // On dense graphs every change and every attempt looks at more arcs.
  const std::uint64_t density = std::max<std::uint64_t>(1, arcs.count() / arcs.nodes() / 8);
  const std::uint64_t changes = std::min({kMostChanges, kChangesOfANode * arcs.nodes(),
                                          kEnoughWords / (arcs.nodes() * words) / density});
  const bool anneal = changes >= kFewestChanges;
  const auto save_a_round = [&] {
    const std::uint32_t fewer = best.back().round - 1;
    auto rounds = anneal_gossip(arcs, resources, fewer, changes, ++seed);
    if (!rounds) return false;
    attempt(seed, 0, Preference{std::move(*rounds), fewer, /*others=*/false});
    return best.back().round <= fewer;
  };
  const std::uint64_t receptions = density * arcs.nodes() * arcs.nodes();
  best_so_far(effort, [&] {
    const std::uint64_t enough = enough_work(anneal ? kEnough / 4 : kEnough, receptions);
    for (std::uint64_t work = 0; best.back().round > bound; work += receptions) {
      if (anneal ? work >= enough : effort.over(work, enough)) break;
      attempt_anew();
    }
    for (unsigned failures = 0; anneal && best.back().round > bound;) {
      if (effort.over(failures, kMostFailures)) break;
      if (!save_a_round()) ++failures;
    }
  });
  return best;
}

std::vector<Batch> exchange_along(const std::vector<Batch>& gossip, Node nodes) {
  // Backwards: for each origin the nodes that learn its message from a node, or from those that do.
  std::vector<std::vector<std::vector<Node>>> behind(nodes, std::vector<std::vector<Node>>(nodes));
  std::vector<Batch> exchange;
  for (auto b = gossip.rbegin(); b != gossip.rend(); ++b) {
    const Batch& batch = *b;
    Batch all{batch.round, batch.from, batch.to, {}};
    for (const Message& m : batch.messages) {
      std::vector<Node>& further = behind[m.origin][batch.to];
      further.push_back(batch.to);
      for (const Node y : further) all.messages.push_back({m.origin, y});
      std::vector<Node>& here = behind[m.origin][batch.from];
      if (here.empty()) {
        here = std::move(further);
      } else {
        here.insert(here.end(), further.begin(), further.end());
      }
      further = {};
    }
    exchange.push_back(std::move(all));
  }
  std::ranges::reverse(exchange);
  return exchange;
}

std::vector<Batch> scatter_along(const std::vector<Hop>& broadcast, Node root, Node nodes) {
  std::vector<Batch> scatter;
  for (const Hop& hop : broadcast) scatter.push_back({hop.round, hop.from, hop.to, {}});
  std::vector<std::vector<Node>> behind(nodes);
  for (auto b = scatter.rbegin(); b != scatter.rend(); ++b) {
    Batch& batch = *b;
    std::vector<Node>& further = behind[batch.to];
    further.push_back(batch.to);
    for (const Node y : further) batch.messages.push_back({root, y});
    behind[batch.from].insert(behind[batch.from].end(), further.begin(), further.end());
    further = {};
  }
  return scatter;
}

std::vector<Batch> reversed(std::vector<Batch> batches) {
  const std::uint32_t rounds = batches.empty() ? 0 : batches.back().round;
  std::ranges::reverse(batches);
  for (Batch& batch : batches) {
    batch.round = rounds + 1 - batch.round;
    std::swap(batch.from, batch.to);
    for (Message& m : batch.messages) std::swap(m.origin, m.destination);
  }
  return batches;
}

}  // namespace gossamer::any_graph
