// Gossip on any graph: rarest message first.
//
// Rounds are planned one after the other. In a round every node chooses, for each of its arcs, a
// message that the neighbour held when the round started and that the node misses, no message
// twice. It prefers the messages that the fewest nodes hold, and among those the ones that only one
// of its neighbours holds; otherwise it chooses at random. Random choices keep neighbours different
// from each other, so that they have something to offer until the end. Rare messages come first, so
// that none is late everywhere. If an arc is left without a message, an augmenting path looks for
// one: the arc takes a message that another arc had chosen, and that arc chooses again.
//
// A search for a schedule of `target` rounds gives up a round as soon as some node misses more than
// its arcs can still bring, or all nodes do together. The mistake was made earlier, often not much
// earlier: so the search takes back a few rounds and plans them anew, sometimes more (1, 2, 1, 4,
// 1, 2, 1, 8, ... rounds, so that long ways back are rare but happen).

// Where arcs share resources, the two ports of a node or the two directions of a link, the arcs of
// a round are chosen before the messages: nodes that miss the most, for each of their links, claim
// first (Claims).

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "algorithms/any_graph/any_graph.hpp"
#include "support/job.hpp"
#include "topology/node_sets.hpp"

namespace gossamer::any_graph {

using Word = std::uint64_t;

/// How many nodes hold each message, kept so that the rarest of any set of messages is found fast:
/// row h is the set of all messages with at most h holders, so one more holder clears one bit.
class Rarity {
 public:
  explicit Rarity(Node nodes)
      : holders_(nodes, 1), messages_with_(nodes + 1, 0), at_most_(nodes + 1, nodes) {
    messages_with_[1] = nodes;
    for (std::uint32_t h = 1; h <= nodes; ++h) {
      for (Node m = 0; m < nodes; ++m) put(at_most_[h], m);
    }
  }

  void one_more(Node m) {
    --messages_with_[holders_[m]];
    take_out(at_most_[holders_[m]], m);
    ++messages_with_[++holders_[m]];
    while (messages_with_[fewest_] == 0) ++fewest_;
  }

  void one_less(Node m) {
    --messages_with_[holders_[m]];
    put(at_most_[--holders_[m]], m);
    ++messages_with_[holders_[m]];
    fewest_ = std::min(fewest_, holders_[m]);
  }

  /// Reduces `set`, which is not empty, to its messages with the fewest holders.
  /// The rarest are mostly among the rarest of all, so the search starts there and takes growing
  /// steps before it closes in.
  void keep_rarest(std::span<Word> set) {
    const auto most = static_cast<std::uint32_t>(holders_.size());
    std::uint32_t missed = fewest_ - 1, met = fewest_;
    for (std::uint32_t step = 1; !meets(set, met); step *= 2) {
      missed = met;
      met = std::min(most, met + step);
    }
    while (met - missed > 1) {
      const std::uint32_t middle = missed + (met - missed) / 2;
      (meets(set, middle) ? met : missed) = middle;
    }
    const auto row = at_most_[met];
    for (std::uint32_t i = 0; i < set.size(); ++i) set[i] &= row[i];
  }

 private:
  bool meets(std::span<const Word> set, std::uint32_t holders) const {
    const auto row = at_most_[holders];
    for (std::uint32_t i = 0; i < set.size(); ++i) {
      if (set[i] & row[i]) return true;
    }
    return false;
  }
  std::vector<std::uint32_t> holders_;
  std::vector<std::uint32_t> messages_with_;  ///< so many holders
  NodeSets at_most_;
  std::uint32_t fewest_ = 1;  ///< no message has fewer holders
};

/// A random member of a set of so many words that is not empty.
Node random_member(std::span<const Word> set, Random& random) {
  std::uint32_t skip = random.below(count(set));
  for (std::uint32_t i = 0;; ++i) {
    const auto here = static_cast<std::uint32_t>(std::popcount(set[i]));
    if (skip >= here) {
      skip -= here;
      continue;
    }
    Word word = set[i];
    for (; skip > 0; --skip) word &= word - 1;
    return i * 64 + static_cast<Node>(std::countr_zero(word));
  }
}

namespace {

constexpr std::uint32_t kNoTarget = std::numeric_limits<std::uint32_t>::max();

class Attempt {
 public:
  Attempt(const Arcs& arcs, const bounds::Resources& resources, std::uint32_t target,
          std::uint64_t seed)
      : arcs_(arcs),
        target_(target),
        at_once_(resources.at_once()),
        single_(resources.of(0).size() > 1),
        random_(seed),
        claims_(arcs, resources),
        holds_(arcs.nodes(), arcs.nodes()),
        taken_(set_words(arcs.nodes())),
        lonely_(set_words(arcs.nodes())),
        candidates_(set_words(arcs.nodes())),
        rarity_(arcs.nodes()),
        missing_(arcs.nodes(), arcs.nodes() - 1),
        order_(numbers_below(arcs.nodes())) {
    for (Node x = 0; x < arcs.nodes(); ++x) put(holds_[x], x);
    ArcId most = 0;
    for (Node x = 0; x < arcs.nodes(); ++x) most = std::max(most, arcs.degree(x));
    chosen_.resize(most);
    visited_.resize(most);
  }

  /// True if everything is delivered in `target` rounds.
  bool search(std::uint64_t work_allowed) {
    for (std::uint32_t failures = 0; left() > 0;) {
      stop_if_interrupted();
      if (work_ >= work_allowed) return false;
      if (plan_round()) continue;
      ++failures;
      take_back(1 + 2 * (failures & -failures));
    }
    return true;
  }

  std::uint64_t work() const { return work_; }
  std::uint32_t rounds() const { return round_; }
  std::vector<Hop> hops() && { return std::move(hops_); }

 private:
  /// Plans the next round. If a node could not receive the rest in time, it returns false, and the
  /// round is incomplete.
  bool plan_round() {
    ++round_;
    const std::uint64_t later = target_ - round_;
    const std::size_t begin = hops_.size();
    bool in_time = true;
    if (!all_at_once()) claim_arcs();
    random_.shuffle(order_);
    for (std::size_t i = 0; i < order_.size() && in_time; ++i) {
      const Node x = order_[i];
      if (missing_[x] == 0) continue;
      choose_for(x);
      in_time = missing_[x] <= later * (single_ ? 1 : arcs_.degree(x));
    }
    // Only now, because a message that arrives in a round cannot be sent on in that round.
    for (std::size_t i = begin; i < hops_.size(); ++i) {
      put(holds_[hops_[i].to], hops_[i].message.origin);
    }
    work_ += all_at_once() ? hops_.size() - begin
                           : std::max<std::uint64_t>(hops_.size() - begin, arcs_.count() / 8);
    return in_time && left() <= later * at_once_;
  }

  bool all_at_once() const { return at_once_ == arcs_.count(); }
  /// Receptions.
  std::uint64_t left() const {
    return std::uint64_t{arcs_.nodes()} * (arcs_.nodes() - 1) - hops_.size();
  }

  /// Those into nodes that miss the most, for each of their links, come first.
  void claim_arcs() {
    claims_.begin_round();
    waiting_.clear();
    for (ArcId a = 0; a < arcs_.count(); ++a) {
      if (missing_[arcs_.head(a)] > 0) waiting_.push_back(a);
    }
    random_.shuffle(waiting_);
    std::ranges::stable_sort(waiting_, std::greater{}, [&](ArcId a) {
      return static_cast<double>(missing_[arcs_.head(a)]) / arcs_.degree(arcs_.head(a));
    });
    for (const ArcId a : waiting_) {
      if (useful(a)) claims_.claim(a, [&](ArcId b) { return useful(b); });
    }
  }

  /// Does the tail hold anything that the head misses?
  bool useful(ArcId a) const {
    const auto from = holds_[arcs_.tail(a)];
    const auto to = holds_[arcs_.head(a)];
    for (std::uint32_t i = 0; i < from.size(); ++i) {
      if (from[i] & ~to[i]) return true;
    }
    return false;
  }

  void take_back(std::uint32_t rounds) {
    round_ -= std::min(rounds, round_);
    while (!hops_.empty() && hops_.back().round > round_) {
      const Hop& hop = hops_.back();
      take_out(holds_[hop.to], hop.message.origin);
      rarity_.one_less(hop.message.origin);
      ++missing_[hop.to];
      hops_.pop_back();
    }
  }

  /// Chooses what `x` receives in this round.
  void choose_for(Node x) {
    std::ranges::copy(holds_[x], taken_.begin());
    find_lonely(x);
    const ArcId degree = arcs_.degree(x);
    ports_.clear();
    for (ArcId port = 0; port < degree; ++port) {
      if (all_at_once() || claims_.sends(arcs_.reverse(arcs_.first(x) + port))) {
        ports_.push_back(port);
      }
    }
    random_.shuffle(ports_);
    std::fill_n(chosen_.begin(), degree, kNoNode);
    for (const ArcId port : ports_) {
      std::fill_n(visited_.begin(), degree, false);
      choose(x, port);
    }
    for (ArcId port = 0; port < degree; ++port) {
      if (chosen_[port] == kNoNode) continue;
      hops_.push_back({round_, arcs_.neighbours(x)[port], x, {chosen_[port], kNoNode}});
      rarity_.one_more(chosen_[port]);
      --missing_[x];
    }
  }

  /// The messages that exactly one neighbour of `x` holds.
  void find_lonely(Node x) {
    for (std::uint32_t i = 0; i < lonely_.size(); ++i) {
      Word once = 0, twice = 0;
      for (const Node y : arcs_.neighbours(x)) {
        const Word held = holds_[y][i];
        twice |= once & held;
        once |= held;
      }
      lonely_[i] = once & ~twice;
    }
  }

  /// Chooses a message for a port of `x`; other ports may have to choose again.
  bool choose(Node x, ArcId port) {
    visited_[port] = true;
    const auto offered = holds_[arcs_.neighbours(x)[port]];
    const Node message = best_of(offered);
    if (message != kNoNode) {
      chosen_[port] = message;
      put(taken_, message);
      return true;
    }
    for (ArcId other = 0; other < arcs_.degree(x); ++other) {
      const Node its = chosen_[other];
      if (visited_[other] || its == kNoNode || !has(offered, its)) continue;
      if (!choose(x, other)) continue;
      chosen_[port] = its;
      return true;
    }
    return false;
  }

  /// The message to choose among those offered and not taken; kNoNode if there is none.
  Node best_of(std::span<const Word> offered) {
    const std::span<Word> set = candidates_;
    Word any = 0;
    for (std::uint32_t i = 0; i < set.size(); ++i) any |= set[i] = offered[i] & ~taken_[i];
    if (any == 0) return kNoNode;
    rarity_.keep_rarest(set);
    any = 0;
    for (std::uint32_t i = 0; i < set.size(); ++i) any |= set[i] & lonely_[i];
    for (std::uint32_t i = 0; any != 0 && i < set.size(); ++i) set[i] &= lonely_[i];
    return random_member(set, random_);
  }

  const Arcs& arcs_;
  std::uint32_t target_;
  std::uint64_t at_once_;  ///< arcs that can send in a round
  bool single_;            ///< ports
  Random random_;
  Claims claims_;
  std::vector<Hop> hops_;     ///< in order of rounds
  std::uint32_t round_ = 0;   ///< the last one planned
  std::uint64_t work_ = 0;    ///< hops planned, also those that were taken back
  NodeSets holds_;            ///< of each node, when the round starts
  std::vector<Word> taken_;   ///< held by the node that chooses, or chosen by one of its ports
  std::vector<Word> lonely_;  ///< held by one of its neighbours only
  std::vector<Word> candidates_;
  Rarity rarity_;
  std::vector<std::uint32_t> missing_;  ///< messages, of each node
  std::vector<Node> order_;             ///< of the nodes in a round
  std::vector<ArcId> waiting_;          ///< to claim, in the order in which they do
  std::vector<Node> chosen_;            ///< by the ports of the node that chooses
  std::vector<std::uint8_t> visited_;   ///< ports on the augmenting path
  std::vector<ArcId> ports_;            ///< in the order in which they choose
};

/// The shortest schedule so far, and attempts to find a shorter one.
class Search {
 public:
  Search(const Arcs& arcs, const bounds::Resources& resources, std::uint32_t seed)
      : arcs_(arcs), resources_(resources), seed_(std::uint64_t{seed} << 32) {
    Attempt any(arcs, resources, kNoTarget, seed_);
    any.search(kNoLimit);
    take(std::move(any));
    everything_ = best_.size();
  }

  /// One round less than the best, again and again, down to so many or until so much work is done.
  void descend(std::uint32_t rounds, std::uint64_t work) {
    while (rounds_ > rounds) {
      const auto [found, done] = reach(rounds_ - 1, work);
      if (!found) break;
      work -= std::min(work, done);
    }
  }

  /// One round less than the best, until the time is over.
  void go_on(std::uint32_t bound, std::chrono::steady_clock::time_point until) {
    while (rounds_ > bound && std::chrono::steady_clock::now() < until) attempt(rounds_ - 1);
  }

  /// Hops that a search may plan: some schedules, or many small ones. Where arcs claim what they
  /// need a hop takes longer.
  std::uint64_t enough() const {
    constexpr std::uint64_t kSchedules = 4, kLeast = 3'000'000, kClaims = 1'000'000;
    return claims() ? enough_work(kClaims, everything_) : kSchedules * everything_ + kLeast;
  }
  bool claims() const { return resources_.at_once() < arcs_.count(); }
  std::vector<Hop> best() && { return std::move(best_); }

 private:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  struct Outcome {
    bool found;
    std::uint64_t work;
  };

  Outcome reach(std::uint32_t target, std::uint64_t allowed) {
    for (std::uint64_t work = 0; work < allowed;) {
      const auto [found, its_work] = attempt(target);
      work += its_work;
      if (found) return {true, work};
    }
    return {false, allowed};
  }

  Outcome attempt(std::uint32_t target) {
    Attempt attempt(arcs_, resources_, target, ++seed_);
    const bool found = attempt.search(2 * everything_);
    const std::uint64_t work = attempt.work();
    if (found) take(std::move(attempt));
    return {found, work};
  }

  void take(Attempt&& attempt) {
    rounds_ = attempt.rounds();
    best_ = std::move(attempt).hops();
  }

  const Arcs& arcs_;
  const bounds::Resources& resources_;
  std::uint64_t seed_;
  std::uint64_t everything_ = 0;  ///< hops of a schedule
  std::uint32_t rounds_ = 0;
  std::vector<Hop> best_;
};

}  // namespace

std::vector<Hop> gossip(const Arcs& arcs, const bounds::Resources& resources, std::uint32_t bound,
                        const Effort& effort) {
  Search search(arcs, resources, effort.seed);
  best_so_far(effort, [&] {
    search.descend(bound, search.enough());
    // More than a round above the bound is rare where all arcs send at once, and so is worth more
    // work. The larger the graph, the longer a hop takes.
    constexpr std::uint64_t kHopsTimesNodes = 6'000'000'000;
    if (!search.claims()) search.descend(bound + 1, kHopsTimesNodes / arcs.nodes());
    if (effort.until) search.go_on(bound, *effort.until);
  });
  return std::move(search).best();
}

}  // namespace gossamer::any_graph
