#include "algorithms/cut_through/cut_through.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/any_graph/any_graph.hpp"
#include "algorithms/common/algorithm.hpp"
#include "algorithms/common/all.hpp"
#include "bounds/bounds.hpp"
#include "gossamer_constants.hpp"
#include "schedule/chunks.hpp"
#include "support/job.hpp"

namespace gossamer {
namespace {

using namespace cut_through;

/// Packets, whose routes are taken: what only passes through a node uses none of its ports.
Request of_packets(Request request) {
  request.ports = PortModel::All;
  request.pieces.reset();
  return request;
}

/// Whose routes are taken: those of the first that serves the request.
const Algorithm* router(const Request& request) {
  for (const Algorithm* one : {&kEdgeColouring, &kTwoOrders, &kTranslation, &kAnyGraph}) {
    if (!request.regular() && !one->any_chunks) continue;
    if (!one->refuses(request)) return one;
  }
  return nullptr;
}

/// Must some nodes send while others receive?
bool needs_turns(const Request& request) {
  return request.ports == PortModel::Single && request.duplex == Duplex::Half;
}

/// Do its pieces go each its own way? To all nodes, also if only members want them.
bool is_swarm(const Request& request) {
  return request.collective == Collective::Broadcast && !request.members.several();
}

/// A round has the cycles of a hop, and carries as many flits; or a hop takes as many rounds of a
/// cycle, which pays for fewer flits.
std::uint32_t hop_rounds(const Request& request) {
  const bool by_cycles = request.flits < request.hop && request.ports == PortModel::All &&
                         !is_swarm(request) &&
                         request.pieces.value_or(request.flits) == request.flits;
  return by_cycles ? request.hop : 1;
}

std::uint32_t fewest_pieces(const Request& request) {
  const std::uint32_t flits = request.hop / hop_rounds(request);  // of a round
  return (request.flits + flits - 1) / flits;
}

/// Where many pieces need fewer cycles than packets: as many as there is time and memory for.
std::uint64_t most_pieces(const Request& request) {
  constexpr std::uint64_t kMany = 1u << 21, kManyOfSwarm = 1u << 22, kFew = 8;
  const bool single = request.ports == PortModel::Single;
  if (!is_swarm(request) && !(single && request.collective == Collective::TotalExchange)) {
    constexpr std::uint64_t kAtOnce = 1u << 13;
    std::uint64_t messages = request.members.count(request.topology.nodes());
    if (!has_root(request.collective)) messages *= messages;
    return std::clamp(kAtOnce / messages, kFew, std::uint64_t{64});
  }
  std::uint64_t chunks = request.topology.nodes();
  if (is_swarm(request) && needs_turns(request))
    return std::max(kFew, 2 * chunks);  // more: one circuit
  if (!is_swarm(request) && (needs_turns(request) || !request.topology.translatable())) {
    chunks *= chunks;
  }
  return std::min<std::uint64_t>(
      std::max(kFew, (is_swarm(request) ? kManyOfSwarm : kMany) / chunks), kMostPieces);
}

std::optional<std::string> refuses(const Request& request) {
  if (!request.sizes.equal()) {
    return "cut-through serves messages that are equally long";
  }
  if (request.duplex == Duplex::Half && request.topology.parallel()) {
    return "cut-through needs full-duplex links, or one link between any two nodes";
  }
  const std::uint64_t fewest = fewest_pieces(request), most = most_pieces(request);
  if (fewest > most) {
    return fmt::format(
        "cut-through plans messages of {} flits at most here, a flit for each cycle of a hop in "
        "each of {} pieces; for {} flits take packets or circuits",
        most * request.hop, most, request.flits);
  }
  if (request.pieces && (*request.pieces < fewest || *request.pieces > request.flits)) {
    return fmt::format("cut-through cuts {} flits into {} pieces at least, and {} at most",
                       request.flits, fewest, request.flits);
  }
  const Request packets = of_packets(request);
  if (!is_swarm(request) && router(packets) == nullptr) return kAnyGraph.refuses(packets);
  return std::nullopt;
}

using Steps = std::vector<Step>;

/// A transfer of packets, as its message's class sees it.
Hop hop_of(const Schedule& packets, std::uint32_t i) {
  const Transfer& t = packets.transfers()[i];
  const Topology& topology = packets.topology();
  const Message m = packets.messages(t)[0];
  const TransferHop hop = packets.hops(t)[0];
  const Node by = topology.negate(packets.symmetry().shift(m.origin));
  if (by == 0) return {t.round, hop.from, hop.to, m};
  const auto moved = [&](Node x) { return x == kNoNode ? x : topology.translate(x, by); };
  const Message seen{moved(m.origin), moved(m.destination), m.piece};
  return {t.round, moved(hop.from), moved(hop.to), seen};
}

constexpr std::uint32_t kNotWanted = Step::kNone - 1;

/// By transfer: the one that brings the message. All transfers of a message are seen from the
/// same origin.
std::vector<std::uint32_t> wanted_before(const Schedule& packets) {
  const auto transfers = packets.transfers();
  const auto message = [&](std::uint32_t i) { return hop_of(packets, i).message; };
  const MessageNumbers numbers(packets.pieces());
  std::vector<std::pair<std::uint64_t, std::uint32_t>> by_message;
  for (std::uint32_t i = 0; i < transfers.size(); ++i) {
    by_message.emplace_back(numbers.number(message(i)), i);
  }
  std::ranges::sort(by_message);
  std::vector<std::uint32_t> before(transfers.size(), kNotWanted);
  std::vector<std::uint32_t> came(packets.topology().nodes());  // 1 + transfer, of this message
  for (std::size_t begin = 0, end = 0; begin < by_message.size(); begin = end) {
    stop_if_interrupted();
    const Message m = message(by_message[begin].second);
    while (end < by_message.size() && by_message[end].first == by_message[begin].first) {
      const std::uint32_t i = by_message[end].second;
      const Node head = hop_of(packets, i).to;
      if (came[head] == 0 && !is_initial(packets, head, m)) came[head] = 1 + i;
      ++end;
    }
    for (std::size_t k = end; k-- > begin;) {
      const std::uint32_t i = by_message[k].second;
      const Hop hop = hop_of(packets, i);
      const Node tail = hop.from, head = hop.to;
      if (came[head] != 1 + i) continue;
      if (before[i] == kNotWanted && !is_expected(packets, head, m)) continue;
      before[i] = came[tail] == 0 ? Step::kNone : came[tail] - 1;
      if (came[tail] != 0 && before[came[tail] - 1] == kNotWanted)
        before[came[tail] - 1] = Step::kNone;
    }
    for (std::size_t k = begin; k < end; ++k) came[hop_of(packets, by_message[k].second).to] = 0;
  }
  return before;
}

/// Those of a total exchange, each for a piece.
Steps steps_of(const std::vector<any_graph::Packet>& packets, const Arcs& arcs,
               const Topology& topology, std::uint32_t pieces) {
  Steps steps;
  for (const any_graph::Packet& packet : packets) {
    const std::size_t start = steps.size();
    for (const ArcId arc : packet.route) {
      const Node tail = arcs.tail(arc), head = arcs.head(arc);
      Step step{{0, tail, head, packet.message},
                tail * topology.ports() + topology.port_to(tail, head, arcs.lane(arc))};
      for (step.message.piece = 0; step.message.piece < pieces; ++step.message.piece) {
        if (steps.size() >= start + pieces) {
          step.before = static_cast<std::uint32_t>(steps.size()) - pieces;
        }
        steps.push_back(step);
      }
    }
  }
  return steps;
}

/// Those of a schedule of packets, each for so many pieces: on the way of something that is wanted,
/// to which a message comes for the first time. The schedule's messages may go in circles, as long
/// as no packet is late. Of translations of one another those are taken whose origins are least in
/// their classes.
Steps steps_of(const Schedule& packets, std::uint32_t pieces) {
  Steps steps;
  const Topology& topology = packets.topology();
  const auto transfers = packets.transfers();
  const std::vector<std::uint32_t> before = wanted_before(packets);
  std::vector<std::uint32_t> step_of(transfers.size());
  for (std::uint32_t i = 0; i < transfers.size(); ++i) {
    if (before[i] == kNotWanted) continue;
    step_of[i] = static_cast<std::uint32_t>(steps.size());
    const Port out = port_out(topology, packets.hops(transfers[i])[0]);
    Step step{hop_of(packets, i)};
    step.arc = packets.symmetry().class_of(step.from) * topology.ports() + out;
    for (std::uint32_t k = 0; k < pieces; ++k, ++step.message.piece) {
      if (before[i] != Step::kNone) step.before = step_of[before[i]] + k;
      steps.push_back(step);
    }
  }
  return steps;
}

/// Adds the steps to a schedule: those that follow one another at once are a path, or a tree.
void add_transfers(Schedule& schedule, Steps steps) {
  // The steps of each transfer, one after the other; `ends` is right where one begins.
  std::vector<std::uint32_t> first(steps.size()), follows(steps.size(), Step::kNone),
      ends(steps.size());
  std::vector<std::uint32_t> begins;
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    const std::uint32_t before = steps[i].before;
    if (before != Step::kNone &&
        steps[i].round == steps[before].round + schedule.model().hop_rounds) {
      first[i] = first[before];
      follows[ends[first[i]]] = i;
    } else {
      first[i] = i;
      begins.push_back(i);
      if (before != Step::kNone) steps[before].stored = true;
    }
    ends[first[i]] = i;
  }
  std::ranges::stable_sort(begins, {}, [&](std::uint32_t i) { return steps[i].round; });
  std::vector<std::uint32_t> branch(steps.size());
  std::vector<Branch> branches;
  std::vector<Node> path;
  for (const std::uint32_t begin : begins) {
    branches.clear();
    bool tree = false;
    for (std::uint32_t i = begin; i != Step::kNone; i = follows[i]) {
      branch[i] = static_cast<std::uint32_t>(branches.size());
      const std::uint32_t before = i == begin ? TransferHop::kNone : branch[steps[i].before];
      tree =
          tree || (before + 1 != branches.size()) || steps[i].stored != (follows[i] == Step::kNone);
      branches.push_back({steps[i].to, before, steps[i].stored});
    }
    const Node source = steps[begin].from;
    const std::uint32_t round = steps[begin].round;
    const std::span<const Message> message{&steps[begin].message, 1};
    if (tree) {
      schedule.add_tree(round, source, branches, message);
      continue;
    }
    path = {source};
    for (const Branch& b : branches) path.push_back(b.to);
    schedule.add(round, path, message);
  }
}

/// By the number of an arc in Step, if links are half duplex: the same link's other direction.
std::vector<std::uint32_t> reverse_arcs(const Schedule& schedule) {
  if (schedule.model().duplex == Duplex::Full) return {};
  const Topology& topology = schedule.topology();
  const auto number = [&](Node x, Port p) {
    return schedule.symmetry().class_of(x) * topology.ports() + p;
  };
  std::vector<std::uint32_t> reverse(schedule.symmetry().classes() * topology.ports());
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint end = topology.peer(x, p);
      if (end.node != kNoNode) reverse[number(x, p)] = number(end.node, end.port);
    }
  }
  return reverse;
}

/// Through single ports: the same rounds for every piece, some rounds later.
std::vector<std::uint32_t> port_rounds(const Schedule& schedule, const Steps& steps,
                                       std::uint32_t seed) {
  const std::uint32_t pieces = schedule.pieces();
  Steps firsts;
  for (std::size_t i = 0; i < steps.size(); i += pieces) {
    Step& step = firsts.emplace_back(steps[i]);
    if (step.before != Step::kNone) step.before /= pieces;
    step.from = schedule.symmetry().class_of(step.from);
    step.to = schedule.symmetry().class_of(step.to);
  }
  const Reserved found = reserved(firsts, reverse_arcs(schedule), pieces, seed);
  std::vector<std::uint32_t> rounds(steps.size());
  for (std::uint32_t i = 0; i < rounds.size(); ++i) {
    rounds[i] = found.rounds[i / pieces] + i % pieces * found.period;
  }
  return rounds;
}

bool slow(const Request& request) {
  constexpr Node kQuickly = 16384, kQuicklyInSwarms = 131072;
  if (is_swarm(request)) return request.topology.nodes() > kQuicklyInSwarms;
  const Request packets = of_packets(request);
  if (needs_turns(request) && !has_root(request.collective)) {
    return request.topology.nodes() > (request.topology.translatable() ? 512u : 128u);
  }
  const Algorithm& by = *router(packets);
  return by.slow != nullptr ? by.slow(packets) : request.topology.nodes() > kQuickly;
}

void give_rounds(Schedule& schedule, Steps steps, const Request& request) {
  for (Step& step : steps) step.stored = is_expected(schedule, step.to, step.message);
  const auto rounds = request.ports == PortModel::All
                          ? retimed(steps, reverse_arcs(schedule), schedule.model().hop_rounds)
                          : port_rounds(schedule, steps, request.seed);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].round = rounds[i];
  add_transfers(schedule, std::move(steps));
}

/// All pieces of a message take its packet's route, or each that of its own packet.
Schedule by_routes(const Request& request, const Algorithm& by, const Request& as_packets,
                   const Model& model, std::uint32_t pieces) {
  Schedule packets = by.plan(as_packets);
  // Nodes that all send at the same time do not receive then.
  if (needs_turns(request)) packets = without_orbits(packets);
  Schedule schedule(packets.topology(), packets.collective(), model, packets.symmetry());
  schedule.root = packets.root;
  schedule.members = packets.members;
  schedule.cut(pieces);
  give_rounds(schedule, steps_of(packets, pieces / packets.pieces()), request);
  return schedule;
}

Schedule plan(const Request& request) {
  const Model model{request.ports, request.duplex, Switching::Pipelined, /*combining=*/false,
                    hop_rounds(request)};
  const std::uint32_t pieces = request.pieces.value_or(fewest_pieces(request));
  if (is_swarm(request)) {
    Schedule schedule = empty_schedule(for_all_nodes(request), model);
    schedule.cut(pieces);
    const std::uint64_t bound =
        request.topology.one_way()
            ? chunk_bound_cycles(schedule, request.ports, pieces, {}).value
            : lower_bound_cycles(request.topology, request.collective, model, request.root, pieces)
                  .value;
    const Arcs arcs(request.topology);
    add_transfers(schedule, swarm(arcs, request.ports, request.duplex, request.root, pieces,
                                  bound - rtl::TIME_START - rtl::TIME_DELTA, request.seed));
    return request.members.all() ? schedule : excerpt(schedule, request);
  }
  const Request as_packets = of_packets(request);
  const Algorithm* const by = router(as_packets);
  if (by == &kAnyGraph && request.collective == Collective::TotalExchange && request.regular()) {
    const Arcs arcs(request.topology);
    const auto goal =
        lower_bound_rounds(request.topology, request.collective,
                           {PortModel::All, request.duplex, Switching::Packet, false}, 0);
    const auto packets =
        any_graph::balanced_routes(arcs, bounds::Resources(arcs, PortModel::All, request.duplex),
                                   any_graph::all_to_all(arcs.nodes()), goal, request.seed);
    Schedule schedule = empty_schedule(request, model);
    schedule.cut(pieces);
    give_rounds(schedule, steps_of(packets, arcs, request.topology, pieces), request);
    return schedule;
  }
  Schedule schedule = by_routes(request, *by, as_packets, model, pieces);
  const bool own_ways = pieces > 1 && request.ports == PortModel::All && by == &kAnyGraph;
  if (!own_ways) return schedule;
  Request apart = as_packets;
  apart.pieces = pieces;
  Schedule other = by_routes(request, *by, apart, model, pieces);
  return other.rounds() < schedule.rounds() ? other : schedule;
}

}  // namespace

const Algorithm kCutThrough = {
    .name = "cut-through",
    .summary = "all but reductions on any connected graph, few flits, pipelined circuits",
    .serves = every({Collective::Gossip, Collective::TotalExchange, Collective::Broadcast,
                     Collective::Scatter, Collective::Gather},
                    {PortModel::Single, PortModel::All}, {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .make = plan,
    .switching = Switching::Pipelined,
    .any_graph = true,
    .slow = slow,
    .cuts = true,
    .any_chunks = true,
};

}  // namespace gossamer
