#include "tables/adaptive_timing.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "gossamer_constants.hpp"

namespace gossamer {
namespace {

/// How much later than `t` the next slot must begin so that every message that crosses a link in
/// slot `t` is written before it is read: in flits' cycles from `t`. Rounds are slots.
std::uint64_t next_slot_after(const Schedule& s, const Offers& offers, std::uint32_t round,
                              unsigned flits) {
  std::int64_t least = 0;
  std::map<std::pair<std::vector<Node>, Node>, bool> seen;  // most nodes have the same lists
  for (const Transfer& t : s.transfers_of(round)) {
    const auto path = s.path(t);
    const Node from = path.front(), to = path.back();
    const auto sent = offers.at(round, from), next = offers.at(round + 1, to);
    std::vector<Node> relative;
    for (Node o : sent) relative.push_back(o ^ from);
    for (Node o : next) relative.push_back(o ^ to);
    if (!seen.try_emplace({std::move(relative), from ^ to}, true).second) continue;
    for (std::size_t k = 0; k < next.size(); ++k) {
      const auto at = std::ranges::find(sent, next[k]);
      if (at == sent.end()) continue;
      const auto ahead = (at - sent.begin()) - static_cast<std::ptrdiff_t>(k);
      least = std::max(least, static_cast<std::int64_t>(ahead) * flits + rtl::TIME_LAT);
    }
  }
  return static_cast<std::uint64_t>(least);
}

}  // namespace

Timeline adaptive_timeline(const Schedule& s, const Offers& offers, unsigned flits) {
  Timeline time;
  std::uint64_t now = rtl::TIME_START;
  for (std::uint32_t r = 1; r <= s.rounds(); ++r) {
    RoundShape shape;
    shape.most_flits = std::uint64_t{offers.length(r)} * flits;
    SlotParts parts = slot_parts(Switching::Packet, shape);
    if (r < s.rounds()) {
      const std::uint64_t least = next_slot_after(s, offers, r, flits);
      parts.waiting += least - std::min(least, parts.sum());
    }
    time.start.push_back(now);
    time.parts.push_back(parts);
    time.length.push_back(parts.sum());
    now += parts.sum();
  }
  // A slot's receive window closes two cycles after the slot.
  time.last_arrival = now + rtl::TIME_DELTA;
  return time;
}

}  // namespace gossamer
