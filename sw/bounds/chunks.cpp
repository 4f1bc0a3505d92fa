#include "bounds/chunks.hpp"

#include <algorithm>
#include <vector>

#include "bounds/arithmetic.hpp"
#include "bounds/combining.hpp"
#include "gossamer_constants.hpp"
#include "schedule/chunks.hpp"
#include "support/interrupt.hpp"
#include "topology/arcs.hpp"

namespace gossamer {
namespace {

using bounds::divide_up;

/// What passes the ports of one node, by the hops that it must make at least.
class Passing {
 public:
  void add(std::uint32_t hops, std::uint64_t amount) {
    if (by_hops_.size() <= hops) by_hops_.resize(hops + 1, 0);
    by_hops_[hops] += amount;
  }
  std::uint64_t all() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t amount : by_hops_) sum += amount;
    return sum;
  }
  /// What has to make k hops is in the port of its far end k - 1 hops after it was in the near one.
  std::uint64_t time(std::uint64_t at_once, std::uint64_t hop) const {
    std::uint64_t most = 0, so_far = 0;
    for (std::size_t k = by_hops_.size(); k-- > 1;) {
      so_far += by_hops_[k];
      if (so_far > 0) most = std::max(most, (k - 1) * hop + divide_up(so_far, at_once));
    }
    return most;
  }

 private:
  std::vector<std::uint64_t> by_hops_;
};

/// All that the chunks of a schedule must do. `amount` says how much a chunk is.
class Needs {
 public:
  template <typename Amount>
  Needs(const Schedule& s, const Amount& amount)
      : s_(s), in_(s.topology().nodes()), out_(s.topology().nodes()) {
    const Arcs arcs(s.topology());
    count_links(arcs);
    const bool sums = reduces(s.collective());
    for (Node x = 0; x < arcs.nodes(); ++x) {
      if (count_initial(s, x) == 0) continue;
      stop_if_interrupted();
      const auto distance = distances_from(arcs, x);
      std::uint64_t count = 0;
      std::uint32_t farthest = 0;
      for_each_initial(s, x, [&](const Message& m) {
        const std::uint64_t much = amount(m);
        if (!sums || m.piece == 0) {  // the pieces of a sum go to the same nodes
          count = farthest = 0;
          for_each_receiver(s, m, [&](Node to) {
            if (to == x) return;
            if (!sums) in_[to].add(distance[to], much);
            farthest = std::max(farthest, distance[to]);
            ++count;
          });
        }
        if (count > 0) out_[x].add(farthest, much);
        // What is reduced may leave a node with the parts of others, once.
        const std::uint64_t hops = std::max<std::uint64_t>(count, farthest);
        hops_ += much * (sums ? std::min<std::uint64_t>(count, 1) : hops);
        farthest_ = std::max(farthest_, farthest);
        if (longest_.size() <= farthest) longest_.resize(farthest + 1, 0);
        longest_[farthest] = std::max(longest_[farthest], much);
      });
    }
  }

  /// The most time that any node needs for its ports; of `hop` 0 it does not matter how far off the
  /// others are.
  std::uint64_t ports(std::uint64_t hop) const {
    std::uint64_t most = 0;
    for (Node x = 0; x < in_.size(); ++x) {
      const bool single = s_.model().ports == PortModel::Single;
      most = std::max({most, in_[x].time(single ? 1 : ways_in_[x], hop),
                       out_[x].time(single ? 1 : ways_out_[x], hop)});
      if (s_.model().duplex == Duplex::Full) continue;
      // A port has one direction at a time.
      const std::uint64_t at_once = single ? 1 : s_.topology().degree(x);
      most = std::max(most, divide_up(in_[x].all() + out_[x].all(), at_once));
    }
    return most;
  }
  /// A packet makes a hop when it has made the one before; `round` cycles are the shortest.
  std::uint64_t packets(std::uint64_t round) const {
    std::uint64_t most = 0;
    for (std::size_t d = 1; d < longest_.size(); ++d) {
      if (longest_[d] > 0)
        most = std::max(most, (d - 1) * std::max(longest_[d], round) + longest_[d]);
    }
    return most;
  }
  std::uint64_t hops() const { return hops_; }
  std::uint32_t farthest() const { return farthest_; }
  /// Links that may be used at once: see lower_bound_cycles().
  std::uint64_t links() const {
    const bool half = s_.model().duplex == Duplex::Half;
    const std::uint64_t links = half ? links_ : arcs_;
    if (s_.model().ports == PortModel::All || s_.model().switching != Switching::Packet) {
      return links;
    }
    return std::min<std::uint64_t>(links, in_.size() / (half ? 2 : 1));
  }

 private:
  void count_links(const Arcs& arcs) {
    arcs_ = arcs.count();
    ways_in_.resize(arcs.nodes(), 0);
    ways_out_.resize(arcs.nodes(), 0);
    for (ArcId a = 0; a < arcs.count(); ++a) {
      ++ways_out_[arcs.tail(a)];
      ++ways_in_[arcs.head(a)];
      links_ += arcs.reverse(a) == kNoArcId || a < arcs.reverse(a) ? 1 : 0;
    }
  }

  const Schedule& s_;
  std::vector<Passing> in_, out_;
  std::vector<std::uint64_t> ways_in_, ways_out_;  ///< links that lead to a node, and away
  std::uint64_t arcs_ = 0, links_ = 0;
  std::vector<std::uint64_t> longest_;  ///< by hops to the farthest receiver: the longest chunk
  std::uint64_t hops_ = 0;
  std::uint32_t farthest_ = 0;
};

}  // namespace

Bound chunk_bound(const Schedule& s) {
  Bound best{0, "nothing has to be sent"};
  const auto claim = [&](std::uint64_t value, const char* source) {
    if (value > best.value) best = {value, source};
  };
  const Needs needs(s, [](const Message&) { return 1; });
  if (needs.hops() == 0) return best;
  claim(1, "something has to be sent");
  const bool hop_takes_a_round = s.model().switching != Switching::Circuit;
  if (hop_takes_a_round) claim(needs.farthest(), "distance, a hop a round");
  if (s.model().combining) return best;
  claim(needs.ports(0), "messages through the ports of a node");
  if (!hop_takes_a_round) return best;
  claim(needs.ports(1), "messages through the ports of a node, the far ones last");
  if (s.model().switching == Switching::Packet) {
    claim(divide_up(needs.hops(), needs.links()), "hops of all messages, over all links");
  }
  return best;
}

Bound chunk_bound_cycles(const Schedule& s, unsigned flits, std::uint64_t stages) {
  const ChunkFlits chunks = s.chunk_flits(flits);
  const Needs needs(s, [&](const Message& m) { return chunks.of(m); });
  if (needs.hops() == 0) return {0, "nothing has to be sent"};
  const std::uint64_t hop = rtl::TIME_DELTA + stages, before = rtl::TIME_START + hop;
  Bound best{before + divide_up(needs.hops(), needs.links()),
             "hops of all flits, over all links that may carry one at once"};
  const auto claim = [&](std::uint64_t value, const char* source) {
    if (value >= best.value) best = {value, source};
  };
  claim(before + needs.ports(hop), "what a node must take in or send, through its ports");
  if (s.model().switching == Switching::Packet) {
    claim(before + needs.packets(rtl::TIME_LAT + stages),
          "the farthest packet's hops, one after the other");
  }
  if (!reduces(s.collective())) return best;
  std::uint64_t parts = 0;
  for (Node x = 0; x < s.topology().nodes(); ++x) {
    for_each_expected(s, x, [&](const Message& m) {
      if (chunks.of(m) > 0) parts = std::max<std::uint64_t>(parts, contributors(s, m));
      return true;
    });
  }
  return bounds::of_sums(best, parts, hop);
}

}  // namespace gossamer
