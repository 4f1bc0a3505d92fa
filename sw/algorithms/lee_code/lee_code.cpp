// The codes and their dipaths, which a search found once.
//
// If all sides of a torus are multiples of the code's, gossip takes k+1 rounds (3 for k = 4) and
// those of the torus whose sides are divided by it. For all nodes send to the code; the code's
// vertices that are equal modulo the side gossip on dilated tori; along the dipaths each vertex
// reaches one of every other such family; and the code sends to its neighbours. The dilated tori
// share no arc, because each Wj has order p, the side, so that a line along an axis meets the
// code in every p-th node.

// The rounds around a perfect code as data: which level, which dipaths, how many messages.

#include "algorithms/lee_code/lee_code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "algorithms/common/all.hpp"

namespace gossamer::lee_code {

std::span<const Code> codes() {
  static const std::vector<Code> table = {
      {.dimensions = 1,
       .side = 3,
       .modulus = 3,
       .weights = {{{1, 0}}},
       .components = 1,
       .nests = true,
       .gossip = {}},
      // The code's other vertices modulo 5 are (1,2), (2,-1) and their opposites.
      {.dimensions = 2,
       .side = 5,
       .modulus = 5,
       .weights = {{{1, 0}, {2, 0}}},
       .components = 1,
       .nests = true,
       .gossip = {{{1, 1, -2}, {2, 2, 1}}}},
      // 5 and 4 hops: one less than paper 2's 5 and 5.
      {.dimensions = 3,
       .side = 7,
       .modulus = 7,
       .weights = {{{1, 0}, {2, 0}, {3, 0}}},
       .components = 1,
       .nests = true,
       .gossip = {{{1, 2, 2, 2}, {2, 2, 1, 1, 1}, {3, -2, 1, 1, -3}},
                  {{2, -3, -3, -3}, {3, 3, 1}, {1, -3, 2}}}},
      // The ternary Hamming code (tetracode): weights are the 4 directions of the plane over 3.
      {.dimensions = 4,
       .side = 3,
       .modulus = 3,
       .weights = {{{1, 0}, {0, 1}, {1, 1}, {1, 2}}},
       .components = 2,
       .nests = true,
       .gossip = {{{1, 2, -3}, {2, -1, 4}, {3, 4, 1}, {4, -3, -2}}}},
      // The same code, with two of its levels in 5 rounds instead of 6. The first round has dipaths
      // to 3 times the code and uses every arc, the second goes 3 hops along each axis, and the
      // third is the one above.
      {.dimensions = 4,
       .side = 9,
       .modulus = 3,
       .weights = {{{1, 0}, {0, 1}, {1, 1}, {1, 2}}},
       .components = 2,
       .nests = false,
       .gossip = {{{1, 1, 2, 1, 2, -3, 2, -3, -3},
                   {2, -1, -1, -1, 4, 4, 2, 4, 2},
                   {4, 3, 3, 1, 1, 3, 4, 4, 1},
                   {3, 2, 2, 2, -4, 3, 3, -4, -4}},
                  {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}},
                  {{1, 2, -3}, {2, -1, 4}, {3, 4, 1}, {4, -3, -2}}}},
  };
  return table;
}

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

namespace gossamer {
namespace {

std::optional<std::string> refuses(const Request& request) {
  if (request.collective == Collective::Gossip && lee_code::choose(request.topology).code == nullptr) {
    return fmt::format(
        "lee-code needs a ring or a torus around a perfect code, with sides that are multiples of "
        "3 "
        "(1 or 4 dimensions), 5 (2 dimensions) or 7 (3 dimensions); {} is none",
        request.topology.spec());
  }
  if (lee_code::sides_of(request.topology).empty()) {
    return fmt::format("lee-code needs a ring or a torus; {} is none", request.topology.spec());
  }
  return std::nullopt;
}

/// And of a scatter and a gather.
Formula formula_of_broadcast(const lee_code::Choice& choice) {
  std::vector<std::string> terms;
  if (choice.code != nullptr) {
    terms.push_back(fmt::format("{}*{}", 1 + choice.code->gossip.size(), choice.levels));
  }
  for (const Node side : choice.coarse) {
    if (side > 1) terms.push_back(fmt::format("ceil(log3 {})", side));
  }
  return {fmt::format("{}", fmt::join(terms, " + ")), lee_code::broadcast_round_count(choice)};
}

Formula formula(const Request& request) {
  if (request.collective != Collective::Gossip) {
    return formula_of_broadcast(lee_code::choose_for_broadcast(request.topology));
  }
  const lee_code::Choice choice = lee_code::choose(request.topology);
  const unsigned a_level = 2 + static_cast<unsigned>(choice.code->gossip.size());
  const std::uint64_t coarse = lee_code::coarse_round_count(choice.coarse);
  const std::uint64_t levels = std::uint64_t{a_level} * choice.levels;
  std::string text = fmt::format("{}*{}", a_level, choice.levels);
  if (coarse > 0) {
    text += fmt::format(" + {} on {}", coarse, fmt::join(choice.coarse, "x"));
  }
  return {text, levels + coarse, lee_code::cost(lee_code::steps(choice)).delta_sum};
}

/// What each call of a scatter passes on, which is all for the node called and for whom it calls.
std::vector<std::vector<std::vector<Message>>> scattered(
    const std::vector<std::vector<lee_code::Call>>& rounds, Node root, Node nodes) {
  std::vector<std::vector<std::vector<Message>>> passed(rounds.size());
  std::vector<std::vector<Node>> behind(nodes);
  for (std::size_t r = rounds.size(); r-- > 0;) {
    for (const lee_code::Call& path : rounds[r]) {
      std::vector<Node> further = std::move(behind[path.back()]);
      further.push_back(path.back());
      std::vector<Message>& messages = passed[r].emplace_back();
      for (const Node y : further) messages.push_back({root, y});
      std::vector<Node>& here = behind[path.front()];
      here.insert(here.end(), further.begin(), further.end());
    }
  }
  return passed;
}

/// One phase. A gather is the calls backwards, with all that has come.
Schedule broadcast(const Request& request) {
  Schedule schedule = empty_schedule(
      request, {PortModel::All, Duplex::Full, Switching::Circuit, /*combining=*/true});
  const Topology& topology = request.topology;
  auto rounds =
      lee_code::broadcast_calls(topology, lee_code::choose_for_broadcast(topology), request.root);
  const bool scatters = request.collective == Collective::Scatter;
  const bool backwards = request.collective == Collective::Gather;
  const auto passed = scatters ? scattered(rounds, request.root, topology.nodes())
                               : decltype(scattered(rounds, 0, 0)){};
  if (backwards) std::ranges::reverse(rounds);
  for (std::uint32_t r = 0; r < rounds.size(); ++r) {
    for (std::size_t i = 0; i < rounds[r].size(); ++i) {
      lee_code::Call& path = rounds[r][i];
      if (backwards) std::ranges::reverse(path);
      if (scatters) {
        schedule.add(r + 1, path, passed[r][i]);
      } else {
        schedule.add_everything(r + 1, path);
      }
    }
  }
  return schedule;
}

Schedule plan(const Request& request) {
  Schedule schedule =
      request.collective == Collective::Gossip
          ? lee_code::schedule_of(request.topology, lee_code::choose(request.topology))
          : broadcast(request);
  return schedule;
}

}  // namespace

const Algorithm kLeeCode = {
    .name = "lee-code",
    .summary =
        "gossip on tori around a perfect Lee code, such as 5^i x 5^i; broadcast, scatter, "
        "gather on any torus; all ports, circuits",
    .serves =
        every({Collective::Gossip, Collective::Broadcast, Collective::Scatter, Collective::Gather},
              {PortModel::All}, {Duplex::Full}),
    .needs = refuses,
    .formula = formula,
    .make = plan,
    .switching = Switching::Circuit,
    .combining = true,
};

}  // namespace gossamer
