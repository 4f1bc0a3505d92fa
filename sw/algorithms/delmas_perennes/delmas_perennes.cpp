// The rounds of paper 2 on TM(7^i)^3 as data: which level, which dipaths, how many messages.

// From the rounds of paper 2 to transfers: one representative of each orbit.

#include "algorithms/delmas_perennes/delmas_perennes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "algorithms/common/all.hpp"

namespace gossamer::delmas_perennes {
namespace {

/// The dipath to -u takes the legs to u, each backwards, in the same order. (Walking the dipath to
/// u from its end would need the same arcs as other translations: see docs/research/errata.md.)
constexpr Dipath negated(Dipath dipath) {
  for (Leg& leg : dipath) leg.steps = static_cast<std::int8_t>(-leg.steps);
  return dipath;
}

constexpr std::array<Dipath, 6> with_opposites(const Dipath& u1, const Dipath& u2,
                                               const Dipath& u3) {
  return {u1, negated(u1), u2, negated(u2), u3, negated(u3)};
}

constexpr auto kUnit = with_opposites({{{0, 1}}}, {{{1, 1}}}, {{{2, 1}}});

// To the columns of M0: (-2,1,0), (0,2,1), (1,3,0).
constexpr auto kGossipA = with_opposites({{{1, 1}, {0, -2}}},          //
                                         {{{2, -1}, {1, 2}, {2, 2}}},  //
                                         {{{0, 1}, {1, 3}}});

// To the columns of M0^2: (-3,0,1), (1,0,2), (-2,0,3).
constexpr auto kGossipB = with_opposites({{{0, -3}, {2, 1}}},                  //
                                         {{{1, -1}, {2, 2}, {0, 1}, {1, 1}}},  //
                                         {{{2, 3}, {0, -2}}});

/// Records the rounds and counts the messages that the next sender holds: a round in which code
/// vertices gain six times what they hold multiplies it by 7.
class Recorder {
 public:
  void gather(StepKind kind, unsigned level, std::span<const Dipath> dipaths) {
    add(kind, level, dipaths, held_);
    held_ *= 7;
  }
  void add(StepKind kind, unsigned level, std::span<const Dipath> dipaths, std::uint64_t messages) {
    steps_.push_back({kind, level, dilation(level), messages, dipaths});
  }
  std::uint64_t held() const { return held_; }
  std::vector<Step> take() { return std::move(steps_); }

 private:
  static std::uint64_t dilation(unsigned level) { return level == 0 ? 1 : 7 * dilation(level - 1); }

  std::vector<Step> steps_;
  std::uint64_t held_ = 1;
};

/// Section 5.2.1: concentrate on the code, gossip within each of its families, gossip between the
/// families, broadcast to the neighbours.
void record_level(Recorder& recorder, unsigned level, unsigned levels, bool split) {
  recorder.gather(StepKind::Concentrate, level, kUnit);
  if (level + 1 < levels) record_level(recorder, level + 1, levels, split);
  recorder.gather(StepKind::Gossip, level, kGossipA);
  recorder.gather(StepKind::Gossip, level, kGossipB);
  if (split) {
    recorder.add(StepKind::HandOutPieces, level, kUnit, recorder.held() / 7);
    recorder.add(StepKind::ExchangePieces, level, kUnit, recorder.held() / 7);
  } else {
    recorder.add(StepKind::Broadcast, level, kUnit, recorder.held());
  }
}

}  // namespace

std::span<const Dipath> unit_dipaths() { return kUnit; }
std::span<const Dipath> gossip_dipaths_a() { return kGossipA; }
std::span<const Dipath> gossip_dipaths_b() { return kGossipB; }

unsigned length(const Dipath& dipath) {
  unsigned hops = 0;
  for (const Leg& leg : dipath) hops += static_cast<unsigned>(std::abs(leg.steps));
  return hops;
}

std::vector<Step> steps(unsigned i, bool split) {
  Recorder recorder;
  if (i > 0) record_level(recorder, 0, i, split);
  return recorder.take();
}

Cost cost(unsigned i, bool split) {
  Cost sum;
  for (const Step& step : steps(i, split)) {
    unsigned longest = 0;
    for (const Dipath& dipath : step.dipaths) longest = std::max(longest, length(dipath));
    ++sum.rounds;
    sum.delta_sum += step.dilation * longest;
    sum.tau_sum += step.messages;
  }
  return sum;
}

namespace {

/// A node of TM(n)^3 that walks.
class Walker {
 public:
  Walker(Node n, Node x1) : n_(n), x_{x1, 0, 0} {}
  Node node() const { return x_[0] + n_ * (x_[1] + n_ * x_[2]); }
  void hop(unsigned axis, bool backwards) { x_[axis] = (x_[axis] + (backwards ? n_ - 1 : 1)) % n_; }

 private:
  Node n_;
  std::array<Node, 3> x_;
};

Node power_of_7(unsigned e) { return e == 0 ? 1 : 7 * power_of_7(e - 1); }

std::vector<Node> dilated_path(Walker walker, const Dipath& dipath, std::uint64_t dilation) {
  std::vector<Node> path = {walker.node()};
  for (const Leg& leg : dipath) {
    const bool backwards = leg.steps < 0;
    const std::uint64_t hops = dilation * static_cast<std::uint64_t>(std::abs(leg.steps));
    for (std::uint64_t h = 0; h < hops; ++h) {
      walker.hop(leg.axis, backwards);
      path.push_back(walker.node());
    }
  }
  return path;
}

unsigned colour_after(unsigned colour, const Dipath& dipath) {
  int sum = static_cast<int>(colour);
  for (const Leg& leg : dipath) sum += (leg.axis + 1) * leg.steps;
  return static_cast<unsigned>(((sum % 7) + 7) % 7);
}

/// Does an active node of colour `from` send to one of colour `to` in a round of this kind?
bool talks(StepKind kind, unsigned from, unsigned to) {
  switch (kind) {
    case StepKind::Concentrate: return from != 0 && to == 0;
    case StepKind::ExchangePieces: return to != 0;  // code vertices have all pieces already
    default: return from == 0;
  }
}

}  // namespace

std::vector<Route> routes(const Step& step, unsigned i) {
  const Node n = power_of_7(i);
  const Node classes = n / static_cast<Node>(step.dilation);
  std::vector<Route> found;
  // Node (x1,0,0) has weight x1, so these are one active node of each class.
  for (Node c = 0; c < classes; ++c) {
    const Walker start(n, c * static_cast<Node>(step.dilation));
    for (const Dipath& dipath : step.dipaths) {
      const unsigned from = c % 7;
      const unsigned to = colour_after(from, dipath);
      if (!talks(step.kind, from, to)) continue;
      found.push_back({from, to, dilated_path(start, dipath, step.dilation)});
    }
  }
  return found;
}

unsigned exponent(const Topology& topology) {
  if (topology.factors().size() != 3) return 0;
  const Node n = topology.factors()[0].nodes;
  for (const Graph& factor : topology.factors()) {
    if (factor.spec != fmt::format("ring:{}", n)) return 0;
  }
  unsigned i = 0;
  Node rest = n;
  for (; rest % 7 == 0; rest /= 7) ++i;
  return rest == 1 ? i : 0;
}

std::optional<std::string> refuses(const Request& request) {
  if (exponent(request.topology) == 0) {
    return "it needs three equal rings of a power of 7, such as torus:7x7x7";
  }
  return std::nullopt;
}

Schedule empty_schedule(const Topology& topology) {
  const Node n = topology.factors()[0].nodes;
  // (-2,1,0) and (-3,0,1) generate all nodes of weight 0.
  const Node generators[] = {(n - 2) + n, (n - 3) + n * n};
  const Model model{PortModel::All, Duplex::Full, Switching::Circuit, /*combining=*/true};
  return {topology, Collective::Gossip, model, Symmetry(topology, generators)};
}

}  // namespace gossamer::delmas_perennes

namespace gossamer {
namespace {

Formula formula(const Request& request) {
  const unsigned i = delmas_perennes::exponent(request.topology);
  return {"4i", 4 * std::uint64_t{i}, delmas_perennes::cost(i, /*split=*/false).delta_sum};
}

Schedule plan(const Request& request) {
  const unsigned i = delmas_perennes::exponent(request.topology);
  Schedule schedule = delmas_perennes::empty_schedule(request.topology);
  std::uint32_t round = 0;
  for (const delmas_perennes::Step& step : delmas_perennes::steps(i, /*split=*/false)) {
    ++round;
    for (const delmas_perennes::Route& route : delmas_perennes::routes(step, i)) {
      schedule.add_everything(round, route.path);
    }
  }
  return schedule;
}

}  // namespace

const Algorithm kDelmasPerennes = {
    .name = "delmas-perennes",
    .source = "Delmas-Perennes 1996, section 5",
    .summary = "gossip on 7^i x 7^i x 7^i tori, all ports, circuits, combining",
    .serves = every({Collective::Gossip}, {PortModel::All}, {Duplex::Full}),
    .needs = delmas_perennes::refuses,
    .formula = formula,
    .make = plan,
    .switching = Switching::Circuit,
    .combining = true,
};

}  // namespace gossamer
