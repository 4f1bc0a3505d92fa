#include "schedule/adaptive_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gossamer {
namespace {

bool is_new(const Transfer& t) { return t.carry == Carry::New; }

/// Checks the model and the topology of an adaptive schedule.
std::optional<std::string> frame_fault(const Schedule& s) {
  const Model& model = s.model();
  if (!same_to_all(s.collective())) {
    return fmt::format("adaptive transfers (new) are for gossip and broadcast, not for {}",
                       to_string(s.collective()));
  }
  if (model.switching != Switching::Packet || model.duplex != Duplex::Full || !model.combining) {
    return "adaptive transfers (new) need packet switching, full duplex and combining";
  }
  const Topology& topology = s.topology();
  const bool cube = std::ranges::all_of(
      topology.factors(), [](const Graph& g) { return g.nodes == 2 && g.ports == 1; });
  if (!cube) {
    return fmt::format("adaptive transfers (new) need a hypercube, such as hypercube:4; {} is none",
                       topology.spec());
  }
  if (topology.nodes() > kMaxAdaptiveNodes) {
    return fmt::format("adaptive transfers (new) need a hypercube of at most {} nodes; {} has {}",
                       kMaxAdaptiveNodes, topology.spec(), topology.nodes());
  }
  if (s.rounds() > kMaxAdaptiveRounds) {
    return fmt::format("an adaptive schedule has at most {} rounds, not {}", kMaxAdaptiveRounds,
                       s.rounds());
  }
  if (s.symmetry().order() > 1) return "an adaptive schedule has no orbits: list all transfers";
  if (s.pieces() > 1) return "an adaptive schedule has whole messages, not pieces";
  if (!s.sizes.equal()) return "an adaptive schedule has messages of one length";
  if (!s.members.all()) return "an adaptive schedule has all nodes as members";
  return std::nullopt;
}

}  // namespace

bool adaptive(const Schedule& schedule) {
  return std::ranges::any_of(schedule.transfers(), is_new);
}

std::optional<std::string> adaptive_fault(const Schedule& schedule) {
  const bool any = adaptive(schedule);
  if (any) {
    if (const auto fault = frame_fault(schedule)) return fault;
    if (std::ranges::any_of(schedule.transfers(), &Transfer::tree)) {
      return "an adaptive transfer (new) has a path of one hop, not a tree";
    }
    if (!std::ranges::all_of(schedule.transfers(), is_new)) {
      return "some transfers are new and some are not; in an adaptive schedule all are";
    }
  }
  if (!schedule.initiator) return std::nullopt;
  if (!any || schedule.collective() != Collective::Gossip) {
    return "an initiator starts an adaptive gossip only (all transfers new)";
  }
  if (schedule.initiator->node >= schedule.topology().nodes()) {
    return fmt::format("initiator {} is no node; nodes are 0 to {}", schedule.initiator->node,
                       schedule.topology().nodes() - 1);
  }
  if (schedule.initiator->join == 0) return "all join in round 1 or later, not in round 0";
  return std::nullopt;
}

}  // namespace gossamer
