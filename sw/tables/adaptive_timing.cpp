#include "tables/adaptive_timing.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "gossamer_constants.hpp"

namespace gossamer {
namespace {

/// How much later than `t` the next slot must begin so that every message that crosses a link in
/// slot `t` is written before it is read: in flits' cycles from `t`. Rounds are slots.
std::uint64_t next_slot_after(const Schedule& s, const Offers& offers, std::uint32_t round,
                              unsigned flits, const PortStages& stages) {
  std::int64_t least = 0;
  std::set<std::pair<std::vector<Node>, Node>> seen;  // most nodes have the same lists
  for (const Transfer& t : s.transfers_of(round)) {
    const auto path = s.path(t);
    const Node from = path.front(), to = path.back();
    const auto sent = offers.at(round, from), next = offers.at(round + 1, to);
    const auto lat =
        static_cast<std::int64_t>(rtl::TIME_LAT - rtl::TIME_DELTA +
                                  Timeline::hop_cycles(stages, s.topology().port_to(from, to)));
    const auto read = [&](Node message, std::size_t k) {
      const auto at = std::ranges::find(sent, message);
      if (at == sent.end()) return;
      const auto ahead = (at - sent.begin()) - static_cast<std::ptrdiff_t>(k);
      least = std::max(least, static_cast<std::int64_t>(ahead) * flits + lat);
    };
    // Without the initiator's message nothing is sent.
    if (s.initiator && !next.empty()) read(s.initiator->node, 0);
    std::vector<Node> relative{static_cast<Node>(sent.size())};  // where the second list begins
    for (Node o : sent) relative.push_back(o ^ from);
    for (Node o : next) relative.push_back(o ^ to);
    if (!seen.emplace(std::move(relative), from ^ to).second) continue;
    for (std::size_t k = 0; k < next.size(); ++k) read(next[k], k);
  }
  return static_cast<std::uint64_t>(least);
}

}  // namespace

Timeline adaptive_timeline(const Schedule& s, const Offers& offers, unsigned flits,
                           const PortStages& stages) {
  const std::uint64_t longest = stages.empty() ? 0 : std::ranges::max(stages);
  const std::uint64_t shortest = stages.empty() ? 0 : std::ranges::min(stages);
  const bool one_log = s.model().ports == PortModel::Single;
  Timeline time;
  time.stages = stages;
  std::uint64_t now = rtl::TIME_START;
  for (std::uint32_t r = 1; r <= s.rounds(); ++r) {
    RoundShape shape;
    shape.most_flits = std::uint64_t{offers.length(r)} * flits;
    if (!stages.empty()) {
      for (const Transfer& t : s.transfers_of(r)) {
        const auto path = s.path(t);
        const Port out = s.topology().port_to(path[0], path[1]);
        shape.last_message = std::max<std::uint64_t>(shape.last_message, stages[out]);
      }
    }
    // As in timing.cpp: what a long link brings is over before a shorter one brings more.
    if (one_log) shape.one_log = shape.most_flits + longest - shortest;
    SlotParts parts = slot_parts(Switching::Packet, shape);
    if (r < s.rounds()) {
      const std::uint64_t least = next_slot_after(s, offers, r, flits, stages);
      parts.waiting += least - std::min(least, parts.sum());
    }
    time.start.push_back(now);
    time.parts.push_back(parts);
    time.length.push_back(parts.sum());
    now += parts.sum();
  }
  // A slot's receive window closes two cycles after the slot, that of a link with stages later.
  time.last_arrival = time.last_on_link = now + rtl::TIME_DELTA + longest;
  return time;
}

}  // namespace gossamer
