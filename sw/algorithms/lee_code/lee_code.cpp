#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "algorithms/common/all.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"

// Perfect Lee codes of radius 1 in k dimensions, the dipaths between their vertices, and the
// recursion that dilates them.
//
// The weight of a node x is w(x) = x1 W1 + ... + xk Wk, a vector of one or two numbers. At level l
// = 0, 1, ... the nodes with w(x) = 0 (mod m^l) are active, m being the code's modulus, and a hop
// is a dilated hop of (code's side)^l links. The colour of an active node is w(x) / m^l (mod m),
// one of q = 2k+1; a dilated hop along axis j changes it by Wj, and the numbers Wj, -Wj are all
// colours except 0. So each active node either has colour 0 or has exactly one neighbour of colour
// 0: the nodes of colour 0 are a perfect code, and the active nodes of level l+1.
//
// If all sides of a torus are multiples of the code's, gossip takes k+1 rounds (3 for k = 4) and
// those of the torus whose sides are divided by it. For all nodes send to the code; the code's
// vertices that are equal modulo the side gossip on dilated tori; along the dipaths each vertex
// reaches one of every other such family; and the code sends to its neighbours. The dilated tori
// share no arc, because each Wj has order p, the side, so that a line along an axis meets the
// code in every p-th node.

namespace gossamer {
namespace {

constexpr unsigned kMaxDimensions = 4;

/// A dilated hop along axis |hop| (axes count from 1), backwards if negative.
using Hop = std::int8_t;
/// Hops in the order in which they are taken.
using Dipath = std::vector<Hop>;

struct Code {
  unsigned dimensions = 0;  ///< k
  unsigned side = 0;        ///< sides of the torus are multiples of it; a level divides by it
  unsigned modulus = 0;     ///< of the weights
  /// Wj for each axis. The first `components` axes have the unit vectors.
  std::array<std::array<int, 2>, kMaxDimensions> weights{};
  unsigned components = 1;
  /// No two families' lines share an arc, so that the rest of the torus after a level can again be
  /// a torus. Otherwise the torus must have exactly `side` nodes in each dimension.
  bool nests = true;
  /// The rounds between the families: k dipaths each, whose opposites (each hop backwards, in the
  /// same order) are used too. Translated by the code, the dipaths of one round share no arc, and
  /// sums of one end (or 0) from each round are the code modulo `side`, each vertex once.
  std::vector<std::vector<Dipath>> gossip;

  unsigned colours() const { return 2 * dimensions + 1; }
};

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

/// Weight modulo m of a vector of whole numbers, as one number from 0 to 2k.
unsigned colour(const Code& code, std::span<const int> x) {
  const int m = static_cast<int>(code.modulus);
  unsigned number = 0;
  for (unsigned i = code.components; i-- > 0;) {
    int weight = 0;
    for (std::size_t j = 0; j < x.size(); ++j) weight += code.weights[j][i] * x[j];
    number = number * code.modulus + static_cast<unsigned>(((weight % m) + m) % m);
  }
  return number;
}

/// The same hops, each in the opposite direction.
Dipath opposite(Dipath dipath) {
  for (Hop& hop : dipath) hop = static_cast<Hop>(-hop);
  return dipath;
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

/// Appends the numbers of a box's offsets; dimensions from `j` on are already in `number`.
void list(const Box& box, std::span<const Node> sides, std::size_t j, std::uint64_t number,
          std::vector<Node>& numbers) {
  if (j == 0) {
    numbers.push_back(static_cast<Node>(number));
    return;
  }
  stop_if_interrupted();
  const std::int64_t side = sides[j - 1];
  for (std::int64_t v = box[j - 1].first; v <= box[j - 1].last; ++v) {
    list(box, sides, j - 1, number * side + static_cast<std::uint64_t>((v + side) % side), numbers);
  }
}

/// As mixed-radix numbers, as nodes are.
std::vector<Node> offsets(const Box& box, std::span<const Node> sides) {
  std::vector<Node> numbers;
  numbers.reserve(size(box));
  list(box, sides, box.size(), 0, numbers);
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
  static Hop hop(std::size_t j) { return static_cast<Hop>(j + 1); }

  /// All rounds in which both directions bring something new.
  void both_ways(std::size_t j) {
    for (Node t = 1; t <= (sides_[j] - 1) / 2; ++t) {
      add({{hop(j), {{j, held_[j].first}}}, {static_cast<Hop>(-hop(j)), {{j, held_[j].last}}}});
      held_[j] = {held_[j].first - 1, held_[j].last + 1};
    }
  }

  /// One value is left, on the opposite side.
  void even_single(std::size_t j) {
    both_ways(j);
    add({{hop(j), {{j, held_[j].first}}}});
    --held_[j].first;
  }

  /// Two dimensions, each with one value left: three kinds of offsets in one round, each on its own
  /// path.
  void even_pair(std::size_t j, std::size_t l) {
    both_ways(j);
    both_ways(l);
    const auto back = [](Hop h) { return static_cast<Hop>(-h); };
    add({{hop(j), {{j, held_[j].first}}},
         {hop(l), {{l, held_[l].first}}},
         {{back(hop(j)), back(hop(l))}, {{j, held_[j].last}, {l, held_[l].last}}}});
    --held_[j].first;
    --held_[l].first;
  }

  /// A dipath, and the part of the box sent along it: the offsets with these values.
  struct Part {
    Part(Hop h, std::vector<std::pair<std::size_t, std::int64_t>> f) : dipath{h}, fixed(f) {}
    Part(Dipath d, std::vector<std::pair<std::size_t, std::int64_t>> f) : dipath(d), fixed(f) {}
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

/// What the active nodes of a level do in a round.
enum class StepKind : std::uint8_t {
  Concentrate,  ///< all nodes off the code send everything to their code vertex
  Coarse,       ///< the active nodes of the last level gossip in their families
  Gossip,       ///< code vertices send everything along 2k dipaths
  Broadcast,    ///< code vertices send everything to their neighbours
};

/// One round.
struct Step {
  StepKind kind = StepKind::Concentrate;
  unsigned level = 0;
  std::uint64_t dilation = 1;   ///< links of a hop
  std::uint64_t messages = 0;   ///< most on one path
  std::vector<Dipath> dipaths;  ///< for all kinds except Coarse
  CoarseRound coarse;           ///< for Coarse
};

/// A code, and how often it divides the torus.
struct Choice {
  const Code* code = nullptr;
  unsigned levels = 0;
  std::vector<Node> coarse;  ///< sides of what is left
};

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

/// The rounds of a choice, (k+1) a level and those of the coarse torus.
std::vector<Step> steps(const Choice& choice) { return Recorder(choice).record(); }

/// Rounds, and the sums over rounds of the longest path (hops) and of the most messages on a path.
struct Cost {
  std::uint64_t rounds = 0;
  std::uint64_t delta_sum = 0;
  std::uint64_t tau_sum = 0;
  auto operator<=>(const Cost&) const = default;
};
Cost cost(const std::vector<Step>& steps) {
  Cost sum;
  for (const Step& step : steps) {
    ++sum.rounds;
    sum.delta_sum += step.dilation * longest(step);
    sum.tau_sum += step.messages;
  }
  return sum;
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
    for (const std::vector<Dipath>& dipaths : code.gossip) call(dipaths, dilation);
    std::vector<Dipath> units;
    for (unsigned j = 1; j <= code.dimensions; ++j) units.push_back({static_cast<Hop>(j)});
    call(units, dilation);
  }

  /// All who know the message call along these dipaths and their opposites.
  void call(const std::vector<Dipath>& dipaths, std::int64_t dilation) {
    const std::vector<Node> callers = informed_;
    rounds_.emplace_back();
    for (const Node x : callers) {
      for (const Dipath& dipath : dipaths) {
        add(walk({x}, dipath, dilation));
        add(walk({x}, opposite(dipath), dilation));
      }
    }
  }

  /// Ring by ring.
  void coarse(std::int64_t dilation) {
    for (std::size_t j = 0; j < choice_.coarse.size(); ++j) {
      const auto axis = static_cast<Hop>(j + 1);
      const std::vector<Node> bases = informed_;
      for (const std::vector<Span>& spans : thirds(choice_.coarse[j])) {
        rounds_.emplace_back();
        for (const Node base : bases) {
          for (const Span& span : spans) {
            const Node from = walk({base}, {axis}, span.from * dilation).back();
            add(walk({from}, {axis}, (span.to - span.from) * dilation));
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

  /// Every hop of the dipath so many times, backwards if negative.
  Call walk(Call path, const Dipath& dipath, std::int64_t dilation) const {
    for (const Hop hop : dipath) {
      const Node forwards = topology_.stride(static_cast<std::size_t>(std::abs(hop) - 1));
      const Node by = (hop > 0) == (dilation > 0) ? forwards : topology_.negate(forwards);
      for (std::int64_t link = 0; link < std::abs(dilation); ++link) {
        path.push_back(topology_.translate(path.back(), by));
      }
    }
    return path;
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

/// A broadcast's calls, round by round; every node is called once.
std::vector<std::vector<Call>> broadcast_calls(const Topology& topology, const Choice& choice,
                                               Node root) {
  return Caller(topology, choice, root).rounds();
}

/// Their rounds: as many as the code's gossip has, and one, for a level; and of each coarse side
/// the logarithm to base 3, rounded up.
std::uint64_t broadcast_round_count(const Choice& choice) {
  std::uint64_t rounds = 0;
  if (choice.code != nullptr) rounds += choice.levels * (choice.code->gossip.size() + 1);
  for (const Node side : choice.coarse) rounds += thirds(side).size();
  return rounds;
}

// From the rounds to transfers: one representative of each orbit.

using Vector = std::vector<int>;

int power(int base, unsigned exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

Node node_at(const Topology& topology, const Vector& x) {
  Node node = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const int side = static_cast<int>(topology.factors()[j].nodes);
    node += topology.stride(j) * static_cast<Node>(((x[j] % side) + side) % side);
  }
  return node;
}

/// The largest group that leaves all rounds unchanged: the nodes of weight 0 modulo m^levels. The
/// nodes that are 0 in all but the first axes, with coordinates below that, are one of each class.
std::vector<Node> generators(const Topology& topology, const Code& code, int modulus) {
  std::vector<Node> found;
  for (unsigned j = 0; j < code.dimensions; ++j) {
    Vector x(code.dimensions, 0);
    if (j < code.components) {
      x[j] = modulus;
    } else {
      x[j] = 1;
      for (unsigned i = 0; i < code.components; ++i) x[i] = -code.weights[j][i];
    }
    found.push_back(node_at(topology, x));
  }
  return found;
}

/// Plans the transfers of one schedule.
class Planner {
 public:
  Planner(Schedule& schedule, const Choice& choice)
      : schedule_(schedule),
        topology_(schedule.topology()),
        code_(*choice.code),
        levels_(choice.levels),
        sides_(choice.coarse),
        logs_(1 + topology_.ports()) {
    logs_[0].push_back(0);
  }

  void add(std::uint32_t round, const Step& step) {
    if (step.kind == StepKind::Coarse) return add_coarse(round, step);
    if (step.kind == StepKind::Concentrate) log_neighbours(step);
    const int unit = power(static_cast<int>(code_.modulus), step.level);
    const unsigned classes = power(static_cast<int>(code_.modulus), levels_ - step.level);
    Vector start(code_.dimensions, 0);
    for (unsigned a = 0; a < classes; ++a) {
      for (unsigned b = 0; b < (code_.components > 1 ? classes : 1); ++b) {
        start[0] = static_cast<int>(a);
        if (code_.components > 1) start[1] = static_cast<int>(b);
        add_from(round, step, start, unit);
      }
    }
  }

 private:
  /// The transfers of the step from the active node start * unit.
  void add_from(std::uint32_t round, const Step& step, const Vector& start, int unit) {
    const bool to_code = step.kind == StepKind::Concentrate;
    if (to_code == (colour(code_, start) == 0)) return;
    Vector from = start;
    for (int& x : from) x *= unit;
    for (const Dipath& dipath : step.dipaths) {
      Vector end = start;
      for (const Hop hop : dipath) end[std::abs(hop) - 1] += hop > 0 ? 1 : -1;
      if (to_code && colour(code_, end) != 0) continue;
      schedule_.add_everything(round, walk(from, dipath, step.dilation));
    }
  }

  std::vector<Node> walk(Vector x, const Dipath& dipath, std::uint64_t dilation) const {
    std::vector<Node> path = {node_at(topology_, x)};
    for (const Hop hop : dipath) {
      for (std::uint64_t link = 0; link < dilation; ++link) {
        x[std::abs(hop) - 1] += hop > 0 ? 1 : -1;
        path.push_back(node_at(topology_, x));
      }
    }
    return path;
  }

  /// What node 0 holds after a concentration, in the order of its store: its own message and then a
  /// log per port.
  void log_neighbours(const Step& step) {
    const std::vector<Node> before = block();
    for (const Dipath& dipath : step.dipaths) {
      const std::vector<Node> path = walk(Vector(code_.dimensions, 0), dipath, step.dilation);
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
    for (const CoarseRoute& route : step.coarse) {
      const std::vector<Node> path = walk(Vector(code_.dimensions, 0), route.dipath, step.dilation);
      if (route.everything) {
        schedule_.add_everything(round, path);
        continue;
      }
      std::vector<Message> messages;
      messages.reserve(size(route.box) * own.size());
      for (const Node offset : offsets(route.box, sides_)) {
        stop_if_interrupted();
        const Node by = dilated(offset, step.dilation);
        for (const Node origin : own) messages.push_back({topology_.translate(origin, by)});
      }
      schedule_.add(round, path, messages);
    }
  }

  Node dilated(Node offset, std::uint64_t dilation) const {
    Vector x;
    for (const Node side : sides_) {
      x.push_back(static_cast<int>(offset % side * dilation));
      offset /= side;
    }
    return node_at(topology_, x);
  }

  Schedule& schedule_;
  const Topology& topology_;
  const Code& code_;
  unsigned levels_;
  std::vector<Node> sides_;
  std::vector<std::vector<Node>> logs_;  ///< origins, in node 0's store
};

/// What the coarse rounds list takes nearly all of the memory: it grows with the coarse torus.
void require_room(const Topology& topology, const std::vector<Step>& steps) {
  double messages = 0, most = 0;
  std::uint64_t block = 1;
  for (const Step& step : steps) {
    for (const CoarseRoute& route : step.coarse) {
      const double count = route.everything ? 0 : static_cast<double>(size(route.box) * block);
      messages += count;
      most = std::max(most, count);
    }
    if (step.kind == StepKind::Concentrate) block *= 2 * topology.factors().size() + 1;
  }
  // A list is made before it is copied into the schedule, whose lists double when they are full.
  require_memory(sizeof(Message) * (3 * messages + most),
                 fmt::format("{}: the schedule of {:.0f} messages (translations of one another "
                             "counted once)",
                             topology.spec(), messages));
}

Schedule schedule_of(const Topology& topology, const Choice& choice) {
  const std::vector<Step> all = steps(choice);
  require_room(topology, all);
  const Model model{PortModel::All, Duplex::Full, Switching::Circuit, /*combining=*/true};
  const int modulus = power(static_cast<int>(choice.code->modulus), choice.levels);
  Schedule schedule(topology, Collective::Gossip, model,
                    Symmetry(topology, generators(topology, *choice.code, modulus)));
  Planner planner(schedule, choice);
  std::uint32_t round = 0;
  for (const Step& step : all) planner.add(++round, step);
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
  Schedule schedule = empty_schedule(
      request, {PortModel::All, Duplex::Full, Switching::Circuit, /*combining=*/true});
  const Topology& topology = request.topology;
  auto rounds =
      broadcast_calls(topology, choose_for_broadcast(topology), request.root);
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
