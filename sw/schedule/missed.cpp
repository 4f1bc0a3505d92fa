#include "schedule/missed.hpp"

#include <algorithm>

#include "gossamer_constants.hpp"

namespace gossamer {
namespace {

/// What follows if the hop `dead` of a join brings nothing.
void add_sum(const Schedule& schedule, const Transfer& t, TransferHop dead, MissedBy& lost) {
  const TransferHops hops = schedule.hops(t);
  const auto adds = [&](Node x) {
    const auto come = std::ranges::count_if(numbers_below(hops.size()),
                                            [&](std::uint32_t i) { return hops[i].to == x; });
    return come > 1 || schedule.members.has(x);
  };
  while (!adds(dead.to) && dead.before != TransferHop::kNone) dead = hops[dead.before];
  // Inputs wait for the stages of their links, all of one length, so these do not count.
  const std::uint32_t next = schedule.round_of(t, dead) + rtl::TIME_DELTA + rtl::TIME_JOIN;
  const Port out = dead.before == TransferHop::kNone
                       ? schedule.lane_of_join(t)
                       : port_out(schedule.topology(), hops[dead.before]);
  add_missed(lost, dead.to, {next, out});
}

/// What follows if hop `dead` of a transfer brings nothing.
void add_behind(const Schedule& schedule, const Transfer& t, std::uint32_t dead, MissedBy& lost) {
  const TransferHops hops = schedule.hops(t);
  std::vector<bool> behind(hops.size());
  behind[dead] = true;
  for (std::uint32_t k = dead; k < hops.size(); ++k) {
    const TransferHop hop = hops[k];
    if (k > dead && hop.before != TransferHop::kNone) behind[k] = behind[hop.before];
    if (!behind[k] || !hop.stored) continue;
    add_missed(lost, hop.to, {schedule.round_of(t, hop), port_in(schedule.topology(), hop)});
  }
}

}  // namespace

void add_missed(MissedBy& all, Node node, const Missed& missed) {
  const auto [place, is_new] = all.try_emplace(node, missed);
  if (!is_new) place->second = std::min(place->second, missed);
}

std::vector<MissedBy> missed_by_arc(const Schedule& schedule) {
  const Topology& topology = schedule.topology();
  std::vector<MissedBy> by_arc(std::size_t{topology.nodes()} * topology.ports());
  for (const Transfer& t : schedule.transfers()) {
    const TransferHops hops = schedule.hops(t);
    for (std::uint32_t i = 0; i < hops.size(); ++i) {
      const TransferHop hop = hops[i];
      MissedBy& lost = by_arc[std::size_t{hop.from} * topology.ports() + port_out(topology, hop)];
      if (t.join) {
        add_sum(schedule, t, hop, lost);
      } else {
        add_behind(schedule, t, i, lost);
      }
    }
  }
  return by_arc;
}

}  // namespace gossamer
