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
      for (const auto& brought : all) {
        const std::uint32_t first = brought.carried + brought.number;
        const std::uint32_t count = brought.transfer->join ? s_.hops(*brought.transfer).size() : 1;
        for (std::uint32_t i = first; i < first + count; ++i) {
          if (all_[i].to == brought.hop.to) arrive(i);
        }
      }
    });
    return std::move(all_);
  }

 private:
  void arrive(std::uint32_t number) {
    const Delivery& d = all_[number];
    for (std::size_t i = 0; i < d.messages.size(); ++i) {
      const auto [at, is_new] = held_[d.to].try_emplace(d.messages[i], Held{d.parts[i], {number}});
      if (is_new || !adds_) continue;
      Held& held = at->second;
      const auto whole = contributors(s_, d.messages[i]);
      if (held.parts == whole) continue;  // a part that comes beside the whole sum is in it
      if (d.parts[i] == whole) held = {0, {}};
      held.came.push_back(number);
      held.parts += d.parts[i];
    }
  }

  void send(const Transfer& t, const TransferHop& last) {
    const TransferHops hops = s_.hops(t);
    TransferHop first = last;
    while (first.before != TransferHop::kNone) first = hops[first.before];
    Delivery d{t.round,
               s_.round_of(t, last),
               first.from,
               last.to,
               port_out(s_.topology(), first),
               port_in(s_.topology(), last),
               {},
               {},
               {}};
    fill(t, d);
    count_ += d.messages.size();
    if (count_ > kMostMessages) refuse_too_large(s_);
    all_.push_back(std::move(d));
  }

  /// Each hop brings what has come to its tail, with what that holds.
  void join(const Transfer& t) {
    std::map<Node, std::vector<std::uint32_t>> into;
    for (const TransferHop hop : s_.hops(t)) {
      const std::uint32_t round = s_.round_of(t, hop);
      Delivery d{
          round, round, hop.from, hop.to, port_out(s_.topology(), hop), port_in(s_.topology(), hop),
          {},    {},    {}};
      fill(t, d);
      for (const std::uint32_t before : into[hop.from]) {
        d.needs.push_back(before);
        for (std::size_t i = 0; i < d.parts.size(); ++i) d.parts[i] += all_[before].parts[i];
      }
      std::sort(d.needs.begin(), d.needs.end());
      into[hop.to].push_back(static_cast<std::uint32_t>(all_.size()));
      count_ += d.messages.size();
      if (count_ > kMostMessages) refuse_too_large(s_);
      all_.push_back(std::move(d));
    }
  }

  void fill(const Transfer& t, Delivery& d) const {
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
