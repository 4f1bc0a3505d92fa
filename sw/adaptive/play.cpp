#include "adaptive/play.hpp"

#include <algorithm>
#include <bit>

#include "topology/node_sets.hpp"

namespace gossamer {

/// One run of an adaptive schedule with a set of faults. Port p of a hypercube's node is bit p.
class Playback {
 public:
  Playback(const Schedule& schedule, const Offers& offers, const FaultSet& faults)
      : schedule_(schedule),
        offers_(offers),
        nodes_(schedule.topology().nodes()),
        dimensions_(schedule.topology().ports()),
        exchanged_(std::size_t{nodes_} * dimensions_, nodes_),
        from_round_(faults.from_round),
        dead_(nodes_, false),
        silent_(std::size_t{nodes_} * dimensions_, false) {
    outcome_.held_ = NodeSets(nodes_, nodes_);
    outcome_.carried_ = NodeSets(schedule.transfers().size(), nodes_);
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
  bool gossip() const { return schedule_.collective() == Collective::Gossip; }

  void give_first_messages() {
    if (!gossip()) return put(outcome_.held_[schedule_.root], schedule_.root);
    for (Node x = 0; x < nodes_; ++x) put(outcome_.held_[x], x);
  }

  /// Decides what the source sends, from what it knows.
  void decide(std::size_t index) {
    const Transfer& t = schedule_.transfers()[index];
    const Node from = schedule_.path(t)[0], to = schedule_.path(t)[1];
    if (schedule_.initiator && !has(outcome_.held_[from], schedule_.initiator->node)) return;
    const auto offer = offers_.bits(t.round, from);
    const auto have = outcome_.held_[from], crossed = exchanged_[end(from, to)], send = outcome_.carried_[index];
    for (std::size_t w = 0; w < send.size(); ++w) send[w] = offer[w] & have[w] & ~crossed[w];
    take_out(send, to);
  }

  /// Delivers it.
  void transmit(std::size_t index) {
    const Transfer& t = schedule_.transfers()[index];
    const Node from = schedule_.path(t)[0], to = schedule_.path(t)[1];
    const auto sent = outcome_.carried_[index];
    unite(exchanged_[end(from, to)], sent);
    const bool now = t.round >= from_round_;
    if (now && (dead_[from] || silent_[end(from, to)])) {
      std::ranges::fill(sent, 0);
      return;
    }
    const std::uint32_t messages = count(sent);
    outcome_.crossed += messages;
    outcome_.most[t.round - 1] = std::max(outcome_.most[t.round - 1], messages);
    if (now && dead_[to]) return;
    unite(outcome_.held_[to], sent);
    unite(exchanged_[end(to, from)], sent);
  }

  void count_missing() {
    for (Node x = 0; x < nodes_; ++x) {
      if (dead_[x]) continue;
      for (Node origin = 0; origin < nodes_; ++origin) {
        if (dead_[origin] || origin == x || (!gossip() && origin != schedule_.root)) continue;
        ++outcome_.expected;
        if (!has(outcome_.held_[x], origin)) outcome_.missing.push_back({x, origin});
      }
    }
  }

  const Schedule& schedule_;
  const Offers& offers_;
  Node nodes_;
  Port dimensions_;
  NodeSets exchanged_;  ///< a set for each end of a link
  std::uint32_t from_round_;
  std::vector<char> dead_;    ///< by node
  std::vector<char> silent_;  ///< by end of a link: the arc from there
  Outcome outcome_;
};

Outcome play(const Schedule& schedule, const Offers& offers, const FaultSet& faults) {
  return Playback(schedule, offers, faults).run();
}

}  // namespace gossamer
