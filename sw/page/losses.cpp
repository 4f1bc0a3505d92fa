// What faults take away from the streams of a page.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "checker/rules.hpp"
#include "gossamer_constants.hpp"
#include "page/streams.hpp"

namespace gossamer {
namespace {

class Losses {
 public:
  explicit Losses(const Schedule& schedule)
      : s_(schedule),
        pipelined_(schedule.model().switching == Switching::Pipelined),
        held_(schedule.topology().nodes()) {
    for (Node x = 0; x < held_.size(); ++x) {
      checking::for_each_initial(s_, x, [&](const Message& m) { held_[x].insert(m); });
    }
  }

  void mark(PageStream& stream) {
    const Transfer& t = s_.transfers()[stream.transfer];
    const auto path = s_.path(t);
    arrive_before(t.round);
    const auto [links, through] = way(t);
    auto& arriving =
        arrivals_[pipelined_ ? t.round + t.path_size - 2 + kPipelinedStoreRounds : t.round];
    for (const Message& m : stream.messages) {
      const bool sent = held_[path.front()].contains(m);
      stream.links.push_back(sent ? links : 0);
      if (sent && through) arriving.emplace_back(path.back(), m);
    }
    const auto all = static_cast<std::uint32_t>(path.size() - 1);
    if (std::ranges::all_of(stream.links, [&](std::uint32_t n) { return n == all; }))
      stream.links.clear();
  }

 private:
  /// The links of the path that words are on, and whether its end takes them.
  std::pair<std::uint32_t, bool> way(const Transfer& t) const {
    const auto path = s_.path(t);
    for (std::uint32_t h = 0; h + 1 < path.size(); ++h) {
      if ((pipelined_ ? t.round + h : t.round) < s_.faults.from_round) continue;
      if (s_.faults.silent(path[h], path[h + 1])) return {h, false};
      if (s_.faults.dead(path[h + 1])) return {h + 1, false};
    }
    return {static_cast<std::uint32_t>(path.size() - 1), true};
  }

  void arrive_before(std::uint32_t round) {
    while (!arrivals_.empty() && arrivals_.begin()->first < round) {
      for (const auto& [node, m] : arrivals_.begin()->second) held_[node].insert(m);
      arrivals_.erase(arrivals_.begin());
    }
  }

  const Schedule& s_;
  const bool pipelined_;
  std::vector<std::set<Message>> held_;  ///< by node
  std::map<std::uint32_t, std::vector<std::pair<Node, Message>>>
      arrivals_;  ///< by the last round of their way
};

}  // namespace

void mark_losses(const Schedule& schedule, std::vector<PageStream>& streams) {
  Losses losses(schedule);
  for (PageStream& stream : streams) losses.mark(stream);
}

}  // namespace gossamer
