// All rounds of a gossip with combining at once: which arcs send in each of them is changed here
// and there, until every node holds all messages in the end.
//
// A change makes one arc send in one round, and the arcs in its way not send; their other ends then
// send or receive over another arc, if one is free. It is kept if no more messages are missing in
// the end, or else by a chance that falls with every further missing message, and over time. What
// nodes hold is worked out again only where it differs.
#include "algorithms/any_graph/shorter_gossip.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "algorithms/any_graph/bit_sets.hpp"
#include "algorithms/any_graph/random.hpp"
#include "support/interrupt.hpp"

namespace gossamer::any_graph {
namespace {

using bounds::kNoResource;
using bounds::Resource;

class Annealing {
 public:
  /// At first nothing is sent.
  Annealing(const Arcs& arcs, const bounds::Resources& resources, std::uint32_t rounds,
            std::uint64_t seed)
      : arcs_(arcs),
        resources_(resources),
        random_(seed),
        rounds_(rounds),
        user_(rounds, std::vector<ArcId>(resources.count(), kNoArcId)),
        holds_((std::size_t{rounds} + 1) * arcs.nodes(), arcs.nodes()),
        missing_(std::int64_t{arcs.nodes()} * (arcs.nodes() - 1)),
        stale_(arcs.nodes(), 0),
        new_set_(holds_.words()) {
    for (std::uint32_t t = 0; t <= rounds; ++t) {
      for (Node x = 0; x < arcs.nodes(); ++x) BitSets::insert(set(t, x), x);
    }
  }

  bool run(std::uint64_t changes) {
    constexpr double kHot = 2, kCold = 0.15;
    for (std::uint64_t i = 0; i < changes && missing_ > 0; ++i) {
      if (i % 1024 == 0) stop_if_interrupted();
      const double part = static_cast<double>(i) / static_cast<double>(changes);
      change(kHot * std::pow(kCold / kHot, part));
    }
    return missing_ == 0;
  }

  ArcsByRound choice() const {
    ArcsByRound all(rounds_);
    for (std::uint32_t t = 0; t < rounds_; ++t) {
      for (ArcId a = 0; a < arcs_.count(); ++a) {
        if (sends(t, a)) all[t].push_back(a);
      }
    }
    return all;
  }

 private:
  Word* set(std::uint32_t t, Node x) { return holds_[std::size_t{t} * arcs_.nodes() + x]; }

  std::int64_t count(const Word* set) const {
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < holds_.words(); ++i) sum += std::popcount(set[i]);
    return sum;
  }

  bool sends(std::uint32_t t, ArcId a) const { return user_[t][resources_.of(a)[0]] == a; }

  bool is_free(std::uint32_t t, ArcId a) const {
    const auto [one, other] = resources_.of(a);
    return user_[t][one] == kNoArcId && (other == kNoResource || user_[t][other] == kNoArcId);
  }

  /// What x holds after round t (from 0).
  void work_out(std::uint32_t t, Node x) {
    std::copy_n(set(t, x), holds_.words(), new_set_.begin());
    for (ArcId out = arcs_.first(x); out < arcs_.first(x) + arcs_.degree(x); ++out) {
      const ArcId a = arcs_.reverse(out);
      if (!sends(t, a)) continue;
      const Word* const from = set(t, arcs_.tail(a));
      for (std::uint32_t i = 0; i < holds_.words(); ++i) new_set_[i] |= from[i];
    }
  }

  struct Use {
    Resource resource = kNoResource;
    ArcId before = kNoArcId;
  };

  void use(std::uint32_t t, Resource r, ArcId a) {
    if (r == kNoResource) return;
    used_.push_back({r, user_[t][r]});
    user_[t][r] = a;
  }

  void stop(std::uint32_t t, ArcId a) {
    for (const Resource r : resources_.of(a)) use(t, r, kNoArcId);
    touched_.push_back(arcs_.head(a));
  }

  void start(std::uint32_t t, ArcId a) {
    for (const Resource r : resources_.of(a)) use(t, r, a);
    touched_.push_back(arcs_.head(a));
  }

  /// An arc out of a node, or into it, may now be free.
  void start_another(std::uint32_t t, Node x) {
    const std::uint32_t degree = arcs_.degree(x), begin = random_.below(2 * degree);
    for (std::uint32_t i = 0; i < 2 * degree; ++i) {
      const std::uint32_t k = (begin + i) % (2 * degree);
      const ArcId out = arcs_.first(x) + k / 2;
      const ArcId a = k % 2 == 0 ? out : arcs_.reverse(out);
      if (is_free(t, a)) start(t, a);
    }
  }

  void change(double temperature) {
    const std::uint32_t t = random_.below(rounds_);
    const ArcId a = random_.below(arcs_.count());
    if (sends(t, a)) return;
    used_.clear();
    touched_.clear();
    std::array<ArcId, 2> stopped = {kNoArcId, kNoArcId};
    for (std::size_t i = 0; i < 2; ++i) {
      const Resource r = resources_.of(a)[i];
      if (r == kNoResource || user_[t][r] == kNoArcId) continue;
      stopped[i] = user_[t][r];
      stop(t, stopped[i]);
    }
    start(t, a);
    for (const ArcId b : stopped) {
      if (b == kNoArcId) continue;
      start_another(t, arcs_.tail(b));
      start_another(t, arcs_.head(b));
    }
    const std::int64_t before = missing_;
    follow(t);
    const auto worse = static_cast<double>(missing_ - before);
    if (worse <= 0 || random_.below(1u << 20) < std::exp(-worse / temperature) * (1u << 20)) return;
    missing_ = before;
    for (std::size_t i = used_.size(); i-- > 0;) user_[t][used_[i].resource] = used_[i].before;
    for (std::size_t i = 0; i < changed_.size(); ++i) {
      std::copy_n(old_sets_.begin() + static_cast<std::ptrdiff_t>(i * holds_.words()),
                  holds_.words(), holds_[changed_[i]]);
    }
  }

  /// Works out what nodes hold after round t and all later ones, and what is missing in the end.
  void follow(std::uint32_t t) {
    changed_.clear();
    old_sets_.clear();
    for (; t < rounds_ && !touched_.empty(); ++t) {
      next_.clear();
      ++stale_mark_;
      for (const Node x : touched_) {
        if (stale_[x] == stale_mark_) continue;
        stale_[x] = stale_mark_;
        work_out(t, x);
        Word* const old = set(t + 1, x);
        if (std::equal(new_set_.begin(), new_set_.end(), old)) continue;
        changed_.push_back((std::size_t{t} + 1) * arcs_.nodes() + x);
        old_sets_.insert(old_sets_.end(), old, old + holds_.words());
        if (t + 1 == rounds_) missing_ += count(old) - count(new_set_.data());
        std::ranges::copy(new_set_, old);
        if (t + 1 == rounds_) continue;
        next_.push_back(x);
        for (ArcId out = arcs_.first(x); out < arcs_.first(x) + arcs_.degree(x); ++out) {
          if (sends(t + 1, out)) next_.push_back(arcs_.head(out));
        }
      }
      std::swap(touched_, next_);
    }
  }

  const Arcs& arcs_;
  const bounds::Resources& resources_;
  Random random_;
  std::uint32_t rounds_;
  std::vector<std::vector<ArcId>> user_;  ///< of each resource, by round
  BitSets holds_;                         ///< before the first round, and after each: of all nodes
  std::int64_t missing_;                  ///< messages, of all nodes in the end

  std::vector<Use> used_;      ///< in this change
  std::vector<Node> touched_;  ///< nodes for which the next round may bring something else
  std::vector<Node> next_;     ///< the same, one round later
  std::vector<std::uint64_t> stale_;
  std::uint64_t stale_mark_ = 0;
  std::vector<std::size_t> changed_;  ///< sets
  std::vector<Word> old_sets_;        ///< what was in them
  std::vector<Word> new_set_;
};

}  // namespace

std::optional<ArcsByRound> anneal_gossip(const Arcs& arcs, const bounds::Resources& resources,
                                         std::uint32_t rounds, std::uint64_t changes,
                                         std::uint64_t seed) {
  Annealing annealing(arcs, resources, rounds, seed);
  if (!annealing.run(changes)) return std::nullopt;
  return annealing.choice();
}

}  // namespace gossamer::any_graph
