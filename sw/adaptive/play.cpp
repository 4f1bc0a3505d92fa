#include "adaptive/play.hpp"

#include <algorithm>
#include <bit>

#include "adaptive/node_sets.hpp"

namespace gossamer {

/// One run of an adaptive schedule with a set of faults. Port p of a hypercube's node is bit p.
class Playback {
 public:
  Playback(const Schedule& schedule, const Offers& offers, const FaultSet& faults)
      : schedule_(schedule),
        offers_(offers),
        nodes_(schedule.topology().nodes()),
        dimensions_(schedule.topology().ports()),
        words_(set_words(nodes_)),
        exchanged_(std::size_t{nodes_} * dimensions_ * words_, 0),
        from_round_(faults.from_round),
        dead_(nodes_, false),
        silent_(std::size_t{nodes_} * dimensions_, false) {
    outcome_.words_ = words_;
    outcome_.held_.assign(nodes_ * words_, 0);
    outcome_.carried_.assign(schedule.transfers().size() * words_, 0);
    outcome_.most.assign(schedule.rounds(), 0);
    for (const Node x : faults.nodes) dead_[x] = true;
    for (const Arc& arc : faults.arcs) silent_[end(arc.from, arc.to)] = true;
  }

  Outcome run() {
    give_first_messages();
    const auto transfers = schedule_.transfers();
    for (std::size_t first = 0; first < transfers.size();) {
      std::size_t last = first;
      while (last < transfers.size() && transfers[last].round == transfers[first].round) ++last;
      for (std::size_t i = first; i < last; ++i) decide(i);
      for (std::size_t i = first; i < last; ++i) transmit(i);
      first = last;
    }
    count_missing();
    return std::move(outcome_);
  }

 private:
  /// The number of the link's end at `from`.
  std::size_t end(Node from, Node to) const {
    return std::size_t{from} * dimensions_ + std::countr_zero(from ^ to);
  }
  std::span<std::uint64_t> held(Node x) { return {outcome_.held_.data() + x * words_, words_}; }
  std::span<std::uint64_t> exchanged(std::size_t end) {
    return {exchanged_.data() + end * words_, words_};
  }
  std::span<std::uint64_t> carried(std::size_t transfer) {
    return {outcome_.carried_.data() + transfer * words_, words_};
  }

  bool gossip() const { return schedule_.collective() == Collective::Gossip; }

  void give_first_messages() {
    if (!gossip()) return put(held(schedule_.root), schedule_.root);
    for (Node x = 0; x < nodes_; ++x) put(held(x), x);
  }

  /// Decides what the source sends, from what it knows.
  void decide(std::size_t index) {
    const Transfer& t = schedule_.transfers()[index];
    const Node from = schedule_.path(t)[0], to = schedule_.path(t)[1];
    if (schedule_.initiator && !has(held(from), schedule_.initiator->node)) return;
    const auto offer = offers_.bits(t.round, from);
    const auto have = held(from), crossed = exchanged(end(from, to)), send = carried(index);
    for (std::size_t w = 0; w < words_; ++w) send[w] = offer[w] & have[w] & ~crossed[w];
    take_out(send, to);
  }

  /// Delivers it.
  void transmit(std::size_t index) {
    const Transfer& t = schedule_.transfers()[index];
    const Node from = schedule_.path(t)[0], to = schedule_.path(t)[1];
    const auto sent = carried(index);
    unite(exchanged(end(from, to)), sent);
    const bool now = t.round >= from_round_;
    if (now && (dead_[from] || silent_[end(from, to)])) {
      std::ranges::fill(sent, 0);
      return;
    }
    const std::uint32_t messages = count(sent);
    outcome_.crossed += messages;
    outcome_.most[t.round - 1] = std::max(outcome_.most[t.round - 1], messages);
    if (now && dead_[to]) return;
    unite(held(to), sent);
    unite(exchanged(end(to, from)), sent);
  }

  void count_missing() {
    for (Node x = 0; x < nodes_; ++x) {
      if (dead_[x]) continue;
      for (Node origin = 0; origin < nodes_; ++origin) {
        if (dead_[origin] || origin == x || (!gossip() && origin != schedule_.root)) continue;
        ++outcome_.expected;
        if (!has(held(x), origin)) outcome_.missing.push_back({x, origin});
      }
    }
  }

  const Schedule& schedule_;
  const Offers& offers_;
  Node nodes_;
  Port dimensions_;
  std::size_t words_;
  std::vector<std::uint64_t> exchanged_;  ///< a set for each end of a link
  std::uint32_t from_round_;
  std::vector<char> dead_;    ///< by node
  std::vector<char> silent_;  ///< by end of a link: the arc from there
  Outcome outcome_;
};

Outcome play(const Schedule& schedule, const Offers& offers, const FaultSet& faults) {
  return Playback(schedule, offers, faults).run();
}

std::uint32_t Outcome::carried(std::size_t transfer) const {
  return count({carried_.data() + transfer * words_, words_});
}

}  // namespace gossamer
