#include <algorithm>
#include <utility>
#include <vector>

#include "checker/rules.hpp"
#include "support/job.hpp"

namespace gossamer::checking {

std::vector<Node> check_tolerance(const Schedule& schedule, FaultLog& log) {
  // By node the hops that end the way of a piece there.
  std::vector<std::vector<std::pair<const Transfer*, std::uint32_t>>> ends(
      schedule.topology().nodes());
  for (const Transfer& t : schedule.transfers()) {
    const TransferHops hops = schedule.hops(t);
    if (schedule.source(t) != schedule.root) {
      log.add(t, hops[0].from, hops[0].to, "node {} may lack what it sends on; only the root sends",
              hops[0].from);
    }
    for (std::uint32_t i = 0; i < hops.size(); ++i) {
      if (hops[i].stored) ends[hops[i].to].emplace_back(&t, i);
    }
  }
  std::vector<Node> lacking;
  for (Node x = 0; x < ends.size(); ++x) {
    stop_if_interrupted();
    if (ends[x].size() > schedule.pieces()) log.add(1, "a piece comes to node {} twice", x);
    // The nodes between the ends of all ways, or the root where a link is the whole way.
    std::vector<Node> passed;
    std::uint32_t lost = 0;
    for (const auto& [t, end] : ends[x]) {
      const TransferHops hops = schedule.hops(*t);
      bool dead = false;
      for (std::uint32_t at = end; at != TransferHop::kNone; at = hops[at].before) {
        dead = dead || schedule.faults.dead(hops[at].from, hops[at].to);
        const bool from_root = hops[at].before == TransferHop::kNone;
        if (!from_root || at == end) passed.push_back(hops[at].from);
      }
      lost += dead ? 1 : 0;
    }
    std::ranges::sort(passed);
    const auto twice = std::ranges::adjacent_find(passed);
    if (twice != passed.end()) {
      log.add(1, "two pieces come to node {} by way of node {}", x, *twice);
    }
    if (lost > 1 && !schedule.faults.dead(x)) lacking.push_back(x);
  }
  return lacking;
}

}  // namespace gossamer::checking
