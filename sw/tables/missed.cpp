#include <algorithm>

#include "tables/timing.hpp"

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
  const std::uint32_t next = schedule.round_of(t, dead) + schedule.model().hop_rounds;
  const Port out = dead.before == TransferHop::kNone
                       ? schedule.lane_of_join(t)
                       : port_out(schedule.topology(), hops[dead.before]);
  add_missed(lost, dead.to, {next, out});
}

/// What a node misses to which a path or a tree brings nothing; of a sum at the output that adds
/// it.
void add_arrival(const Schedule& schedule, const ScheduleTiming& timed, const Transfer& t,
                 const TransferHop& hop, MissedBy& lost) {
  const Port in = port_in(schedule.topology(), hop);
  if (timed.sums == nullptr) return add_missed(lost, hop.to, {schedule.round_of(t, hop), in});
  for (const Message& m : schedule.messages(t)) {
    const SumLanes::Sum& sum = timed.sums->rounds[t.round - 1].at({hop.to, m});
    const std::uint64_t way = sum.adds ? 0 : cycles_of_hop(schedule, timed.time.stages, in);
    const std::uint64_t cycle = timed.time.start[t.round - 1] + sum.begin - way;
    add_missed(lost, hop.to, {static_cast<std::uint32_t>(cycle), sum.adds ? sum.lane : in});
  }
}

/// What follows if hop `dead` of a transfer brings nothing.
void add_behind(const Schedule& schedule, const ScheduleTiming& timed, const Transfer& t,
                std::uint32_t dead, MissedBy& lost) {
  const TransferHops hops = schedule.hops(t);
  std::vector<bool> behind(hops.size());
  behind[dead] = true;
  for (std::uint32_t k = dead; k < hops.size(); ++k) {
    const TransferHop hop = hops[k];
    if (k > dead && hop.before != TransferHop::kNone) behind[k] = behind[hop.before];
    if (behind[k] && hop.stored) add_arrival(schedule, timed, t, hop, lost);
  }
}

}  // namespace

void add_missed(MissedBy& all, Node node, const Missed& missed) {
  const auto [place, is_new] = all.try_emplace(node, missed);
  if (!is_new) place->second = std::min(place->second, missed);
}

std::vector<MissedBy> missed_by_arc(const Schedule& schedule, const ScheduleTiming& timed) {
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
        add_behind(schedule, timed, t, i, lost);
      }
    }
  }
  return by_arc;
}

}  // namespace gossamer
