#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "algorithms/common/algorithm.hpp"
#include "algorithms/common/all.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

namespace chau_fu {

/// Rounds of the two phases, so that every healthy node receives the message of every other one in
/// spite of any k faulty nodes and links.
///
/// Whispering: d rounds, and k+1 more (section 2), 2d for k = d-1. Shouting: d+1 for k = d-1 > 0.
/// The paper does not say how many rounds a smaller k saves, but d are enough: between nodes at
/// distance h there are h disjoint paths of h hops, and d-h more of h+2 hops. At h = d and h = d-1,
/// k <= d-2 faults cannot cut all paths of h hops; for h <= d-2 one of all d survives, with at most
/// d hops. Shouting follows every path that survives, one hop per round.
constexpr unsigned rounds(unsigned d, unsigned k, PortModel ports) {
  if (ports == PortModel::All) return k + 1 == d && d > 1 ? d + 1 : d;
  return d + k + 1;
}

}  // namespace chau_fu
namespace {

bool shouting(const Request& request) { return request.ports == PortModel::All; }

/// The dimension of the cube; at least 1 if `refuses` has accepted the request.
unsigned dimension(const Request& request) {
  return static_cast<unsigned>(std::bit_width(request.topology.nodes()) - 1);
}

/// k, the faults to be tolerated.
unsigned tolerance(const Request& request) {
  return request.tolerance.value_or(dimension(request) - 1);
}

unsigned rounds(const Request& request) {
  return chau_fu::rounds(dimension(request), tolerance(request), request.ports);
}

/// All nodes call over the link of dimension i, where bit i-1 differs: a node sends what is new to
/// that link. Phase one (broadcast) and phase two (extended broadcast) are the same.
void call(Schedule& schedule, unsigned round, unsigned i) {
  for (Node v = 0; v < schedule.topology().nodes(); ++v) {
    const Node path[] = {v, v ^ (Node{1} << (i - 1))};
    schedule.add_new(round, path);
  }
}

/// Phases one and two, from round `before`+1 on.
void broadcast_phases(Schedule& schedule, const Request& request, unsigned before) {
  const unsigned d = dimension(request);
  for (unsigned t = 1; t <= rounds(request); ++t) {
    if (shouting(request)) {
      for (unsigned i = 1; i <= d; ++i) call(schedule, before + t, i);
    } else {
      call(schedule, before + t, 1 + (t - 1) % d);
    }
  }
}

Schedule empty(const Request& request) {
  return empty_schedule(request,
                        {request.ports, Duplex::Full, Switching::Packet, /*combining=*/true});
}

Schedule plan(const Request& request) {
  Schedule schedule = empty(request);
  broadcast_phases(schedule, request, 0);
  return schedule;
}

Schedule plan_initiated(const Request& request) {
  Schedule schedule = empty(request);
  schedule.initiator = Initiator{.node = request.root, .join = rounds(request) + 1};
  broadcast_phases(schedule, request, 0);
  broadcast_phases(schedule, request, rounds(request));
  return schedule;
}

std::optional<std::string> refuses(const Request& request) {
  const Topology& topology = request.topology;
  const auto is_link = [](const Graph& g) { return g.nodes == 2; };
  if (!std::ranges::all_of(topology.factors(), is_link) || topology.nodes() < 2) {
    return fmt::format("chau-fu needs a hypercube, such as hypercube:4; {} is none",
                       topology.spec());
  }
  if (topology.nodes() > kMaxAdaptiveNodes) {
    return fmt::format("chau-fu runs on hypercubes of up to {} nodes; {} has {}", kMaxAdaptiveNodes,
                       topology.spec(), topology.nodes());
  }
  const unsigned d = dimension(request);
  if (tolerance(request) >= d) {
    return fmt::format("chau-fu tolerates up to {} faults on {}, not {}: {} can cut a node off",
                       d - 1, topology.spec(), tolerance(request), d);
  }
  return std::nullopt;
}

std::optional<std::string> refuses_initiated(const Request& request) {
  const auto why = refuses(request);
  if (!why) return std::nullopt;
  return kChauFuInitiated.name + why->substr(kChauFu.name.size());
}

/// "d", "d+1", "2d" or "d+k+1".
std::string text(const Request& request) {
  const unsigned d = dimension(request), k = tolerance(request);
  if (shouting(request)) return rounds(request) > d ? "d+1" : "d";
  return k + 1 == d ? "2d" : "d+k+1";
}

Formula formula(const Request& request) { return {text(request), rounds(request)}; }

Formula formula_initiated(const Request& request) {
  const std::string once = text(request);
  const std::string twice = once == "2d" ? "4d" : once == "d" ? "2d" : "2(" + once + ")";
  return {twice, 2 * std::uint64_t{rounds(request)}};
}

}  // namespace

const Algorithm kChauFu = {
    .name = "chau-fu",
    .source = "Chau-Fu, section 2",
    .summary = "fault-tolerant gossip and broadcast on hypercubes, single or all ports, combining",
    .serves = every({Collective::Gossip, Collective::Broadcast},
                    {PortModel::Single, PortModel::All}, {Duplex::Full}),
    .needs = refuses,
    .formula = formula,
    .make = plan,
    .tolerates = tolerance,
    .combining = true,
};

const Algorithm kChauFuInitiated = {
    .name = "chau-fu-initiated",
    .source = "Chau-Fu, section 3",
    .summary = "the same gossip in four phases, started by one node (--root)",
    .serves = every({Collective::Gossip}, {PortModel::Single, PortModel::All}, {Duplex::Full}),
    .needs = refuses_initiated,
    .formula = formula_initiated,
    .make = plan_initiated,
    .tolerates = tolerance,
    .combining = true,
    .has_initiator = true,
};

}  // namespace gossamer
