#include "algorithms/edge_colouring/edge_colouring.hpp"

#include <fmt/format.h>

#include <vector>

#include "algorithms/edge_colouring/hops.hpp"
#include "algorithms/edge_colouring/rounds.hpp"

namespace gossamer {
namespace {

using namespace edge_colouring;

constexpr Model kModel = {PortModel::All, Duplex::Full, Switching::Packet, /*combining=*/false};

std::optional<std::string> refuses(const Request& request) {
  if (request.collective != Collective::TotalExchange) {
    return fmt::format("edge-colouring serves total-exchange only, not {}",
                       to_string(request.collective));
  }
  if (request.ports != PortModel::All || request.duplex != Duplex::Full) {
    return "edge-colouring uses all ports in full duplex: ask for these";
  }
  for (const Graph& factor : request.topology.factors()) {
    if (is_complete(factor) || is_signed_ring(factor)) continue;
    return fmt::format("edge-colouring needs a product of rings and complete graphs; {} is neither",
                       factor.spec);
  }
  return std::nullopt;
}

/// The load of one direction of one dimension: hops of all messages of a node through its port.
Formula load(const Graph& factor, std::uint64_t nodes) {
  const std::uint64_t r = factor.nodes;
  if (is_complete(factor)) return {fmt::format("N/{}", r), nodes / r};
  if (r % 2 == 1) return {fmt::format("N*({0}^2-1)/(8*{0})", r), nodes / r * ((r * r - 1) / 8)};
  return {fmt::format("ceil(N*{}/8)", r), (nodes * r + 7) / 8};
}

Formula formula(const Request& request) {
  Formula most;
  for (const Graph& factor : request.topology.factors()) {
    Formula one = load(factor, request.topology.nodes());
    if (one.rounds > most.rounds) most = std::move(one);
  }
  return most;
}

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

void add_move(Schedule& schedule, std::uint32_t round, const Move& move, const SplitMessage& split,
              std::vector<MessagePlaces>& places) {
  const Topology& topology = schedule.topology();
  const auto [offset, port] = move.hop;
  for (MessagePlaces& of_class : places) {
    const Node parity = topology.digit(of_class.origin, split.dimension) % 2;
    if (move.origin_parity && parity != *move.origin_parity) continue;
    Node& at = of_class.at[offset];
    const Node path[] = {at, topology.peer(at, port).node};
    const Message message[] = {{of_class.origin, topology.translate(of_class.origin, offset)}};
    schedule.add(round, path, message);
    at = path[1];
  }
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  const Hops hops = hops_of(topology);
  Schedule schedule(topology, Collective::TotalExchange, kModel, symmetry_of(topology, hops.split));
  schedule.algorithm = kEdgeColouring.name;
  std::vector<MessagePlaces> places = at_home(schedule.symmetry(), topology.nodes());
  std::uint32_t number = 0;
  const auto count = static_cast<std::uint32_t>(formula(request).rounds);
  for (const Round& round : rounds_of(topology, hops, count)) {
    ++number;
    for (const Move& move : round) add_move(schedule, number, move, hops.split, places);
  }
  return schedule;
}

}  // namespace

const Algorithm kEdgeColouring = {
    .name = "edge-colouring",
    .source = "ours",
    .summary = "total exchange on tori of any sides, hypercubes and ghc, all ports",
    .serves = every({Collective::TotalExchange}, {PortModel::All}, {Duplex::Full}),
    .refuses = refuses,
    .formula = formula,
    .plan = plan,
};

}  // namespace gossamer
