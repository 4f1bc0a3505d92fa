#include <fmt/format.h>

#include <algorithm>

#include "checks/verdict.hpp"
#include "gossamer_constants.hpp"
#include "tables/timing.hpp"

namespace gossamer::tb {
namespace {

/// If the outputs of node `a` (to node `b` alone, if that is one) are dead.
void add_outputs(const Topology& topology, const std::vector<MissedBy>& by_arc, Node a, Node b,
                 MissedBy& all) {
  for (Port p = 0; p < topology.ports(); ++p) {
    const Endpoint to = topology.peer(a, p);
    if (!to.connected() || (b != kNoNode && to.node != b)) continue;
    for (const auto& [node, missed] : by_arc[std::size_t{a} * topology.ports() + p]) {
      add_missed(all, node, missed);
    }
  }
}

/// A node raises what it misses at the end of the slot, unless it has begun to send it on.
bool comes_of(const NodeError& error, const Missed& missed) {
  switch (rtl::error_e{error.first_code}) {
    case rtl::error_e::ERR_MISSING:
      return error.first_slot + 1 == missed.round && error.first_port == missed.port;
    case rtl::error_e::ERR_UNWRITTEN: return error.first_slot == missed.round;
    default: return false;
  }
}

}  // namespace

std::vector<std::string> suspects(const Schedule& schedule, const ScheduleTiming& timed,
                                  const std::vector<NodeError>& errors) {
  if (errors.empty() || adaptive(schedule)) return {};
  const Schedule all = without_orbits(schedule);
  const Topology& topology = all.topology();
  const std::vector<MissedBy> by_arc = missed_by_arc(all, timed);
  const auto explains = [&](const MissedBy& missed) {
    return missed.size() == errors.size() && std::ranges::all_of(errors, [&](const NodeError& e) {
             const auto found = missed.find(e.node);
             return found != missed.end() && comes_of(e, found->second);
           });
  };
  std::vector<std::string> found;
  for (Node x = 0; x < topology.nodes(); ++x) {
    MissedBy missed;
    add_outputs(topology, by_arc, x, kNoNode, missed);
    if (explains(missed)) found.push_back("node " + topology.name(x));
  }
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint to = topology.peer(x, p);
      // Parallel links die together, and are named once.
      if (!to.connected() || to.node < x || topology.port_to(x, to.node) != p) continue;
      MissedBy missed;
      add_outputs(topology, by_arc, x, to.node, missed);
      add_outputs(topology, by_arc, to.node, x, missed);
      if (explains(missed)) {
        found.push_back(fmt::format("link {}-{}", topology.name(x), topology.name(to.node)));
      }
    }
  }
  return found;
}

}  // namespace gossamer::tb
