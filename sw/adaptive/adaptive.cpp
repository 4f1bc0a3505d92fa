#include "adaptive/adaptive.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "support/error.hpp"
#include "topology/node_sets.hpp"

namespace gossamer {
namespace {

/// Finds what may be new in each transfer of a gossip, in order of rounds; see Offers.
class MayArrive {
 public:
  explicit MayArrive(const Schedule& schedule)
      : schedule_(schedule),
        dimensions_(schedule.topology().ports()),
        last_sent_(std::size_t{schedule.topology().nodes()} * dimensions_, 0),
        come_(schedule.topology().nodes()),
        what_(schedule.transfers().size(), schedule.topology().nodes()) {}

  /// What a transfer offers. Rounds must not decrease.
  std::span<const std::uint64_t> offered(const Transfer& t) {
    const Node from = schedule_.path(t)[0], to = schedule_.path(t)[1];
    const auto transfers = schedule_.transfers();
    const auto number = static_cast<std::size_t>(&t - transfers.data());
    const auto set = what_[number];
    std::uint32_t& last = last_sent_[from * dimensions_ + std::countr_zero(from ^ to)];
    if (last == 0) put(set, from);
    const auto& come = come_[from];
    for (auto i = come.rbegin(); i != come.rend() && transfers[*i].round >= last; ++i) {
      if (schedule_.source(transfers[*i]) != to && transfers[*i].round < t.round) {
        unite(set, what_[*i]);
      }
    }
    take_out(set, to);
    last = t.round;
    come_[to].push_back(number);
    return set;
  }

 private:
  const Schedule& schedule_;
  Port dimensions_;
  std::vector<std::uint32_t> last_sent_;        ///< by node and dimension; 0: never
  std::vector<std::vector<std::size_t>> come_;  ///< transfers, by node to which they go
  NodeSets what_;                               ///< by transfer
};

}  // namespace

/// Builds the offers of one schedule.
class OffersBuilder {
 public:
  explicit OffersBuilder(const Schedule& schedule) : schedule_(schedule) {
    offers_.nodes_ = schedule.topology().nodes();
  }

  Offers build() {
    number_slots();
    MayArrive may_arrive(schedule_);
    for (const Transfer& t : schedule_.transfers()) {
      const auto set = offers_.bits_[offers_.slot(t.round, schedule_.source(t))];
      if (const auto alone = only_origin(t.round)) {
        put(set, *alone);
      } else {
        unite(set, may_arrive.offered(t));
      }
    }
    fill_up();
    return std::move(offers_);
  }

 private:
  void number_slots() {
    for (const Transfer& t : schedule_.transfers()) {
      if (offers_.rounds_.empty() || offers_.rounds_.back() != t.round) {
        offers_.rounds_.push_back(t.round);
      }
    }
    offers_.bits_ = NodeSets(offers_.rounds_.size() * offers_.nodes_, offers_.nodes_);
  }

  /// The only message that takes part in this round, if there is only one.
  std::optional<Node> only_origin(std::uint32_t round) const {
    if (schedule_.collective() == Collective::Broadcast) return schedule_.root;
    if (schedule_.initiator && round < schedule_.initiator->join) return schedule_.initiator->node;
    return std::nullopt;
  }

  /// Gives the lists of each round equal length.
  void fill_up() {
    for (const std::uint32_t round : offers_.rounds_) {
      std::uint32_t longest = 1;
      for (const Transfer& t : schedule_.transfers_of(round)) {
        longest = std::max(longest, count(offers_.bits(round, schedule_.source(t))));
      }
      for (const Transfer& t : schedule_.transfers_of(round)) {
        fill_list(round, schedule_.source(t), longest);
      }
      offers_.lengths_.push_back(longest);
    }
  }

  void fill_list(std::uint32_t round, Node node, std::uint32_t length) {
    const auto set = offers_.bits_[offers_.slot(round, node)];
    std::uint32_t lacking = length - count(set);
    for (Node offset = 0; lacking > 0; ++offset) {
      if (has(set, node ^ offset)) continue;
      put(set, node ^ offset);
      --lacking;
    }
  }

  const Schedule& schedule_;
  Offers offers_;
};

std::size_t Offers::row(std::uint32_t round) const {
  const auto found = std::ranges::lower_bound(rounds_, round);
  const bool there = found != rounds_.end() && *found == round;
  return there ? static_cast<std::size_t>(found - rounds_.begin()) : rounds_.size();
}

std::size_t Offers::slot(std::uint32_t round, Node node) const {
  return row(round) * nodes_ + node;
}

std::vector<Node> Offers::at(std::uint32_t round, Node node) const {
  const auto set = bits(round, node);
  std::vector<Node> list;
  for (Node offset = 0; !set.empty() && offset < nodes_; ++offset) {
    if (has(set, node ^ offset)) list.push_back(node ^ offset);
  }
  return list;
}

std::span<const std::uint64_t> Offers::bits(std::uint32_t round, Node node) const {
  return row(round) == rounds_.size() ? std::span<const std::uint64_t>() : bits_[slot(round, node)];
}

std::uint32_t Offers::length(std::uint32_t round) const {
  const std::size_t i = row(round);
  return i < lengths_.size() ? lengths_[i] : 0;
}

std::uint64_t Offers::length_sum() const {
  return std::accumulate(lengths_.begin(), lengths_.end(), std::uint64_t{0});
}

Offers offers(const Schedule& schedule) {
  if (const auto fault = adaptive_fault(schedule)) throw InputError(*fault);
  return OffersBuilder(schedule).build();
}

/// One run of an adaptive schedule with a set of faults. Port p of a hypercube's node is bit p.
class Playback {
 public:
  Playback(const Schedule& schedule, const Offers& offers, const FaultSet& faults)
      : schedule_(schedule),
        offers_(offers),
        nodes_(schedule.topology().nodes()),
        dimensions_(schedule.topology().ports()),
        exchanged_(std::size_t{nodes_} * dimensions_, nodes_),
        faults_(faults) {
    outcome_.held_ = NodeSets(nodes_, nodes_);
    outcome_.carried_ = NodeSets(schedule.transfers().size(), nodes_);
    outcome_.most.assign(schedule.rounds(), 0);
  }

  AdaptiveRun run() {
    give_first_messages();
    for (auto rest = schedule_.transfers(); !rest.empty();) {
      const auto round = schedule_.transfers_of(rest.front().round);
      for (const Transfer& t : round) decide(t);
      for (const Transfer& t : round) transmit(t);
      rest = rest.subspan(round.size());
    }
    count_missing();
    return std::move(outcome_);
  }

 private:
  /// The number of the link's end at `from`.
  std::size_t end(Node from, Node to) const {
    return std::size_t{from} * dimensions_ + std::countr_zero(from ^ to);
  }
  std::span<std::uint64_t> sent_by(const Transfer& t) {
    return outcome_.carried_[static_cast<std::size_t>(&t - schedule_.transfers().data())];
  }
  bool gossip() const { return schedule_.collective() == Collective::Gossip; }

  void give_first_messages() {
    if (!gossip()) return put(outcome_.held_[schedule_.root], schedule_.root);
    for (Node x = 0; x < nodes_; ++x) put(outcome_.held_[x], x);
  }

  /// Decides what the source sends, from what it knows.
  void decide(const Transfer& t) {
    const Node from = schedule_.path(t)[0], to = schedule_.path(t)[1];
    if (schedule_.initiator && !has(outcome_.held_[from], schedule_.initiator->node)) return;
    const auto offer = offers_.bits(t.round, from);
    const auto have = outcome_.held_[from], crossed = exchanged_[end(from, to)], send = sent_by(t);
    for (std::size_t w = 0; w < send.size(); ++w) send[w] = offer[w] & have[w] & ~crossed[w];
    take_out(send, to);
  }

  /// Delivers it.
  void transmit(const Transfer& t) {
    const Node from = schedule_.path(t)[0], to = schedule_.path(t)[1];
    const auto sent = sent_by(t);
    unite(exchanged_[end(from, to)], sent);
    const bool now = t.round >= faults_.from_round;
    if (now && faults_.silent(from, to)) {
      std::ranges::fill(sent, 0);
      return;
    }
    const std::uint32_t messages = count(sent);
    outcome_.crossed += messages;
    outcome_.most[t.round - 1] = std::max(outcome_.most[t.round - 1], messages);
    if (now && faults_.dead(to)) return;
    unite(outcome_.held_[to], sent);
    unite(exchanged_[end(to, from)], sent);
  }

  void count_missing() {
    std::vector<bool> dead(nodes_);
    for (const Node x : faults_.nodes) dead[x] = true;
    for (Node x = 0; x < nodes_; ++x) {
      if (dead[x]) continue;
      for (Node origin = 0; origin < nodes_; ++origin) {
        if (dead[origin] || origin == x || (!gossip() && origin != schedule_.root)) continue;
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
  const FaultSet& faults_;
  AdaptiveRun outcome_;
};

AdaptiveRun play(const Schedule& schedule, const Offers& offers, const FaultSet& faults) {
  return Playback(schedule, offers, faults).run();
}

}  // namespace gossamer
