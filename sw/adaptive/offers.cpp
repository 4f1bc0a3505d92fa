#include "adaptive/offers.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "topology/node_sets.hpp"
#include "support/error.hpp"

namespace gossamer {
namespace {

constexpr std::uint64_t kNoList = ~std::uint64_t{0};

/// Finds what may be new in each transfer of a gossip, in order of rounds; see Offers.
class MayArrive {
 public:
  explicit MayArrive(const Schedule& schedule)
      : nodes_(schedule.topology().nodes()),
        dimensions_(schedule.topology().ports()),
        last_sent_(std::size_t{nodes_} * dimensions_, 0),
        arrivals_(nodes_) {}

  /// What is offered on from->to in this round. Rounds must not decrease.
  std::span<const std::uint64_t> offered(std::uint32_t round, Node from, Node to) {
    std::vector<std::uint64_t> set(set_words(nodes_), 0);
    std::uint32_t& last = last_sent_[from * dimensions_ + std::countr_zero(from ^ to)];
    if (last == 0) put(set, from);
    const auto& come = arrivals_[from];
    for (auto a = come.rbegin(); a != come.rend() && a->round >= last; ++a) {
      if (a->from != to && a->round < round) unite(set, a->what);
    }
    take_out(set, to);
    last = round;
    arrivals_[to].push_back({round, from, std::move(set)});
    return arrivals_[to].back().what;
  }

 private:
  struct Arrival {
    std::uint32_t round = 0;
    Node from = 0;
    std::vector<std::uint64_t> what;
  };

  Node nodes_;
  Port dimensions_;
  std::vector<std::uint32_t> last_sent_;  ///< by node and dimension; 0: never
  std::vector<std::vector<Arrival>> arrivals_;
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
      const Node from = schedule_.path(t)[0], to = schedule_.path(t)[1];
      const auto set = offers_.bits_[offers_.slot(t.round, from)];
      if (const auto alone = only_origin(t.round)) {
        put(set, *alone);
      } else {
        unite(set, may_arrive.offered(t.round, from, to));
      }
    }
    fill_up();
    write_lists();
    return std::move(offers_);
  }

 private:
  void number_slots() {
    for (const Transfer& t : schedule_.transfers()) {
      if (offers_.rounds_.empty() || offers_.rounds_.back() != t.round) {
        offers_.rounds_.push_back(t.round);
      }
    }
    const std::size_t slots = offers_.rounds_.size() * offers_.nodes_;
    offers_.begins_.assign(slots, kNoList);
    offers_.bits_ = NodeSets(slots, offers_.nodes_);
    for (const Transfer& t : schedule_.transfers()) {
      offers_.begins_[offers_.slot(t.round, schedule_.path(t)[0])] = 0;
    }
  }

  /// The only message that takes part in this round, if there is only one.
  std::optional<Node> only_origin(std::uint32_t round) const {
    if (schedule_.collective() == Collective::Broadcast) return schedule_.root;
    if (schedule_.initiator && round < schedule_.initiator->join) return schedule_.initiator->node;
    return std::nullopt;
  }

  /// Gives the lists of each round equal length.
  void fill_up() {
    for (std::size_t row = 0; row < offers_.rounds_.size(); ++row) {
      std::uint32_t longest = 1;
      for (Node x = 0; x < offers_.nodes_; ++x) {
        longest = std::max(longest, count(offers_.bits_[row * offers_.nodes_ + x]));
      }
      for (Node x = 0; x < offers_.nodes_; ++x) fill_slot(row, x, longest);
      offers_.lengths_.push_back(longest);
    }
  }

  void fill_slot(std::size_t row, Node node, std::uint32_t length) {
    const std::size_t slot = row * offers_.nodes_ + node;
    if (offers_.begins_[slot] == kNoList) return;
    const auto set = offers_.bits_[slot];
    std::uint32_t lacking = length - count(set);
    for (Node offset = 0; lacking > 0; ++offset) {
      if (has(set, node ^ offset)) continue;
      put(set, node ^ offset);
      --lacking;
    }
  }

  void write_lists() {
    for (std::size_t slot = 0; slot < offers_.begins_.size(); ++slot) {
      if (offers_.begins_[slot] == kNoList) continue;
      offers_.begins_[slot] = offers_.lists_.size();
      const Node node = static_cast<Node>(slot % offers_.nodes_);
      const auto set = offers_.bits_[slot];
      for (Node offset = 0; offset < offers_.nodes_; ++offset) {
        if (has(set, node ^ offset)) offers_.lists_.push_back(node ^ offset);
      }
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

std::span<const Node> Offers::at(std::uint32_t round, Node node) const {
  const std::size_t i = slot(round, node);
  if (i >= begins_.size() || begins_[i] == kNoList) return {};
  return {lists_.data() + begins_[i], length(round)};
}

std::span<const std::uint64_t> Offers::bits(std::uint32_t round, Node node) const {
  const std::size_t i = slot(round, node);
  if (i >= begins_.size() || begins_[i] == kNoList) return {};
  return bits_[i];
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

}  // namespace gossamer
