// Gossip on any graph where arcs share resources: the two ports of a node, or the two directions of
// a link.
//
// As in gossip.cpp the rarest messages go first. But first the arcs of a round are chosen: nodes
// that miss the most, for each of their links, claim first (claims.hpp). Some attempts are made,
// and the shortest is kept.
#include <algorithm>
#include <numeric>

#include "algorithms/any_graph/claims.hpp"
#include "algorithms/any_graph/gossip.hpp"
#include "algorithms/any_graph/rarity.hpp"

namespace gossamer::any_graph {
namespace {

class Attempt {
 public:
  Attempt(const Arcs& arcs, const bounds::Resources& resources, std::uint64_t seed)
      : arcs_(arcs),
        random_(seed),
        claims_(arcs, resources),
        holds_(arcs.nodes(), arcs.nodes()),
        arrives_(arcs.nodes(), arcs.nodes()),
        candidates_(1, arcs.nodes()),
        rarity_(arcs.nodes()),
        missing_(arcs.nodes(), arcs.nodes() - 1),
        order_(arcs.count()) {
    for (Node x = 0; x < arcs.nodes(); ++x) BitSets::insert(holds_[x], x);
    std::iota(order_.begin(), order_.end(), ArcId{0});
  }

  std::vector<Hop> run() {
    const std::uint64_t everything = std::uint64_t{arcs_.nodes()} * (arcs_.nodes() - 1);
    while (hops_.size() < everything) {
      stop_if_interrupted();
      ++round_;
      play_round();
    }
    return std::move(hops_);
  }

 private:
  void play_round() {
    std::erase_if(order_, [&](ArcId a) { return missing_[arcs_.head(a)] == 0; });
    random_.shuffle(order_);
    std::ranges::stable_sort(order_, std::greater{}, [&](ArcId a) {
      return static_cast<double>(missing_[arcs_.head(a)]) / arcs_.degree(arcs_.head(a));
    });
    claims_.begin_round();
    for (const ArcId a : order_) {
      if (useful(a)) claims_.claim(a, [&](ArcId b) { return useful(b); });
    }
    const std::size_t begin = hops_.size();
    for (const ArcId a : order_) {
      if (claims_.sends(a)) send(a);
    }
    for (std::size_t i = begin; i < hops_.size(); ++i) {
      BitSets::insert(holds_[hops_[i].to], hops_[i].message.origin);
      BitSets::remove(arrives_[hops_[i].to], hops_[i].message.origin);
    }
  }

  /// Does the tail hold anything that the head misses?
  bool useful(ArcId a) const {
    const Word* const from = holds_[arcs_.tail(a)];
    const Word* const to = holds_[arcs_.head(a)];
    for (std::uint32_t i = 0; i < holds_.words(); ++i) {
      if (from[i] & ~to[i]) return true;
    }
    return false;
  }

  void send(ArcId a) {
    const Node x = arcs_.tail(a), y = arcs_.head(a);
    Word* const set = candidates_[0];
    Word any = 0;
    for (std::uint32_t i = 0; i < holds_.words(); ++i) {
      any |= set[i] = holds_[x][i] & ~holds_[y][i] & ~arrives_[y][i];
    }
    if (any == 0) return;
    rarity_.keep_rarest(set);
    const Node message = random_member(set, holds_.words(), random_);
    BitSets::insert(arrives_[y], message);
    rarity_.one_more(message);
    --missing_[y];
    hops_.push_back({round_, x, y, {message, kNoNode}});
  }

  const Arcs& arcs_;
  Random random_;
  Claims claims_;
  BitSets holds_;    ///< of each node, when the round starts
  BitSets arrives_;  ///< in this round
  BitSets candidates_;
  Rarity rarity_;
  std::vector<std::uint32_t> missing_;
  std::vector<ArcId> order_;
  std::vector<Hop> hops_;
  std::uint32_t round_ = 0;
};

}  // namespace

std::vector<Hop> gossip_by_claims(const Arcs& arcs, const bounds::Resources& resources,
                                  std::uint32_t bound, const Effort& effort) {
  constexpr std::uint64_t kEnough = 1'000'000;  // hops planned
  std::uint64_t seed = std::uint64_t{effort.seed} << 32;
  std::vector<Hop> best = Attempt(arcs, resources, seed).run();
  const std::uint64_t of_one = work_of(best.size(), best.back().round, arcs.count());
  best_so_far(effort, [&] {
    for (std::uint64_t work = of_one; best.back().round > bound; work += of_one) {
      if (effort.over(work, enough_work(kEnough, of_one))) break;
      std::vector<Hop> next = Attempt(arcs, resources, ++seed).run();
      if (next.back().round < best.back().round) best = std::move(next);
    }
  });
  return best;
}

}  // namespace gossamer::any_graph
