#include "algorithms/single_port/single_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/common/algorithm.hpp"
#include "algorithms/common/all.hpp"
#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"
#include "support/job.hpp"

namespace gossamer {

Model single_port_model(Duplex duplex) {
  return {PortModel::Single, duplex, Switching::Packet, /*combining=*/false};
}

Schedule schedule_of(const SinglePortGossip& gossip, const Topology& topology, Duplex duplex) {
  const Node generator[] = {gossip.period()};
  Schedule schedule(topology, Collective::Gossip, single_port_model(duplex),
                    Symmetry(topology, generator));
  make_room_for_gossip(schedule);
  const Symmetry& symmetry = schedule.symmetry();
  for (std::uint32_t step = 1; step <= gossip.steps(); ++step) {
    for (Node c = 0; c < symmetry.classes(); ++c) {
      const Node x = symmetry.representative(c);
      const auto send = gossip.send(step, x);
      if (send) schedule.add_hop(step, x, send->to, gossip.origin(x, send->index));
    }
  }
  return schedule;
}

namespace {

/// Can the topology be translated by `by`?
bool translates(const Topology& topology, Node by) {
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    if (topology.digit(by, f) != 0 && !topology.factors()[f].cyclic) return false;
  }
  return true;
}

/// Is moving `places` along the cycle the same translation everywhere?
bool repeats(const Topology& topology, const std::vector<Node>& cycle, Node places) {
  const Node n = topology.nodes();
  const Node by = topology.translate(cycle[places], topology.negate(cycle[0]));
  if (!translates(topology, by)) return false;
  for (Node i = 0; i < n; ++i) {
    stop_if_interrupted();
    if (cycle[(i + std::uint64_t{places}) % n] != topology.translate(cycle[i], by)) return false;
  }
  return true;
}

/// The translation by the fewest places that leaves the cycle and the roles of its places unchanged
/// (the ring may be rotated by multiples of `period` places); 0 if there is none. A schedule kept
/// as orbits of this translation is smaller by the size of an orbit.
Node cycle_period(const Topology& topology, const std::vector<Node>& cycle, Node period) {
  const Node n = topology.nodes();
  if (period == 0) return 0;
  for (Node places = period; places < n; places += period) {
    stop_if_interrupted();
    if (n % places == 0 && repeats(topology, cycle, places)) {
      return topology.translate(cycle[places], topology.negate(cycle[0]));
    }
  }
  return 0;
}

}  // namespace

CycleGossip::CycleGossip(const Topology& topology, std::vector<Node> cycle, Duplex duplex)
    : cycle_(std::move(cycle)), place_(cycle_.size()), duplex_(duplex) {
  for (Node i = 0; i < nodes(); ++i) {
    stop_if_interrupted();
    place_[cycle_[i]] = i;
  }
  period_ = cycle_period(topology, cycle_, ring_algorithm::period(nodes(), duplex));
}

std::uint32_t CycleGossip::steps() const {
  return static_cast<std::uint32_t>(ring_algorithm::formula(nodes(), duplex_).rounds);
}

std::optional<Send> CycleGossip::send(std::uint32_t step, Node x) const {
  const Node i = place_[x];
  const auto index = ring_algorithm::send(nodes(), duplex_, step, i);
  if (!index) return std::nullopt;
  return Send{cycle_[(i + 1) % nodes()], *index};
}

Node CycleGossip::origin(Node x, std::uint32_t index) const {
  return cycle_[(place_[x] + nodes() - index) % nodes()];
}

namespace {

enum Direction : std::size_t { kUp = 0, kDown = 1 };  // to x+1, to x-1

/// The path while its schedule is made: each node sends its own message both ways and passes on,
/// upwards, what came from below, and downwards, what came from above, in order of arrival.
class PathState {
 public:
  explicit PathState(Node nodes) : logs_(nodes), waiting_(nodes), next_(nodes) {
    for (Node x = 0; x < nodes; ++x) {
      logs_[x] = {x};
      if (x + 1 < nodes) waiting_[x][kUp] = {0};
      if (x > 0) waiting_[x][kDown] = {0};
      next_[x] = {0, 0};
    }
  }

  Node nodes() const { return static_cast<Node>(logs_.size()); }
  bool can_send(Node x, Direction d) const { return next_[x][d] < waiting_[x][d].size(); }

  bool done() const {
    for (Node x = 0; x < nodes(); ++x) {
      if (logs_[x].size() < nodes()) return false;
    }
    return true;
  }

  /// One step; `chosen` is the direction each node sends in.
  std::vector<Send> play(const std::vector<std::optional<Direction>>& chosen) {
    std::vector<Send> sends(nodes());
    for (Node x = 0; x < nodes(); ++x) {
      if (!chosen[x]) continue;
      const Direction d = *chosen[x];
      sends[x] = {d == kUp ? x + 1 : x - 1, waiting_[x][d][next_[x][d]++]};
    }
    for (Node x = 0; x < nodes(); ++x) {
      if (chosen[x]) receive(sends[x].to, *chosen[x], logs_[x][sends[x].index]);
    }
    return sends;
  }
  std::vector<std::vector<Node>> logs() && { return std::move(logs_); }

 private:
  void receive(Node x, Direction d, Node origin) {
    const bool goes_on = d == kUp ? x + 1 < nodes() : x > 0;
    if (goes_on) waiting_[x][d].push_back(static_cast<std::uint32_t>(logs_[x].size()));
    logs_[x].push_back(origin);
  }

  std::vector<std::vector<Node>> logs_;
  std::vector<std::array<std::vector<std::uint32_t>, 2>> waiting_;  ///< words of the log, by way
  std::vector<std::array<std::size_t, 2>> next_;                    ///< the first not sent yet
};

using Choice = std::vector<std::optional<Direction>>;

/// Full duplex: every node sends towards its nearer end if it can, else towards the other. A node
/// receives from one neighbour only; messages towards the nearer end are chosen first.
Choice choose_full(const PathState& state) {
  const Node n = state.nodes();
  Choice chosen(n);
  std::vector<bool> receives(n, false);
  const auto outward = [n](Node x) { return 2 * x > n - 1 ? kUp : kDown; };
  const auto try_to = [&](Node x, Direction d) {
    if (chosen[x] || !state.can_send(x, d)) return;
    const Node to = d == kUp ? x + 1 : x - 1;
    if (receives[to]) return;
    receives[to] = true;
    chosen[x] = d;
  };
  for (Node x = 0; x < n; ++x) try_to(x, outward(x));
  for (Node x = 0; x < n; ++x) try_to(x, outward(x) == kUp ? kDown : kUp);
  return chosen;
}

/// Half duplex: every other link is active in a step, the link in the middle in the first. A link
/// carries one message up, then one down, and so on; if one direction has nothing to carry, it uses
/// the other.
Choice choose_half(const PathState& state, std::uint32_t step, std::vector<Direction>& turn) {
  Choice chosen(state.nodes());
  for (Node low = (state.nodes() / 2 + step) % 2; low + 1 < state.nodes(); low += 2) {
    const bool up = state.can_send(low, kUp), down = state.can_send(low + 1, kDown);
    if (!up && !down) continue;
    const Direction d = up && down ? turn[low] : up ? kUp : kDown;
    chosen[d == kUp ? low : low + 1] = d;
    turn[low] = d == kUp ? kDown : kUp;
  }
  return chosen;
}

}  // namespace

PathGossip::PathGossip(Node nodes, Duplex duplex) {
  PathState state(nodes);
  std::vector<Direction> turn(nodes, kUp);
  for (std::uint32_t step = 1; !state.done(); ++step) {
    sends_.push_back(
        state.play(duplex == Duplex::Full ? choose_full(state) : choose_half(state, step, turn)));
  }
  logs_ = std::move(state).logs();
}

Formula PathGossip::formula(Node nodes, Duplex duplex) {
  const std::uint64_t n = nodes;
  if (duplex == Duplex::Full) return {"floor((3n-1)/2)", (3 * n - 1) / 2};
  return {"floor((5n-3)/2)", (5 * n - 3) / 2};
}

namespace ring_algorithm {
namespace {

/// Section 3.1: all messages rotate together.
std::optional<std::uint32_t> send_full(std::uint32_t step) { return step - 1; }

/// Section 3.2.1: each full-duplex step takes two steps; even places transmit first, then odd ones.
std::optional<std::uint32_t> send_half_even(std::uint32_t step, Node i) {
  const bool turn = (step + i) % 2 == 1;
  if (!turn) return std::nullopt;
  return (step - 1) / 2;
}

/// Section 3.2.2: place 0 repeats N RT RT ... RT: N does nothing, R receives, T transmits; place i
/// does the same i steps later. So in step j the places j, j+2, ..., j+n-3 transmit and j-1 does
/// nothing. (The set printed in the paper has one place too many, and two of its places are
/// neighbours: docs/research/errata.md.)
std::optional<std::uint32_t> send_half_odd(Node n, std::uint32_t step, Node i) {
  // Transmissions in the first k steps of place 0's behaviour.
  const auto transmissions = [n](std::uint64_t k) {
    const std::uint64_t rest = k % n;
    return k / n * (n / 2) + (rest == 0 ? 0 : (rest - 1) / 2);
  };
  const std::uint64_t start = (n - i) % n;  // where in that sequence place i begins
  const std::uint64_t now = start + step - 1;
  const bool transmits = now % n != 0 && now % n % 2 == 0;
  if (!transmits) return std::nullopt;
  return static_cast<std::uint32_t>(transmissions(now) - transmissions(start));
}

}  // namespace

Formula formula(Node n, Duplex duplex) {
  if (duplex == Duplex::Full) return {"n-1", n - std::uint64_t{1}};
  if (n % 2 == 0) return {"2(n-1)", 2 * (n - std::uint64_t{1})};
  return {"2n", 2 * std::uint64_t{n}};
}

std::optional<std::uint32_t> send(Node n, Duplex duplex, std::uint32_t step, Node i) {
  if (duplex == Duplex::Full) return send_full(step);
  if (n % 2 == 0) return send_half_even(step, i);
  return send_half_odd(n, step, i);
}

Node period(Node n, Duplex duplex) {
  if (duplex == Duplex::Full) return 1;
  return n % 2 == 0 ? 2 : 0;
}

}  // namespace ring_algorithm

namespace {

/// Is x linked to x+1 (mod n) and to nothing else?
bool is_ring(const Topology& topology) {
  return topology.factors().size() == 1 && topology.translatable() && topology.ports() <= 2;
}

std::optional<std::string> why_no_ring(const Request& request) {
  if (is_ring(request.topology)) return std::nullopt;
  return fmt::format("ring needs a ring; {} is none", request.topology.spec());
}

Formula formula_of(const Request& request) {
  return ring_algorithm::formula(request.topology.nodes(), request.duplex);
}

Schedule plan_ring(const Request& request) {
  const Topology& topology = request.topology;
  const CycleGossip gossip(topology, numbers_below(topology.nodes()), request.duplex);
  return schedule_of(gossip, topology, request.duplex);
}

}  // namespace

const Algorithm kRing = {
    .name = "ring",
    .source = "Dimakopoulos 1999, section 3",
    .summary = "gossip on rings, single port, full or half duplex",
    .serves = every({Collective::Gossip}, {PortModel::Single}, {Duplex::Full, Duplex::Half}),
    .needs = why_no_ring,
    .formula = formula_of,
    .make = plan_ring,
};

namespace {

std::optional<std::string> why_no_cycle_of(const Request& request) {
  if (!request.cycle.empty()) return why_no_cycle(request.topology, request.cycle);
  return why_no_hamiltonian_cycle(request.topology);
}

/// The most often that one translation can be repeated before it returns to its start.
std::uint64_t most_repetitions(const Topology& topology) {
  std::uint64_t most = 1;
  for (const Graph& factor : topology.factors()) {
    if (factor.cyclic) most = std::lcm(most, std::uint64_t{factor.nodes});
  }
  return std::min<std::uint64_t>(most, topology.nodes());
}

Schedule plan_along_cycle(const Request& request) {
  const Topology& topology = request.topology;
  require_room_for_gossip(topology, most_repetitions(topology));
  std::vector<Node> cycle = request.cycle;
  if (cycle.empty()) cycle = hamiltonian_cycle(topology).cycle;
  const CycleGossip gossip(topology, std::move(cycle), request.duplex);
  return schedule_of(gossip, topology, request.duplex);
}

}  // namespace

const Algorithm kHamiltonian = {
    .name = "hamiltonian",
    .source = "Dimakopoulos 1999, section 3",
    .summary = "gossip along a hamiltonian cycle of any graph, single port, full or half duplex",
    .serves = every({Collective::Gossip}, {PortModel::Single}, {Duplex::Full, Duplex::Half}),
    .needs = why_no_cycle_of,
    .formula = formula_of,
    .make = plan_along_cycle,
    .any_graph = true,
    .takes_cycle = true,
    .slow = [](const Request& request) { return request.topology.nodes() > 2048; },
};

}  // namespace gossamer
