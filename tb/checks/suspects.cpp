#include "checks/suspects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "gossamer_constants.hpp"
#include "schedule/remains.hpp"

namespace gossamer::tb {
namespace {

/// Where a node first misses a flit: at the input, or of a sum at the output that adds it up.
struct Missed {
  std::uint32_t round = 0;
  std::uint32_t depth = 0;  ///< of circuits: the flits come later in the round
  Port port = 0;
  auto operator<=>(const Missed&) const = default;
};
using MissedBy = std::map<Node, Missed>;

void add(MissedBy& all, Node node, const Missed& missed) {
  const auto [place, is_new] = all.try_emplace(node, missed);
  if (!is_new) place->second = std::min(place->second, missed);
}

/// What nodes miss if nothing comes over a link. What a node then sends, though it does not have
/// it, is words all the same, and a sum without a part goes on. So only those miss something to
/// which the circuit leads on, and of a sum the first that has something to add.
class Losses {
 public:
  explicit Losses(const Schedule& all) : schedule_(all), ports_(all.topology().ports()) {
    by_arc_.resize(std::size_t{all.topology().nodes()} * ports_);
    for (const Transfer& t : schedule_.transfers()) add_transfer(t);
  }

  /// If the outputs of node `a` (to node `b` alone, if that is one) are dead.
  void add_outputs(Node a, Node b, MissedBy& all) const {
    for (Port p = 0; p < ports_; ++p) {
      const Endpoint to = schedule_.topology().peer(a, p);
      if (!to.connected() || (b != kNoNode && to.node != b)) continue;
      for (const auto& [node, missed] : by_arc_[std::size_t{a} * ports_ + p]) {
        add(all, node, missed);
      }
    }
  }

 private:
  void add_transfer(const Transfer& t) {
    const Topology& topology = schedule_.topology();
    const TransferHops hops = schedule_.hops(t);
    for (std::uint32_t i = 0; i < hops.size(); ++i) {
      const TransferHop dead = hops[i];
      MissedBy& lost = by_arc_[std::size_t{dead.from} * ports_ + port_out(topology, dead)];
      if (t.join) {
        add_sum(t, hops, dead, lost);
        continue;
      }
      std::vector<bool> behind(hops.size());
      behind[i] = true;
      for (std::uint32_t k = i; k < hops.size(); ++k) {
        const TransferHop hop = hops[k];
        if (k > i && hop.before != TransferHop::kNone) behind[k] = behind[hop.before];
        if (!behind[k] || !hop.stored) continue;
        const bool circuit = schedule_.model().switching == Switching::Circuit;
        add(lost, hop.to,
            {schedule_.round_of(t, hop), circuit ? hop.depth : 0, port_in(topology, hop)});
      }
    }
  }

  void add_sum(const Transfer& t, const TransferHops& hops, TransferHop hop, MissedBy& lost) {
    const auto adds = [&](Node x) {
      const auto come = std::ranges::count_if(numbers_below(hops.size()),
                                              [&](std::uint32_t i) { return hops[i].to == x; });
      return come > 1 || schedule_.members.has(x);
    };
    while (!adds(hop.to) && hop.before != TransferHop::kNone) hop = hops[hop.before];
    const std::uint32_t next = schedule_.round_of(t, hop) + schedule_.model().hop_rounds;
    const Port out = hop.before == TransferHop::kNone
                         ? schedule_.lane_of_join(t)
                         : port_out(schedule_.topology(), hops[hop.before]);
    add(lost, hop.to, {next, 0, out});
  }

  const Schedule& schedule_;
  Port ports_;
  std::vector<MissedBy> by_arc_;  ///< by tail and port
};

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

std::vector<std::string> suspects(const Schedule& schedule, const std::vector<NodeError>& errors) {
  if (errors.empty() || adaptive(schedule)) return {};
  const Schedule all = without_orbits(schedule);
  const Topology& topology = all.topology();
  const Losses losses(all);
  const auto explains = [&](const MissedBy& missed) {
    return missed.size() == errors.size() && std::ranges::all_of(errors, [&](const NodeError& e) {
             const auto found = missed.find(e.node);
             return found != missed.end() && comes_of(e, found->second);
           });
  };
  std::vector<std::string> found;
  for (Node x = 0; x < topology.nodes(); ++x) {
    MissedBy missed;
    losses.add_outputs(x, kNoNode, missed);
    if (explains(missed)) found.push_back("node " + topology.name(x));
  }
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint to = topology.peer(x, p);
      if (!to.connected() || to.node < x) continue;
      MissedBy missed;
      losses.add_outputs(x, to.node, missed);
      losses.add_outputs(to.node, x, missed);
      if (explains(missed)) {
        found.push_back(fmt::format("link {}-{}", topology.name(x), topology.name(to.node)));
      }
    }
  }
  return found;
}

}  // namespace gossamer::tb
