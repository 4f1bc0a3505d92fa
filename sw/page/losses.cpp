// What faults take away from the streams of a page.

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "gossamer_constants.hpp"
#include "page/streams.hpp"
#include "schedule/chunks.hpp"

namespace gossamer {
namespace {

class Losses {
 public:
  explicit Losses(const Schedule& schedule) : s_(schedule), held_(schedule.topology().nodes()) {
    for (Node x = 0; x < held_.size(); ++x) {
      for_each_initial(s_, x, [&](const Message& m) { held_[x].insert(m); });
    }
  }

  /// A transfer's streams; one, or one for each hop of a tree.
  void mark(std::span<PageStream> streams) {
    const Transfer& t = s_.transfers()[streams.front().transfer];
    arrive_before(t.round);
    const auto& held = held_[s_.source(t)];
    std::vector<Way> ways;  // by stream
    for (PageStream& stream : streams) {
      const auto hops = hops_of(s_, stream);
      const std::uint32_t before = hops.front().before;
      ways.push_back(before == TransferHop::kNone || ways[before].through ? way(t, hops) : Way{});
      for (const Message& m : stream.messages) {
        const bool sent = held.contains(m);
        stream.links.push_back(sent ? ways.back().links : 0);
        if (!sent || !ways.back().through || !hops.back().stored) continue;
        arrivals_[s_.stored_round(t, hops.back())].emplace_back(hops.back().to, m);
      }
      if (std::ranges::all_of(stream.links, [&](std::uint32_t n) { return n == hops.size(); }))
        stream.links.clear();
    }
  }

 private:
  /// The links that words are on, and whether the node behind the last one takes them.
  struct Way {
    std::uint32_t links = 0;
    bool through = false;
  };
  Way way(const Transfer& t, const std::vector<TransferHop>& hops) const {
    for (std::uint32_t h = 0; h < hops.size(); ++h) {
      if (s_.round_of(t, hops[h]) < s_.faults.from_round) continue;
      if (s_.faults.silent(hops[h].from, hops[h].to)) return {h, false};
      if (s_.faults.dead(hops[h].to)) return {h + 1, false};
    }
    return {static_cast<std::uint32_t>(hops.size()), true};
  }

  void arrive_before(std::uint32_t round) {
    while (!arrivals_.empty() && arrivals_.begin()->first < round) {
      for (const auto& [node, m] : arrivals_.begin()->second) held_[node].insert(m);
      arrivals_.erase(arrivals_.begin());
    }
  }

  const Schedule& s_;
  std::vector<std::set<Message>> held_;  ///< by node
  std::map<std::uint32_t, std::vector<std::pair<Node, Message>>>
      arrivals_;  ///< by the last round of their way
};

}  // namespace

void mark_losses(const Schedule& schedule, std::vector<PageStream>& streams) {
  Losses losses(schedule);
  for (std::size_t first = 0, next = 0; first < streams.size(); first = next) {
    while (next < streams.size() && streams[next].transfer == streams[first].transfer) ++next;
    losses.mark(std::span(streams).subspan(first, next - first));
  }
}

}  // namespace gossamer
