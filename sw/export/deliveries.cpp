#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "export/export.hpp"
#include "play/play.hpp"
#include "schedule/chunks.hpp"
#include "schedule/schedule.hpp"
#include "support/refuse.hpp"

namespace gossamer {
namespace {

/// The most messages over all deliveries: about a gigabyte.
constexpr std::uint64_t kMostMessages = std::uint64_t{1} << 26;

[[noreturn]] void refuse_too_large(const Schedule& s) {
  refuse("{}: too large to be exported: more than {} messages in all", s.topology().spec(),
         kMostMessages);
}

/// Tracks what every node holds.
class Expansion {
 public:
  explicit Expansion(Schedule schedule)
      : s_(std::move(schedule)), adds_(reduces(s_.collective())), held_(s_.topology().nodes()) {
    for (Node x = 0; x < held_.size(); ++x) {
      for_each_initial(s_, x, [&](const Message& m) { held_[x].try_emplace(m); });
    }
  }

  std::vector<Delivery> expand() {
    const auto send_all = [&](const Transfer& t) {
      const auto first = static_cast<std::uint32_t>(all_.size());
      if (t.join) {
        join(t);
      } else {
        for (const TransferHop hop : s_.stored_hops(t)) send(t, hop);
      }
      return first;
    };
    Story<std::uint32_t>(s_).tell(send_all, [&](const auto& all) {
      for (const bool whole : {true, false}) {
        for (const auto& brought : all) {
          const std::uint32_t first = brought.carried + brought.number;
          const std::uint32_t count =
              brought.transfer->join ? s_.hops(*brought.transfer).size() : 1;
          for (std::uint32_t i = first; i < first + count; ++i) {
            if (all_[i].to == brought.hop.to) arrive(i, whole);
          }
        }
      }
    });
    return std::move(all_);
  }

 private:
  /// Its whole sums, or the others: a part that comes beside the whole sum is in it.
  void arrive(std::uint32_t number, bool whole) {
    Delivery& d = all_[number];
    for (std::size_t i = 0; i < d.messages.size(); ++i) {
      const std::uint32_t all = adds_ ? contributors(s_, d.messages[i]) : 1;
      if ((d.parts[i] == all) != whole) continue;
      const auto [at, is_new] = held_[d.to].try_emplace(d.messages[i], Held{0, {}});
      Held& held = at->second;
      d.news[i] = held.parts != all;
      if (!d.news[i]) continue;
      if (whole) held = {0, {}};
      held.came.push_back(number);
      held.parts += d.parts[i];
    }
  }

  void send(const Transfer& t, const TransferHop& last) {
    const TransferHops hops = s_.hops(t);
    TransferHop first = last;
    while (first.before != TransferHop::kNone) first = hops[first.before];
    add(delivery(t, t.round, first, last));
  }

  /// Each hop brings what has come to its tail, with what that holds.
  void join(const Transfer& t) {
    std::map<Node, std::vector<std::uint32_t>> into;
    for (const TransferHop hop : s_.hops(t)) {
      Delivery d = delivery(t, s_.round_of(t, hop), hop, hop);
      for (const std::uint32_t before : into[hop.from]) {
        d.needs.push_back(before);
        for (std::size_t i = 0; i < d.parts.size(); ++i) d.parts[i] += all_[before].parts[i];
      }
      std::sort(d.needs.begin(), d.needs.end());
      into[hop.to].push_back(static_cast<std::uint32_t>(all_.size()));
      add(std::move(d));
    }
  }

  void add(Delivery d) {
    count_ += d.messages.size();
    if (count_ > kMostMessages) refuse_too_large(s_);
    d.news.assign(d.messages.size(), true);
    all_.push_back(std::move(d));
  }

  /// From the tail of one hop to the head of another.
  Delivery delivery(const Transfer& t, std::uint32_t round, const TransferHop& first,
                    const TransferHop& last) const {
    Delivery d{.round = round,
               .arrival = s_.round_of(t, last),
               .from = first.from,
               .to = last.to,
               .out = port_out(s_.topology(), first),
               .in = port_in(s_.topology(), last)};
    const auto& held = held_[d.from];
    d.messages.assign(s_.messages(t).begin(), s_.messages(t).end());
    if (t.carry == Carry::Everything) {
      for (const auto& [message, has] : held) d.messages.push_back(message);
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
    return d;
  }

  /// What a node has of a message.
  struct Held {
    std::uint32_t parts = 1;
    std::vector<std::uint32_t> came;  ///< the deliveries that brought it; of a sum all of them
  };
  Schedule s_;  ///< without orbits
  bool adds_;
  std::vector<std::map<Message, Held>> held_;
  std::vector<Delivery> all_;
  std::uint64_t count_ = 0;
};

}  // namespace

std::vector<Delivery> deliveries(const Schedule& schedule) {
  if (adaptive(schedule)) {
    throw InputError(
        "an adaptive schedule cannot be exported: what it sends is decided as it runs");
  }
  if (schedule.transfers().size() * schedule.symmetry().order() > kMostMessages)
    refuse_too_large(schedule);
  return Expansion(without_orbits(schedule)).expand();
}

}  // namespace gossamer
