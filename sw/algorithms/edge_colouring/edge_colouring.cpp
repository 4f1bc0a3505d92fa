#include "algorithms/edge_colouring/edge_colouring.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "algorithms/common/sender_classes.hpp"
#include "algorithms/edge_colouring/hops.hpp"
#include "algorithms/edge_colouring/rounds.hpp"
#include "support/memory.hpp"

namespace gossamer {
namespace {

using namespace edge_colouring;

std::optional<std::string> refuses(const Request& request) {
  if (request.collective != Collective::TotalExchange) {
    return fmt::format("edge-colouring serves total-exchange only, not {}",
                       to_string(request.collective));
  }
  if (request.ports != PortModel::All) return "edge-colouring uses all ports: ask for these";
  for (const Graph& factor : request.topology.factors()) {
    if (is_complete(factor) || is_signed_ring(factor)) continue;
    return fmt::format("edge-colouring needs a product of rings and complete graphs; {} is neither",
                       factor.spec);
  }
  return std::nullopt;
}

/// The load of one direction of one dimension: hops of all messages of a node through its port.
/// Over half-duplex links, of both directions.
Formula load(const Graph& factor, std::uint64_t nodes, Duplex duplex) {
  const std::uint64_t r = factor.nodes;
  if (duplex == Duplex::Half) {
    if (is_complete(factor)) return {fmt::format("2N/{}", r), nodes / r * 2};
    if (r % 2 == 1) return {fmt::format("N*({0}^2-1)/(4*{0})", r), nodes / r * ((r * r - 1) / 4)};
    return {fmt::format("N*{}/4", r), nodes / r * (r * r / 4)};
  }
  if (is_complete(factor)) return {fmt::format("N/{}", r), nodes / r};
  if (r % 2 == 1) return {fmt::format("N*({0}^2-1)/(8*{0})", r), nodes / r * ((r * r - 1) / 8)};
  return {fmt::format("ceil(N*{}/8)", r), (nodes * r + 7) / 8};
}

Formula most_load(const Topology& topology, Duplex duplex) {
  Formula most;
  for (const Graph& factor : topology.factors()) {
    Formula one = load(factor, topology.nodes(), duplex);
    if (one.rounds > most.rounds) most = std::move(one);
  }
  return most;
}

Formula formula(const Request& request) { return most_load(request.topology, request.duplex); }

/// Every node does the same; if a message is split, every node of the same parity does.
Symmetry symmetry_of(const Topology& topology, const SplitMessage& split) {
  std::vector<Node> generators;
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    const Node step = split.exists() && f == split.dimension ? 2 : 1;
    generators.push_back(step * topology.stride(f));
  }
  return Symmetry(topology, generators);
}

/// Where the messages of one class of origins are.
struct MessagePlaces {
  Node origin = 0;
  std::vector<Node> at;  ///< by offset
};

std::vector<MessagePlaces> at_home(const Symmetry& symmetry, Node nodes) {
  std::vector<MessagePlaces> all;
  for (Node c = 0; c < symmetry.classes(); ++c) {
    const Node origin = symmetry.representative(c);
    all.push_back({origin, std::vector<Node>(nodes, origin)});
  }
  return all;
}

void add_move(Schedule& schedule, std::uint32_t round, Node from, Node& at, const Move& move) {
  const Topology& topology = schedule.topology();
  const Node path[] = {at, topology.peer(at, move.hop.port).node};
  const Message message[] = {{from, topology.translate(from, move.hop.offset)}};
  schedule.add(round, path, message);
  at = path[1];
}

void plan_full_duplex(Schedule& schedule, const Hops& hops, std::uint32_t count) {
  const Topology& topology = schedule.topology();
  std::vector<MessagePlaces> places = at_home(schedule.symmetry(), topology.nodes());
  std::uint32_t number = 0;
  for (const Round& round : rounds_of(topology, hops, count)) {
    ++number;
    for (const Move& move : round) {
      for (MessagePlaces& of_class : places) {
        const Node parity = topology.digit(of_class.origin, hops.split.dimension) % 2;
        if (move.origin_parity && parity != *move.origin_parity) continue;
        add_move(schedule, number, of_class.origin, of_class.at[move.hop.offset], move);
      }
    }
  }
}

/// Some links lead through the same port of both ends. Each round over full-duplex links becomes
/// two, one for each direction of a link. That is no round too many: such a dimension has an even
/// number of nodes, so the loads of all directions are whole numbers and no message is split.
void plan_in_turns(Schedule& schedule, const SenderClasses& classes) {
  const Topology& topology = schedule.topology();
  const Hops hops = hops_of(topology, Duplex::Full);
  std::vector<MessagePlaces> places = at_home(schedule.symmetry(), topology.nodes());
  const auto second = [&](Node x, Port p) {
    const Port back = port_back(topology, p);
    return back == p ? classes.of(x) >= classes.count() / 2 : back < p;
  };
  std::uint32_t number = 0;
  const auto count = static_cast<std::uint32_t>(most_load(topology, Duplex::Full).rounds);
  for (const Round& round : rounds_of(topology, hops, count)) {
    std::vector<std::pair<Move, MessagePlaces*>> later;
    ++number;
    for (const Move& move : round) {
      for (MessagePlaces& of_class : places) {
        Node& at = of_class.at[move.hop.offset];
        if (second(at, move.hop.port)) {
          later.emplace_back(move, &of_class);
        } else {
          add_move(schedule, number, of_class.origin, at, move);
        }
      }
    }
    ++number;
    for (const auto& [move, of_class] : later) {
      add_move(schedule, number, of_class->origin, of_class->at[move.hop.offset], move);
    }
  }
}

void plan_half_duplex(Schedule& schedule) {
  const Topology& topology = schedule.topology();
  const Hops hops = hops_of(topology, Duplex::Half);
  std::vector<Node> places(topology.nodes(), 0);
  std::uint32_t number = 0;
  for (const Round& round : half_duplex_rounds(topology, hops)) {
    ++number;
    for (const Move& move : round) {
      add_move(schedule, number, 0, places[move.hop.offset], move);
    }
  }
}

/// Before there are any: of the hops, their colours and the lines of the schedule.
void require_memory_of_hops(const Topology& topology) {
  constexpr double kBytesOfHop = 100;  // as measured
  double hops = 0;
  for (const Graph& factor : topology.factors()) {
    const Formula through_port = load(factor, topology.nodes(), Duplex::Full);
    hops += static_cast<double>(through_port.rounds) * factor.ports;
  }
  require_memory(kBytesOfHop * hops, "a total exchange on " + topology.spec());
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  require_memory_of_hops(topology);
  const Model model = {PortModel::All, request.duplex, Switching::Packet, /*combining=*/false};
  if (request.duplex == Duplex::Full) {
    const Hops hops = hops_of(topology, request.duplex);
    Schedule schedule(topology, Collective::TotalExchange, model,
                      symmetry_of(topology, hops.split));
    schedule.algorithm = kEdgeColouring.name;
    plan_full_duplex(schedule, hops, static_cast<std::uint32_t>(formula(request).rounds));
    return schedule;
  }
  const SenderClasses classes(topology, request.duplex);
  Schedule schedule(topology, Collective::TotalExchange, model,
                    Symmetry(topology, classes.generators()));
  schedule.algorithm = kEdgeColouring.name;
  if (classes.count() == 1) {
    plan_half_duplex(schedule);
  } else {
    plan_in_turns(schedule, classes);
  }
  return schedule;
}

}  // namespace

const Algorithm kEdgeColouring = {
    .name = "edge-colouring",
    .source = "ours",
    .summary =
        "total exchange on tori of any sides, hypercubes and ghc, all ports, full or half duplex",
    .serves = every({Collective::TotalExchange}, {PortModel::All}, {Duplex::Full, Duplex::Half}),
    .refuses = refuses,
    .formula = formula,
    .plan = plan,
};

}  // namespace gossamer
