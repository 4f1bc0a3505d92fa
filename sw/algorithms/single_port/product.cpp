// The general algorithm for products, Dimakopoulos 1999, section 4, for any number of dimensions.
//
// For G = A x B: first gossip in all copies of B at once, in T_B steps; every node of a copy of A
// then holds n2 messages. Then n2 gossips in all copies of A at once, one for each of those
// messages, in n2 T_A steps. B may be a product itself, so that dimensions follow one another, each
// in one *phase*.
//
// The paper runs the n2 gossips of a phase one after the other. Here they go abreast: step 1 of all
// of them, in n2 consecutive rounds, then step 2 of all, and so on. That takes as many rounds
// (Theorem 2), and gains two things. A node sends its messages in the order in which they arrived:
// what it held when the phase began first, then the n2 messages of each reception in turn. And a
// half-duplex link keeps its direction for n2 rounds, so that it turns round n2 times less often.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/any_graph/any_graph.hpp"
#include "algorithms/common/algorithm.hpp"
#include "algorithms/common/all.hpp"
#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"
#include "algorithms/single_port/single_port.hpp"

namespace gossamer {
namespace {

bool is_long_path(const Graph& graph) {
  return graph.nodes > 2 && graph.spec.compare(0, 5, "path:") == 0;
}

std::optional<std::string> why_no_cycle_of(const Graph& graph) {
  return why_no_hamiltonian_cycle(Topology(graph.spec, {graph}));
}

/// Of a dimension that has no hamiltonian cycle: a schedule of any-graph.
const Schedule& planned(const Graph& graph, Duplex duplex) {
  return factor_plan(graph, Collective::Gossip, PortModel::Single, duplex);
}

class PlannedGossip : public ListedGossip {
 public:
  explicit PlannedGossip(const Schedule& plan) {
    const Node n = plan.topology().nodes();
    sends_.assign(plan.rounds(), std::vector<Send>(n));
    logs_.resize(n);
    std::vector<std::vector<std::uint32_t>> place(n, std::vector<std::uint32_t>(n));
    for (Node x = 0; x < n; ++x) logs_[x] = {x};
    for (const Transfer& t : plan.transfers()) {
      const Node from = plan.path(t)[0], to = plan.path(t)[1], origin = plan.messages(t)[0].origin;
      sends_[t.round - 1][from] = {to, place[from][origin]};
      place[to][origin] = static_cast<std::uint32_t>(logs_[to].size());
      logs_[to].push_back(origin);
    }
  }
};

/// Steps of the algorithm of one dimension: T_A.
std::uint64_t steps_of(const Graph& graph, Duplex duplex) {
  if (is_long_path(graph)) return PathGossip::formula(graph.nodes, duplex).rounds;
  if (why_no_cycle_of(graph)) return planned(graph, duplex).rounds();
  return ring_algorithm::formula(graph.nodes, duplex).rounds;
}

std::unique_ptr<SinglePortGossip> gossip_of(const Graph& graph, Duplex duplex) {
  if (is_long_path(graph)) return std::make_unique<PathGossip>(graph.nodes, duplex);
  if (why_no_cycle_of(graph)) return std::make_unique<PlannedGossip>(planned(graph, duplex));
  const Topology topology(graph.spec, {graph});
  return std::make_unique<CycleGossip>(topology, hamiltonian_cycle(topology).cycle, duplex);
}

/// The order of phases that takes the fewest rounds.
///
/// Of two neighbouring phases i, j the order i, j is better if T_i + n_i T_j < T_j + n_j T_i, that
/// is if T_i / (n_i - 1) is the larger ratio. So the larger ratio goes first: in half duplex, odd
/// rings (2n / (n-1)) before even ones (2), and the smaller odd ring before the larger. Among
/// equals the last dimension goes first, as in the paper.
std::vector<std::size_t> phases(const Topology& topology, Duplex duplex) {
  std::vector<std::size_t> order(topology.factors().size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const Graph& a = topology.factors()[i];
    const Graph& b = topology.factors()[j];
    return steps_of(a, duplex) * (b.nodes - 1) > steps_of(b, duplex) * (a.nodes - 1);
  });
  return order;
}

/// Theorem 2, phase by phase: T = T_1 + n_1 T_2 + n_1 n_2 T_3 + ...
Formula formula(const Request& request) {
  Formula total;
  std::uint64_t held = 1;  // messages a node holds when the phase begins
  for (const std::size_t f : phases(request.topology, request.duplex)) {
    const Graph& graph = request.topology.factors()[f];
    const std::uint64_t steps = steps_of(graph, request.duplex);
    total.text += held == 1 ? fmt::format("{}", steps) : fmt::format(" + {}*{}", held, steps);
    total.rounds += held * steps;
    held *= graph.nodes;
  }
  return total;
}

std::optional<std::string> refuses(const Request& request) {
  for (const Graph& graph : request.topology.factors()) {
    if (is_long_path(graph)) continue;
    auto why = why_no_cycle_of(graph);
    if (why && request.topology.factors().size() > 1) {
      why = factor_refusal(graph, request.collective, request.ports, request.duplex);
    }
    if (why) return fmt::format("product has no algorithm for {}: {}", graph.spec, *why);
  }
  return std::nullopt;
}

/// The most translations that can leave a schedule unchanged.
std::uint64_t most_translations(const Topology& topology) {
  std::uint64_t most = 1;
  for (const Graph& graph : topology.factors()) most *= graph.cyclic ? graph.nodes : 1;
  return most;
}

/// One dimension's algorithm, and its place in the product.
struct Phase {
  std::size_t dimension = 0;
  std::unique_ptr<SinglePortGossip> gossip;
  Node held = 1;  ///< n2: messages that every node holds when the phase begins
};

std::vector<Phase> make_phases(const Topology& topology, Duplex duplex) {
  std::vector<Phase> made;
  Node held = 1;
  for (const std::size_t f : phases(topology, duplex)) {
    const Graph& graph = topology.factors()[f];
    made.push_back({f, gossip_of(graph, duplex), held});
    held *= graph.nodes;
  }
  return made;
}

/// The origin of word `index` of the log of `x`. Word i of a phase's gossip is a block of the words
/// that its origin held before, so the log of a product is the product of the logs.
Node origin(const Topology& topology, const std::vector<Phase>& phases, Node x, Node index) {
  Node source = x;
  for (const Phase& phase : phases) {
    const std::size_t f = phase.dimension;
    const Node digit = topology.digit(x, f);
    const Node word = index / phase.held % topology.factors()[f].nodes;
    source += (phase.gossip->origin(digit, word) - digit) * topology.stride(f);
  }
  return source;
}

/// What node `x` sends in a round: word `r` of the block that its phase's step sends.
void send_block_word(Schedule& schedule, const std::vector<Phase>& phases, const Phase& phase,
                     std::uint32_t round, std::uint32_t step, Node r, Node x) {
  const Topology& topology = schedule.topology();
  const Node digit = topology.digit(x, phase.dimension);
  const auto send = phase.gossip->send(step, digit);
  if (!send) return;
  const Node to = x + (send->to - digit) * topology.stride(phase.dimension);
  schedule.add_hop(round, x, to, origin(topology, phases, x, send->index * phase.held + r));
}

/// Translations of a dimension that leave its algorithm unchanged leave all phases unchanged.
Symmetry symmetry_of(const Topology& topology, const std::vector<Phase>& phases) {
  std::vector<Node> generators;
  for (const Phase& phase : phases) {
    generators.push_back(phase.gossip->period() * topology.stride(phase.dimension));
  }
  return Symmetry(topology, generators);
}

Schedule plan(const Request& request) {
  require_room_for_gossip(request.topology, most_translations(request.topology));
  const Topology& topology = request.topology;
  const std::vector<Phase> phases = make_phases(topology, request.duplex);
  Schedule schedule(topology, Collective::Gossip, single_port_model(request.duplex),
                    symmetry_of(topology, phases));
  make_room_for_gossip(schedule);
  const Symmetry& symmetry = schedule.symmetry();
  std::uint32_t round = 0;
  for (const Phase& phase : phases) {
    for (std::uint32_t step = 1; step <= phase.gossip->steps(); ++step) {
      for (Node r = 0; r < phase.held; ++r) {
        ++round;
        for (Node c = 0; c < symmetry.classes(); ++c) {
          send_block_word(schedule, phases, phase, round, step, r, symmetry.representative(c));
        }
      }
    }
  }
  return schedule;
}

}  // namespace

const Algorithm kProduct = {
    .name = "product",
    .source = "Dimakopoulos 1999, section 4",
    .summary = "gossip on products from the algorithms of the dimensions, single port",
    .serves = every({Collective::Gossip}, {PortModel::Single}, {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .formula = formula,
    .make = plan,
};

}  // namespace gossamer
