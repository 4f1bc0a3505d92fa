#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "algorithms/common/all.hpp"
#include "algorithms/reductions/reductions.hpp"
#include "schedule/chunks.hpp"
#include "support/error.hpp"

namespace gossamer {
namespace {

using namespace reductions;

Request forward_request(const Request& request, Collective collective) {
  Request forward = request;
  forward.collective = collective;
  if (!has_root(collective)) forward.root = 0;
  return forward;
}

/// What is done backwards goes over one-way links as they do not lead.
Request turned(Request forward) {
  forward.topology = turned(forward.topology);
  return forward;
}

Schedule planned(const Request& forward) { return algorithm_for(forward)->plan(forward); }

/// Does the whole vector travel, and not a piece for each member?
bool is_whole(const Request& request) { return request.collective != Collective::ReduceScatter; }

/// A gossip's, and twice so many of an all-reduce.
std::uint64_t transfers_of_pieces(const Request& request) {
  const std::uint64_t members = request.members.count(request.topology.nodes());
  const std::uint64_t ways = request.collective == Collective::AllReduce ? 2 : 1;
  return ways * members * (request.topology.nodes() - 1);
}

std::optional<std::string> refuses(const Request& request) {
  if (request.pieces.value_or(1) > 1)
    return "reversed cuts vectors as it needs: leave the pieces out";
  if (!is_whole(request) && transfers_of_pieces(request) > kMostTransfers) {
    return fmt::format("reversed would list {} transfers on {}; it lists {} at most",
                       transfers_of_pieces(request), request.topology.spec(), kMostTransfers);
  }
  const Request forward =
      forward_request(request, is_whole(request) ? Collective::Broadcast : Collective::Gossip);
  if (algorithm_for(forward) != nullptr) return std::nullopt;
  return kAnyGraph.refuses(forward);
}

Schedule empty_like(const Request& request, Model model, bool circuits, std::uint32_t pieces) {
  if (circuits) model.switching = Switching::Circuit;
  Schedule schedule = empty_schedule(request, model);
  schedule.cut(pieces);
  return schedule;
}

/// Cycles of a broadcast backwards. Where rounds count, these.
std::uint64_t cost_backwards(const Schedule& broadcast, const Request& request, bool circuits) {
  if (request.fewest_rounds) return broadcast.rounds();
  const std::uint64_t flits = request.flits;
  return broadcast.rounds() * (circuits ? kCircuit + flits : std::max(kRound, flits));
}

std::uint64_t cost_of_round(const Request& request, std::uint64_t pieces = 1) {
  return request.fewest_rounds ? 1 : std::max<std::uint64_t>(kRound, request.flits / pieces);
}

/// One circuit from the root over all links of a broadcast.
void add_circuit(Schedule& to, const Schedule& broadcast, Node root) {
  std::map<Node, std::uint32_t> branch_to = {{root, TransferHop::kNone}};
  std::vector<Branch> branches;
  for (const Transfer& t : broadcast.transfers()) {
    const auto path = broadcast.path(t);
    const auto number = static_cast<std::uint32_t>(branches.size());
    if (!branch_to.try_emplace(path[1], number).second) continue;
    branches.push_back({path[1], branch_to.at(path[0])});
  }
  const Message vector[] = {{root}};
  to.add_tree(to.rounds() + 1, root, branches, vector);
}

/// To the root, by a broadcast backwards. And back: forwards, or in a circuit that forks.
Schedule whole_vector(const Request& request) {
  const Request forward = forward_request(request, Collective::Broadcast);
  const Schedule broadcast = planned(forward);
  const std::optional<Schedule> on_turned =
      request.topology.one_way() ? std::optional(planned(turned(forward))) : std::nullopt;
  const Schedule& inwards = on_turned ? *on_turned : broadcast;
  const bool back = request.collective == Collective::AllReduce;
  const std::uint64_t rounds = broadcast.rounds();
  const std::uint64_t packets =
      cost_backwards(inwards, request, false) + rounds * cost_of_round(request);
  const std::uint64_t circuits =
      cost_backwards(inwards, request, true) + (request.fewest_rounds ? 1 : rounds + request.flits);
  const bool forks =
      back && request.ports == PortModel::All && !request.members.several() && circuits < packets;
  Schedule schedule = empty_like(request, broadcast.model(), forks, 1);
  const Renamed same = [](const Message& m) { return m; };
  add_backwards(schedule, inwards, same);
  if (forks) {
    add_circuit(schedule, broadcast, request.root);
  } else if (back) {
    add_forward(schedule, broadcast, same);
  }
  return schedule;
}

/// Of one group; of several, 0 if they have not as many each.
Node members_of(const Request& request) {
  const Members& members = request.members;
  if (!members.several()) return members.count(request.topology.nodes());
  for (std::size_t g = 1; g < members.groups(); ++g) {
    if (members.group(g).size() != members.group(0).size()) return 0;
  }
  return static_cast<Node>(members.group(0).size());
}

/// In pieces for all members, each of which adds up one of them. A node that sends by all of its
/// outputs has none left that adds: on the way in each node uses one of its ports at a time.
Schedule piece_for_each(const Request& request) {
  const Request forward = forward_request(request, Collective::Gossip);
  Request one_by_one = turned(forward);
  one_by_one.ports = PortModel::Single;
  const Schedule inwards = planned(one_by_one);
  Model model = inwards.model();
  model.ports = request.ports;
  const bool back = request.collective == Collective::AllReduce;
  Schedule schedule = empty_like(request, model, false, back ? members_of(request) : 1);
  const Renamed piece = [&](const Message& m) {
    if (!back) return m;
    const Members& members = request.members;
    const auto number = [&](std::span<const Node> of) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(of, m.origin) - of.begin());
    };
    if (members.all()) return Message{request.root, kNoNode, m.origin};
    if (!members.several()) return Message{request.root, kNoNode, number(members.group())};
    const std::size_t g = members.group_of(m.origin);
    return Message{members.root(g), kNoNode, number(members.group(g))};
  };
  add_backwards(schedule, inwards, piece);
  if (back) add_forward(schedule, planned(forward), piece);
  return schedule;
}

Schedule plan(const Request& request) {
  if (request.collective == Collective::Reduce) return whole_vector(request);
  if (request.collective == Collective::ReduceScatter) return piece_for_each(request);
  const std::uint64_t members = members_of(request);
  const Request forward = forward_request(request, Collective::Gossip);
  if (members == 0 || request.flits < members || members > kMostPieces ||
      transfers_of_pieces(request) > kMostTransfers || algorithm_for(forward) == nullptr) {
    return whole_vector(request);
  }
  Schedule whole = whole_vector(request);
  Schedule pieces = piece_for_each(request);
  const bool cut =
      pieces.rounds() * cost_of_round(request, members) < whole.rounds() * cost_of_round(request);
  return cut ? std::move(pieces) : std::move(whole);
}

}  // namespace

const Algorithm kReversed = {
    .name = "reversed",
    .summary = "reductions on any connected graph: broadcasts and gossips backwards in time",
    .serves = every({Collective::Reduce, Collective::ReduceScatter, Collective::AllReduce},
                    {PortModel::Single, PortModel::All}, {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .make = plan,
    .any_graph = true,
    .cuts = true,
    .any_chunks = true,
};

}  // namespace gossamer
