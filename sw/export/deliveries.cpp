#include "export/deliveries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "schedule/adaptive_rules.hpp"
#include "support/error.hpp"
#include "tables/compiler.hpp"

namespace gossamer {
namespace {

/// The most messages over all deliveries: about a gigabyte.
constexpr std::uint64_t kMostMessages = std::uint64_t{1} << 26;
constexpr std::uint32_t kOwn = ~std::uint32_t{0};

/// Tracks what every node holds.
class Expansion {
 public:
  explicit Expansion(const Schedule& schedule)
      : s_(schedule), topology_(schedule.topology()), held_(topology_.nodes()) {
    for (Node x = 0; x < topology_.nodes(); ++x) {
      for (const Message& m : own_messages(s_, x)) held_[x].emplace(m, kOwn);
    }
  }

  std::vector<Delivery> expand() {
    for (const Transfer& t : s_.transfers()) {
      arrive(t.round);
      for (const Node by : s_.symmetry().elements()) send(t, by);
    }
    return std::move(all_);
  }

 private:
  Node moved(Node x, Node by) const {
    return by == 0 || x == kNoNode ? x : topology_.translate(x, by);
  }

  /// Delivers what can be sent on in round `round`.
  void arrive(std::uint32_t round) {
    for (auto next = under_way_.begin(); next != under_way_.end() && next->first < round;
         next = under_way_.erase(next)) {
      const Delivery& d = all_[next->second];
      for (const Message& message : d.messages) held_[d.to].emplace(message, next->second);
    }
  }

  void send(const Transfer& t, Node by) {
    const TransferHops hops = s_.hops(t);
    for (const TransferHop hop : s_.stored_hops(t)) {
      TransferHop first = hop;
      while (first.before != TransferHop::kNone) first = hops[first.before];
      send(t, by, first, hop);
    }
  }

  void send(const Transfer& t, Node by, const TransferHop& first, const TransferHop& last) {
    Delivery d;
    d.round = t.round;
    d.arrival = s_.round_of(t, last);
    d.from = moved(first.from, by);
    d.to = moved(last.to, by);
    d.out = topology_.port_to(d.from, moved(first.to, by));
    d.in = topology_.port_to(d.to, moved(last.from, by));
    fill(t, by, d);
    count_ += d.messages.size();
    if (count_ > kMostMessages) {
      throw InputError(fmt::format("{}: too large to be exported: more than {} messages in all",
                                   topology_.spec(), kMostMessages));
    }
    const std::uint32_t stored = s_.model().switching == Switching::Pipelined ? kPipelinedStoreRounds : 0;
    under_way_.emplace(d.arrival + stored, static_cast<std::uint32_t>(all_.size()));
    all_.push_back(std::move(d));
  }

  void fill(const Transfer& t, Node by, Delivery& d) const {
    const auto& held = held_[d.from];
    if (t.carry == Carry::Everything) {
      for (const auto& [message, source] : held) d.messages.push_back(message);
    }
    for (const Message& m : s_.messages(t)) {
      d.messages.push_back({moved(m.origin, by), moved(m.destination, by), m.piece});
    }
    std::sort(d.messages.begin(), d.messages.end());
    for (const Message& m : d.messages) {
      const auto found = held.find(m);
      if (found != held.end() && found->second != kOwn) d.needs.push_back(found->second);
    }
    std::sort(d.needs.begin(), d.needs.end());
    d.needs.erase(std::unique(d.needs.begin(), d.needs.end()), d.needs.end());
  }

  const Schedule& s_;
  const Topology& topology_;
  std::vector<std::map<Message, std::uint32_t>> held_;  ///< with the delivery that brought it
  std::multimap<std::uint32_t, std::uint32_t> under_way_;
  std::vector<Delivery> all_;
  std::uint64_t count_ = 0;
};

}  // namespace

std::vector<Delivery> deliveries(const Schedule& schedule) {
  if (adaptive(schedule)) {
    throw InputError(
        "an adaptive schedule cannot be exported: what it sends is decided as it runs");
  }
  return Expansion(schedule).expand();
}

}  // namespace gossamer
