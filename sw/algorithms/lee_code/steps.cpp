// The rounds around a perfect code as data: which level, which dipaths, how many messages.

#include <algorithm>
#include <utility>

#include "algorithms/lee_code/lee_code.hpp"

namespace gossamer::lee_code {
namespace {

/// One hop each way along each axis.
std::vector<Dipath> unit_dipaths(unsigned dimensions) {
  std::vector<Dipath> dipaths;
  for (unsigned j = 1; j <= dimensions; ++j) {
    dipaths.push_back({static_cast<Hop>(j)});
    dipaths.push_back({static_cast<Hop>(-static_cast<int>(j))});
  }
  return dipaths;
}

std::vector<Dipath> with_opposites(const std::vector<Dipath>& dipaths) {
  std::vector<Dipath> all;
  for (const Dipath& dipath : dipaths) {
    all.push_back(dipath);
    all.push_back(opposite(dipath));
  }
  return all;
}

/// Records the rounds and counts the messages that the next sender holds.
class Recorder {
 public:
  explicit Recorder(const Choice& choice) : choice_(choice), code_(*choice.code) {}

  std::vector<Step> record() {
    level(0);
    return std::move(steps_);
  }

 private:
  /// Concentrate on the code, gossip within each of its families, gossip between the families,
  /// broadcast to the neighbours (Delmas-Perennes 1996, section 5.2.1).
  void level(unsigned l) {
    if (l == choice_.levels) return coarse(l);
    const std::uint64_t dilation = dilation_;
    gather(StepKind::Concentrate, l, dilation, unit_dipaths(code_.dimensions));
    dilation_ *= code_.side;
    level(l + 1);
    for (const auto& dipaths : code_.gossip) {
      gather(StepKind::Gossip, l, dilation, with_opposites(dipaths));
    }
    steps_.push_back({StepKind::Broadcast, l, dilation, held_, unit_dipaths(code_.dimensions), {}});
  }

  /// A round in which code vertices receive from 2k others as much as they hold themselves.
  void gather(StepKind kind, unsigned l, std::uint64_t dilation, std::vector<Dipath> dipaths) {
    steps_.push_back({kind, l, dilation, held_, std::move(dipaths), {}});
    held_ *= code_.colours();
  }

  void coarse(unsigned l) {
    const std::uint64_t block = held_;
    for (CoarseRound& round : coarse_rounds(choice_.coarse)) {
      std::uint64_t most = 0;
      for (const CoarseRoute& route : round) most = std::max(most, size(route.box));
      steps_.push_back({StepKind::Coarse, l, dilation_, block * most, {}, std::move(round)});
    }
    for (const Node side : choice_.coarse) held_ *= side;
  }

  const Choice& choice_;
  const Code& code_;
  std::vector<Step> steps_;
  std::uint64_t held_ = 1;
  std::uint64_t dilation_ = 1;
};

std::size_t longest(const Step& step) {
  std::size_t hops = 0;
  for (const Dipath& dipath : step.dipaths) hops = std::max(hops, dipath.size());
  for (const CoarseRoute& route : step.coarse) hops = std::max(hops, route.dipath.size());
  return hops;
}

}  // namespace

std::vector<Node> sides_of(const Topology& topology) {
  std::vector<Node> sides;
  for (const Graph& factor : topology.factors()) {
    if (!factor.spec.starts_with("ring:")) return {};
    sides.push_back(factor.nodes);
  }
  return sides;
}

Dipath opposite(Dipath dipath) {
  for (Hop& hop : dipath) hop = static_cast<Hop>(-hop);
  return dipath;
}

std::vector<Step> steps(const Choice& choice) { return Recorder(choice).record(); }

Cost cost(const std::vector<Step>& steps) {
  Cost sum;
  for (const Step& step : steps) {
    ++sum.rounds;
    sum.delta_sum += step.dilation * longest(step);
    sum.tau_sum += step.messages;
  }
  return sum;
}

Choice choose(const Topology& topology) {
  const std::vector<Node> sides = sides_of(topology);
  Choice best;
  Cost least;
  for (const Code& code : codes()) {
    if (code.dimensions != sides.size()) continue;
    Choice choice{&code, 0, sides};
    const auto divides = [&](Node side) { return side % code.side == 0; };
    while (std::ranges::all_of(choice.coarse, divides)) {
      ++choice.levels;
      for (Node& side : choice.coarse) side /= code.side;
      const bool done = std::ranges::all_of(choice.coarse, [](Node side) { return side == 1; });
      if (!code.nests && !done) break;
      const Cost now = cost(steps(choice));
      if (best.code != nullptr && now >= least) continue;
      best = choice;
      least = now;
    }
  }
  return best;
}

}  // namespace gossamer::lee_code
