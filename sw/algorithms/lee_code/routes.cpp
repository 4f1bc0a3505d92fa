// Gossip on the torus that is left after the code has divided the sides as often as it can.

// From the rounds around a perfect code to transfers: one representative of each orbit.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "algorithms/lee_code/lee_code.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"

namespace gossamer::lee_code {
namespace {

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

}  // namespace

std::uint64_t size(const Box& box) {
  std::uint64_t product = 1;
  for (const Interval& values : box) {
    product *= static_cast<std::uint64_t>(values.last - values.first + 1);
  }
  return product;
}

std::vector<Node> offsets(const Box& box, std::span<const Node> sides) {
  std::vector<Node> numbers;
  numbers.reserve(size(box));
  list(box, sides, box.size(), 0, numbers);
  return numbers;
}

std::vector<CoarseRound> coarse_rounds(std::span<const Node> sides) {
  return Coarse(sides).rounds();
}

std::uint64_t coarse_round_count(std::span<const Node> sides) {
  std::uint64_t halves = 0, even = 0;
  for (const Node side : sides) {
    halves += side / 2;
    even += side % 2 == 0;
  }
  return halves - even / 2;
}

namespace {

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

}  // namespace

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

namespace {

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

}  // namespace

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

}  // namespace gossamer::lee_code
