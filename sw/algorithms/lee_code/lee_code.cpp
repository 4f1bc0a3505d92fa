#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "algorithms/common/all.hpp"
#include "algorithms/delmas_perennes/delmas_perennes.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"

// Gossip around perfect Lee codes (algorithms/delmas_perennes): those of other dimensions, and
// other dipaths between their vertices; and broadcast, scatter and gather along the same dipaths.
//
// If all sides of a torus are multiples of the code's, gossip takes k+1 rounds (3 for k = 4) and
// those of the torus whose sides are divided by it. For all nodes send to the code; the code's
// vertices that are equal modulo the side gossip on dilated tori; along the dipaths each vertex
// reaches one of every other such family; and the code sends to its neighbours. The dilated tori
// share no arc, because each Wj has order p, the side, so that a line along an axis meets the
// code in every p-th node.

namespace gossamer {
namespace {

using namespace delmas_perennes;

/// All codes with their dipaths, which a search has found.
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

/// From first to last.
struct Interval {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
/// Offsets in the coarse torus: an interval for each dimension.
using Box = std::vector<Interval>;

/// How many they are.
std::uint64_t size(const Box& box) {
  std::uint64_t product = 1;
  for (const Interval& values : box) {
    product *= static_cast<std::uint64_t>(values.last - values.first + 1);
  }
  return product;
}

/// As mixed-radix numbers, as nodes are.
std::vector<Node> offsets(const Box& box, std::span<const Node> sides) {
  std::vector<Node> numbers = {0};
  for (std::size_t j = box.size(); j-- > 0;) {
    const std::int64_t side = sides[j];
    std::vector<Node> longer;
    for (const Node number : numbers) {
      stop_if_interrupted();
      for (std::int64_t v = box[j].first; v <= box[j].last; ++v) {
        longer.push_back(static_cast<Node>(number * side + (v + side) % side));
      }
    }
    numbers = std::move(longer);
  }
  return numbers;
}

/// A transfer of the coarse gossip: each node sends along the dipath what it holds of the nodes at
/// these offsets.
struct CoarseRoute {
  Dipath dipath;
  Box box;
  bool everything = false;  ///< these are all that it holds
};
using CoarseRound = std::vector<CoarseRoute>;

/// A node holds the blocks of the nodes at a box of offsets; it begins with its own.
class Coarse {
 public:
  explicit Coarse(std::span<const Node> sides) : sides_(sides.begin(), sides.end()) {
    held_.resize(sides.size());
  }

  std::vector<CoarseRound> rounds() {
    std::vector<std::size_t> even, odd;
    for (std::size_t j = 0; j < sides_.size(); ++j) (sides_[j] % 2 == 0 ? even : odd).push_back(j);
    // Small sides first: what is sent in a dimension grows with the sides before it.
    const auto smaller = [&](std::size_t a, std::size_t b) { return sides_[a] < sides_[b]; };
    std::stable_sort(even.begin(), even.end(), smaller);
    std::stable_sort(odd.begin(), odd.end(), smaller);
    std::size_t e = 0;
    for (; e + 1 < even.size(); e += 2) even_pair(even[e], even[e + 1]);
    if (e < even.size()) even_single(even[e]);
    for (const std::size_t j : odd) both_ways(j);
    return std::move(rounds_);
  }

 private:
  static Direction hop(std::size_t j) { return static_cast<Direction>(j + 1); }
  static Direction back(std::size_t j) { return static_cast<Direction>(-hop(j)); }

  /// All rounds in which both directions bring something new.
  void both_ways(std::size_t j) {
    for (Node t = 1; t <= (sides_[j] - 1) / 2; ++t) {
      add({{{hop(j)}, {{j, held_[j].first}}}, {{back(j)}, {{j, held_[j].last}}}});
      held_[j] = {held_[j].first - 1, held_[j].last + 1};
    }
  }

  /// One value is left, on the opposite side.
  void even_single(std::size_t j) {
    both_ways(j);
    add({{{hop(j)}, {{j, held_[j].first}}}});
    --held_[j].first;
  }

  /// Two dimensions, each with one value left: three kinds of offsets in one round, each on its own
  /// path.
  void even_pair(std::size_t j, std::size_t l) {
    both_ways(j);
    both_ways(l);
    add({{{hop(j)}, {{j, held_[j].first}}},
         {{hop(l)}, {{l, held_[l].first}}},
         {{back(j), back(l)}, {{j, held_[j].last}, {l, held_[l].last}}}});
    --held_[j].first;
    --held_[l].first;
  }

  /// A dipath, and the part of the box sent along it: the offsets with these values.
  struct Part {
    Dipath dipath;
    std::vector<std::pair<std::size_t, std::int64_t>> fixed;
  };

  void add(const std::vector<Part>& parts) {
    CoarseRound round;
    for (const Part& part : parts) {
      Box box = held_;
      for (const auto& [j, value] : part.fixed) box[j] = {value, value};
      const bool everything = size(box) == size(held_);
      round.push_back({part.dipath, std::move(box), everything});
    }
    rounds_.push_back(std::move(round));
  }

  std::vector<Node> sides_;
  Box held_;
  std::vector<CoarseRound> rounds_;
};

/// Gossip on the torus of these sides (each at least 1) in which every node does the same: ring by
/// ring, both ways around; two even sides share their last round. Takes sum floor(m_j/2) -
/// floor(e/2) rounds for e even sides.
std::vector<CoarseRound> coarse_rounds(std::span<const Node> sides) {
  return Coarse(sides).rounds();
}

/// The number of these rounds.
std::uint64_t coarse_round_count(std::span<const Node> sides) {
  std::uint64_t halves = 0, even = 0;
  for (const Node side : sides) {
    halves += side / 2;
    even += side % 2 == 0;
  }
  return halves - even / 2;
}

/// A code, and how often it divides the torus.
struct Choice {
  const Code* code = nullptr;
  unsigned levels = 0;
  std::vector<Node> coarse;  ///< sides of what is left
};

/// The rounds of a choice, (k+1) a level and those of the coarse torus.
std::vector<Step> steps(const Choice& choice) {
  std::vector<Step> coarse;
  for (const CoarseRound& round : coarse_rounds(choice.coarse)) {
    Step& step = coarse.emplace_back();
    step.kind = StepKind::Coarse;
    for (const CoarseRoute& route : round) {
      step.messages = std::max(step.messages, size(route.box));
      step.dipaths.push_back(route.dipath);
    }
  }
  const std::uint64_t families = std::accumulate(choice.coarse.begin(), choice.coarse.end(),
                                                 std::uint64_t{1}, std::multiplies<>());
  return steps(*choice.code, choice.levels, /*split=*/false, coarse, families);
}

/// Sides of the rings whose product the torus is; empty for another topology.
std::vector<Node> sides_of(const Topology& topology) {
  std::vector<Node> sides;
  for (const Graph& factor : topology.factors()) {
    if (!factor.spec.starts_with("ring:")) return {};
    sides.push_back(factor.nodes);
  }
  return sides;
}

/// The choice of the least cost for a torus, compared by rounds, then hops, then messages; it has
/// no code if none fits.
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

// Broadcast around a perfect code: property 5.6 of Delmas-Perennes 1996, for every code and level.
// The same calls scatter, and backwards they gather.

/// The nodes of a dipath along which a node that knows the message informs another.
using Call = std::vector<Node>;

/// From one offset along a ring to another.
struct Span {
  std::int64_t from = 0, to = 0;
};

std::int64_t middle(const Interval& part) { return part.first + (part.last - part.first) / 2; }

/// A ring is cut into parts whose middle nodes know the message, at first one. In each round the
/// middle node of a part informs those of its left and its right third.
std::vector<std::vector<Span>> thirds(Node side) {
  const std::int64_t n = side;
  std::vector<std::vector<Span>> rounds;
  std::vector<Interval> parts = {{-((n - 1) / 2), n / 2}};
  while (parts.size() < side) {
    std::vector<Interval> smaller;
    rounds.emplace_back();
    for (const Interval& part : parts) {
      const std::int64_t size = part.last - part.first + 1;
      const std::int64_t left = size == 2 ? 0 : (size + 1) / 3, right = size == 2 ? 1 : left;
      const Interval thirds[] = {{part.first, part.first + left - 1},
                                 {part.first + left, part.last - right},
                                 {part.last - right + 1, part.last}};
      for (const Interval& third : thirds) {
        if (third.first > third.last) continue;
        smaller.push_back(third);
        if (middle(third) != middle(part)) rounds.back().push_back({middle(part), middle(third)});
      }
    }
    parts = std::move(smaller);
  }
  return rounds;
}

class Caller {
 public:
  Caller(const Topology& topology, const Choice& choice, Node root)
      : topology_(topology), choice_(choice), informed_{root} {}

  std::vector<std::vector<Call>> rounds() {
    level(0, 1);
    return std::move(rounds_);
  }

 private:
  /// First the root's family of code vertices, then their gossip's dipaths, then the neighbours.
  void level(unsigned l, std::int64_t dilation) {
    if (l == choice_.levels) return coarse(dilation);
    const Code& code = *choice_.code;
    level(l + 1, dilation * code.side);
    for (const auto& dipaths : code.gossip) call(with_opposites(dipaths), dilation);
    call(unit_dipaths(code.dimensions), dilation);
  }

  /// All who know the message call along these dipaths.
  void call(const std::vector<Dipath>& dipaths, std::int64_t dilation) {
    const std::vector<Node> callers = informed_;
    rounds_.emplace_back();
    for (const Node x : callers) {
      for (const Dipath& dipath : dipaths) add(walk(topology_, x, dipath, dilation));
    }
  }

  /// Ring by ring.
  void coarse(std::int64_t dilation) {
    for (std::size_t j = 0; j < choice_.coarse.size(); ++j) {
      const Dipath axis = {static_cast<Direction>(j + 1)};
      const std::vector<Node> bases = informed_;
      for (const std::vector<Span>& spans : thirds(choice_.coarse[j])) {
        rounds_.emplace_back();
        for (const Node base : bases) {
          for (const Span& span : spans) {
            const Node from = walk(topology_, base, axis, span.from * dilation).back();
            add(walk(topology_, from, axis, (span.to - span.from) * dilation));
          }
        }
      }
    }
  }

  void add(Call path) {
    stop_if_interrupted();
    informed_.push_back(path.back());
    rounds_.back().push_back(std::move(path));
  }

  const Topology& topology_;
  const Choice& choice_;
  std::vector<Node> informed_;
  std::vector<std::vector<Call>> rounds_;
};

/// The choice for a gossip; where no code fits, the torus itself is what is left.
Choice choose_for_broadcast(const Topology& topology) {
  Choice choice = choose(topology);
  if (choice.code == nullptr) choice.coarse = sides_of(topology);
  return choice;
}

/// The rounds of a broadcast: as many as the code's gossip has, and one, for a level; and of each
/// coarse side the logarithm to base 3, rounded up.
std::uint64_t broadcast_round_count(const Choice& choice) {
  std::uint64_t rounds = 0;
  if (choice.code != nullptr) rounds += choice.levels * (choice.code->gossip.size() + 1);
  for (const Node side : choice.coarse) rounds += thirds(side).size();
  return rounds;
}

// From the rounds to transfers: one representative of each orbit.

/// Plans the transfers of one schedule.
class Planner {
 public:
  Planner(Schedule& schedule, const Choice& choice)
      : schedule_(schedule),
        topology_(schedule.topology()),
        choice_(choice),
        coarse_(coarse_rounds(choice.coarse)),
        logs_(1 + topology_.ports()) {
    logs_[0].push_back(0);
  }

  void add(std::uint32_t round, const Step& step) {
    if (step.kind == StepKind::Coarse) return add_coarse(round, step);
    if (step.kind == StepKind::Concentrate) log_neighbours(step);
    for (const Route& route : routes(topology_, *choice_.code, choice_.levels, step)) {
      schedule_.add_everything(round, route.path);
    }
  }

 private:
  /// What node 0 holds after a concentration, in the order of its store: its own message and then a
  /// log per port.
  void log_neighbours(const Step& step) {
    const std::vector<Node> before = block();
    for (const Dipath& dipath : step.dipaths) {
      const std::vector<Node> path = walk(topology_, 0, dipath, dilation(step));
      std::vector<Node>& log = logs_[1 + topology_.port_to(0, path[1])];
      for (const Node origin : before) log.push_back(topology_.translate(origin, path.back()));
    }
  }

  std::vector<Node> block() const {
    std::vector<Node> origins;
    for (const auto& log : logs_) origins.insert(origins.end(), log.begin(), log.end());
    return origins;
  }

  /// All active nodes do the same as node 0.
  void add_coarse(std::uint32_t round, const Step& step) {
    const std::vector<Node> own = block();
    for (const CoarseRoute& route : coarse_[next_coarse_++]) {
      const std::vector<Node> path = walk(topology_, 0, route.dipath, dilation(step));
      if (route.everything) {
        schedule_.add_everything(round, path);
        continue;
      }
      std::vector<Message> messages;
      messages.reserve(size(route.box) * own.size());
      for (const Node offset : offsets(route.box, choice_.coarse)) {
        stop_if_interrupted();
        const Node by = dilated(offset, step.dilation);
        for (const Node origin : own) messages.push_back({topology_.translate(origin, by)});
      }
      schedule_.add(round, path, messages);
    }
  }

  Node dilated(Node offset, std::uint64_t dilation) const {
    Node node = 0;
    for (std::size_t j = 0; j < choice_.coarse.size(); ++j) {
      const Node side = choice_.coarse[j];
      node += static_cast<Node>(offset % side * dilation) * topology_.stride(j);
      offset /= side;
    }
    return node;
  }
  static std::int64_t dilation(const Step& step) {
    return static_cast<std::int64_t>(step.dilation);
  }

  Schedule& schedule_;
  const Topology& topology_;
  const Choice& choice_;
  std::vector<CoarseRound> coarse_;
  std::size_t next_coarse_ = 0;
  std::vector<std::vector<Node>> logs_;  ///< origins, in node 0's store
};

/// What the coarse rounds list takes nearly all of the memory: it grows with the coarse torus.
void require_room(const Topology& topology, const Choice& choice) {
  double messages = 0, most = 0;
  const double block = std::pow(2.0 * choice.code->dimensions + 1, choice.levels);
  for (const CoarseRound& round : coarse_rounds(choice.coarse)) {
    for (const CoarseRoute& route : round) {
      const double count = route.everything ? 0 : static_cast<double>(size(route.box)) * block;
      messages += count;
      most = std::max(most, count);
    }
  }
  // A list is made before it is copied into the schedule, whose lists double when they are full.
  require_memory(sizeof(Message) * (3 * messages + most),
                 fmt::format("{}: the schedule of {:.0f} messages (translations of one another "
                             "counted once)",
                             topology.spec(), messages));
}

Schedule schedule_of(const Topology& topology, const Choice& choice) {
  require_room(topology, choice);
  Schedule schedule = delmas_perennes::empty_schedule(topology, *choice.code, choice.levels);
  Planner planner(schedule, choice);
  std::uint32_t round = 0;
  for (const Step& step : steps(choice)) planner.add(++round, step);
  return schedule;
}

std::optional<std::string> refuses(const Request& request) {
  if (request.collective == Collective::Gossip && choose(request.topology).code == nullptr) {
    return fmt::format(
        "lee-code needs a ring or a torus around a perfect code, with sides that are multiples of "
        "3 "
        "(1 or 4 dimensions), 5 (2 dimensions) or 7 (3 dimensions); {} is none",
        request.topology.spec());
  }
  if (sides_of(request.topology).empty()) {
    return fmt::format("lee-code needs a ring or a torus; {} is none", request.topology.spec());
  }
  return std::nullopt;
}

/// And of a scatter and a gather.
Formula formula_of_broadcast(const Choice& choice) {
  std::vector<std::string> terms;
  if (choice.code != nullptr) {
    terms.push_back(fmt::format("{}*{}", 1 + choice.code->gossip.size(), choice.levels));
  }
  for (const Node side : choice.coarse) {
    if (side > 1) terms.push_back(fmt::format("ceil(log3 {})", side));
  }
  return {fmt::format("{}", fmt::join(terms, " + ")), broadcast_round_count(choice)};
}

Formula formula(const Request& request) {
  if (request.collective != Collective::Gossip) {
    return formula_of_broadcast(choose_for_broadcast(request.topology));
  }
  const Choice choice = choose(request.topology);
  const unsigned a_level = 2 + static_cast<unsigned>(choice.code->gossip.size());
  const std::uint64_t coarse = coarse_round_count(choice.coarse);
  const std::uint64_t levels = std::uint64_t{a_level} * choice.levels;
  std::string text = fmt::format("{}*{}", a_level, choice.levels);
  if (coarse > 0) {
    text += fmt::format(" + {} on {}", coarse, fmt::join(choice.coarse, "x"));
  }
  return {text, levels + coarse, cost(steps(choice)).delta_sum};
}

/// What each call of a scatter passes on, which is all for the node called and for whom it calls.
std::vector<std::vector<std::vector<Message>>> scattered(
    const std::vector<std::vector<Call>>& rounds, Node root, Node nodes) {
  std::vector<std::vector<std::vector<Message>>> passed(rounds.size());
  std::vector<std::vector<Node>> behind(nodes);
  for (std::size_t r = rounds.size(); r-- > 0;) {
    for (const Call& path : rounds[r]) {
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
  Schedule schedule = gossamer::empty_schedule(
      request, {PortModel::All, Duplex::Full, Switching::Circuit, /*combining=*/true});
  const Topology& topology = request.topology;
  const Choice choice = choose_for_broadcast(topology);
  auto rounds = Caller(topology, choice, request.root).rounds();
  const bool scatters = request.collective == Collective::Scatter;
  const bool backwards = request.collective == Collective::Gather;
  const auto passed = scatters ? scattered(rounds, request.root, topology.nodes())
                               : decltype(scattered(rounds, 0, 0)){};
  if (backwards) std::ranges::reverse(rounds);
  for (std::uint32_t r = 0; r < rounds.size(); ++r) {
    for (std::size_t i = 0; i < rounds[r].size(); ++i) {
      Call& path = rounds[r][i];
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
  if (request.collective != Collective::Gossip) return broadcast(request);
  return schedule_of(request.topology, choose(request.topology));
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
