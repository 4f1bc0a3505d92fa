#include "export/deliveries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "schedule/adaptive_rules.hpp"
#include "schedule/chunks.hpp"
#include "support/error.hpp"
#include "tables/compiler.hpp"

namespace gossamer {
namespace {

/// The most messages over all deliveries: about a gigabyte.
constexpr std::uint64_t kMostMessages = std::uint64_t{1} << 26;

/// Tracks what every node holds.
class Expansion {
 public:
  explicit Expansion(const Schedule& schedule)
      : s_(schedule),
        topology_(schedule.topology()),
        adds_(reduces(schedule.collective())),
        held_(topology_.nodes()) {
    for (Node x = 0; x < topology_.nodes(); ++x) {
      for (const Message& m : own_messages(s_, x)) held_[x].try_emplace(m);
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
      for (std::size_t i = 0; i < d.messages.size(); ++i) {
        const auto [at, is_new] =
            held_[d.to].try_emplace(d.messages[i], Held{d.parts[i], {next->second}});
        if (is_new || !adds_) continue;
        Held& held = at->second;
        const auto whole = contributors(s_, d.messages[i]);
        if (held.parts == whole) continue;  // a part that comes beside the whole sum is in it
        if (d.parts[i] == whole) held = {0, {}};
        held.came.push_back(next->second);
        held.parts += d.parts[i];
      }
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
    d.out = topology_.port_to(d.from, moved(first.to, by), first.lane);
    d.in = port_in(topology_, {.from = moved(last.from, by), .to = d.to, .lane = last.lane});
    fill(t, by, d);
    count_ += d.messages.size();
    if (count_ > kMostMessages) {
      throw InputError(fmt::format("{}: too large to be exported: more than {} messages in all",
                                   topology_.spec(), kMostMessages));
    }
    under_way_.emplace(s_.stored_round(t, last), static_cast<std::uint32_t>(all_.size()));
    all_.push_back(std::move(d));
  }

  void fill(const Transfer& t, Node by, Delivery& d) const {
    const auto& held = held_[d.from];
    if (t.carry == Carry::Everything) {
      for (const auto& [message, has] : held) d.messages.push_back(message);
    }
    for (const Message& m : s_.messages(t)) {
      d.messages.push_back({moved(m.origin, by), moved(m.destination, by), m.piece});
    }
    std::sort(d.messages.begin(), d.messages.end());
    for (const Message& m : d.messages) {
      const auto found = held.find(m);
      d.parts.push_back(found == held.end() ? 0 : found->second.parts);
      if (found == held.end()) continue;
      d.needs.insert(d.needs.end(), found->second.came.begin(), found->second.came.end());
    }
    std::sort(d.needs.begin(), d.needs.end());
    d.needs.erase(std::unique(d.needs.begin(), d.needs.end()), d.needs.end());
  }

  /// What a node has of a message.
  struct Held {
    std::uint32_t parts = 1;
    std::vector<std::uint32_t> came;  ///< the deliveries that brought it; of a sum all of them
  };
  const Schedule& s_;
  const Topology& topology_;
  bool adds_;
  std::vector<std::map<Message, Held>> held_;
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
