// The rounds around a perfect code as data: which level, which dipaths, how many messages; and from
// the rounds to transfers: one representative of each orbit.

#include "algorithms/delmas_perennes/delmas_perennes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "algorithms/common/all.hpp"

namespace gossamer::delmas_perennes {

const Code kPaperCode = {
    .dimensions = 3,
    .side = 7,
    .modulus = 7,
    .weights = {{{1, 0}, {2, 0}, {3, 0}}},
    // To the columns of M0: (-2,1,0), (0,2,1), (1,3,0); to those of M0^2: (-3,0,1), (1,0,2),
    // (-2,0,3).
    .gossip = {{{2, -1, -1}, {-3, 2, 2, 3, 3}, {1, 2, 2, 2}},
               {{-1, -1, -1, 3}, {-2, 3, 3, 1, 2}, {3, 3, 3, -1, -1}}},
};

std::vector<Dipath> with_opposites(const std::vector<Dipath>& dipaths) {
  std::vector<Dipath> all;
  for (const Dipath& dipath : dipaths) {
    all.push_back(dipath);
    Dipath& opposite = all.emplace_back(dipath);
    for (Direction& hop : opposite) hop = static_cast<Direction>(-hop);
  }
  return all;
}

std::vector<Dipath> unit_dipaths(unsigned dimensions) {
  std::vector<Dipath> forwards;
  for (unsigned j = 1; j <= dimensions; ++j) forwards.push_back({static_cast<Direction>(j)});
  return with_opposites(forwards);
}

namespace {

/// Records the rounds and counts the messages that the next sender holds.
class Recorder {
 public:
  Recorder(const Code& code, unsigned levels, bool split)
      : code_(code), levels_(levels), split_(split), units_(unit_dipaths(code.dimensions)) {}

  std::vector<Step> record(std::span<const Step> coarse, std::uint64_t families) {
    level(0, 1, coarse, families);
    return std::move(steps_);
  }

 private:
  /// Concentrate on the code, gossip within each of its families, gossip between the families,
  /// broadcast to the neighbours (section 5.2.1).
  void level(unsigned l, std::uint64_t dilation, std::span<const Step> coarse,
             std::uint64_t families) {
    if (l == levels_) {
      for (const Step& step : coarse)
        add(step.kind, l, dilation, held_ * step.messages, step.dipaths);
      held_ *= families;
      return;
    }
    gather(StepKind::Concentrate, l, dilation, units_);
    level(l + 1, dilation * code_.side, coarse, families);
    for (const auto& dipaths : code_.gossip) {
      gather(StepKind::Gossip, l, dilation, with_opposites(dipaths));
    }
    if (!split_) return add(StepKind::Broadcast, l, dilation, held_, units_);
    add(StepKind::HandOutPieces, l, dilation, held_ / colours(), units_);
    add(StepKind::ExchangePieces, l, dilation, held_ / colours(), units_);
  }

  /// A round in which code vertices receive from 2k others as much as they hold themselves.
  void gather(StepKind kind, unsigned l, std::uint64_t dilation,
              const std::vector<Dipath>& dipaths) {
    add(kind, l, dilation, held_, dipaths);
    held_ *= colours();
  }
  void add(StepKind kind, unsigned l, std::uint64_t dilation, std::uint64_t messages,
           const std::vector<Dipath>& dipaths) {
    steps_.push_back({kind, l, dilation, messages, dipaths});
  }
  unsigned colours() const { return 2 * code_.dimensions + 1; }

  const Code& code_;
  unsigned levels_;
  bool split_;
  std::vector<Dipath> units_;
  std::vector<Step> steps_;
  std::uint64_t held_ = 1;
};

}  // namespace

std::vector<Step> steps(const Code& code, unsigned levels, bool split, std::span<const Step> coarse,
                        std::uint64_t families) {
  return Recorder(code, levels, split).record(coarse, families);
}

Cost cost(std::span<const Step> steps) {
  Cost sum;
  for (const Step& step : steps) {
    ++sum.rounds;
    sum.delta_sum += step.dilation * std::ranges::max(step.dipaths, {}, &Dipath::size).size();
    sum.tau_sum += step.messages;
  }
  return sum;
}

std::vector<Node> walk(const Topology& topology, Node from, const Dipath& dipath,
                       std::int64_t dilation) {
  std::vector<Node> path = {from};
  for (const Direction hop : dipath) {
    const Node forwards = topology.stride(static_cast<std::size_t>(std::abs(hop) - 1));
    const Node by = (hop > 0) == (dilation > 0) ? forwards : topology.negate(forwards);
    for (std::int64_t link = 0; link < std::abs(dilation); ++link) {
      path.push_back(topology.translate(path.back(), by));
    }
  }
  return path;
}

namespace {

using Vector = std::array<int, kMaxDimensions>;

int power(unsigned base, unsigned exponent) {
  return exponent == 0 ? 1 : static_cast<int>(base) * power(base, exponent - 1);
}

Node node_at(const Topology& topology, const Vector& x) {
  Node node = 0;
  for (std::size_t j = 0; j < topology.factors().size(); ++j) {
    const int side = static_cast<int>(topology.factors()[j].nodes);
    node += topology.stride(j) * static_cast<Node>(((x[j] % side) + side) % side);
  }
  return node;
}

/// Weight modulo m of a vector of whole numbers, as one number from 0 to 2k.
unsigned colour(const Code& code, const Vector& x) {
  const int m = static_cast<int>(code.modulus);
  unsigned number = 0;
  for (unsigned i = code.components; i-- > 0;) {
    int weight = 0;
    for (std::size_t j = 0; j < x.size(); ++j) weight += code.weights[j][i] * x[j];
    number = number * code.modulus + static_cast<unsigned>(((weight % m) + m) % m);
  }
  return number;
}

/// Does an active node send to another one, by their colours?
bool talks(StepKind kind, unsigned from, unsigned to) {
  switch (kind) {
    case StepKind::Concentrate: return from != 0 && to == 0;
    case StepKind::ExchangePieces: return to != 0;  // code vertices have all pieces already
    default: return from == 0;
  }
}

}  // namespace

std::vector<Route> routes(const Topology& topology, const Code& code, unsigned levels,
                          const Step& step) {
  const int unit = power(code.modulus, step.level);
  const int classes = power(code.modulus, levels - step.level);
  const int on_second_axis = code.components > 1 ? classes : 1;
  std::vector<Route> found;
  for (int c = 0; c < classes * on_second_axis; ++c) {
    const Vector start = {c / on_second_axis, c % on_second_axis};
    const Node node = node_at(topology, {start[0] * unit, start[1] * unit});
    for (const Dipath& dipath : step.dipaths) {
      Vector end = start;
      for (const Direction hop : dipath) end[std::abs(hop) - 1] += hop > 0 ? 1 : -1;
      const unsigned from = colour(code, start), to = colour(code, end);
      if (!talks(step.kind, from, to)) continue;
      const auto dilation = static_cast<std::int64_t>(step.dilation);
      found.push_back({from, to, walk(topology, node, dipath, dilation)});
    }
  }
  return found;
}

Schedule empty_schedule(const Topology& topology, const Code& code, unsigned levels) {
  std::vector<Node> generators;
  for (unsigned j = 0; j < code.dimensions; ++j) {
    Vector x = {};
    x[j] = j < code.components ? power(code.modulus, levels) : 1;
    for (unsigned i = 0; j >= code.components && i < code.components; ++i)
      x[i] = -code.weights[j][i];
    generators.push_back(node_at(topology, x));
  }
  const Model model{PortModel::All, Duplex::Full, Switching::Circuit, /*combining=*/true};
  return {topology, Collective::Gossip, model, Symmetry(topology, generators)};
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

}  // namespace gossamer::delmas_perennes

namespace gossamer {
namespace {

using namespace delmas_perennes;

/// Why neither variant serves a request; nothing if both can.
std::optional<std::string> why_no_torus(const Request& request) {
  if (exponent(request.topology) == 0) {
    return "it needs three equal rings of a power of 7, such as torus:7x7x7";
  }
  return std::nullopt;
}

Formula formula(const Request& request) {
  const unsigned i = exponent(request.topology);
  return {"4i", 4 * std::uint64_t{i}, cost(steps(kPaperCode, i, /*split=*/false)).delta_sum};
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  const unsigned i = exponent(topology);
  Schedule schedule = delmas_perennes::empty_schedule(topology, kPaperCode, i);
  std::uint32_t round = 0;
  for (const Step& step : steps(kPaperCode, i, /*split=*/false)) {
    ++round;
    for (const Route& route : routes(topology, kPaperCode, i, step)) {
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
    .needs = why_no_torus,
    .formula = formula,
    .make = plan,
    .switching = Switching::Circuit,
    .combining = true,
};

namespace {

using namespace delmas_perennes;

/// What one node of each class holds, in order of arrival: its own message, then a log per port.
/// This gives all nodes, because the rounds are invariant under the symmetry.
class Holdings {
 public:
  explicit Holdings(const Schedule& schedule)
      : topology_(schedule.topology()), symmetry_(schedule.symmetry()) {
    logs_.resize(symmetry_.classes(), std::vector<std::vector<Node>>(1 + topology_.ports()));
    last_.resize(symmetry_.classes());
    for (Node c = 0; c < symmetry_.classes(); ++c) {
      logs_[c][0].push_back(symmetry_.representative(c));
    }
  }

  /// Everything that `x` holds, each message at its first position.
  std::vector<Node> of(Node x) const {
    std::vector<bool> seen(topology_.nodes(), false);
    std::vector<Node> held;
    for (const std::vector<Node>& log : logs_[symmetry_.class_of(x)]) {
      for (const Node origin : log) {
        if (seen[origin]) continue;
        seen[origin] = true;
        held.push_back(origin);
      }
    }
    return moved(held, symmetry_.shift(x));
  }

  /// What came to `x` last.
  std::vector<Node> last_arrival(Node x) const {
    return moved(last_[symmetry_.class_of(x)], symmetry_.shift(x));
  }

  /// `origins` arrive at `x` through the port towards its neighbour `last_hop`.
  void receive(Node x, Node last_hop, const std::vector<Node>& origins) {
    const std::vector<Node> local = moved(origins, topology_.negate(symmetry_.shift(x)));
    const Node c = symmetry_.class_of(x);
    std::vector<Node>& log = logs_[c][1 + topology_.port_to(x, last_hop)];
    log.insert(log.end(), local.begin(), local.end());
    last_[c] = local;
  }

 private:
  std::vector<Node> moved(std::vector<Node> origins, Node by) const {
    if (by == 0) return origins;
    for (Node& origin : origins) origin = topology_.translate(origin, by);
    return origins;
  }

  const Topology& topology_;
  const Symmetry& symmetry_;
  std::vector<std::vector<std::vector<Node>>> logs_;  ///< class, 0 or 1 + port, arrival
  std::vector<std::vector<Node>> last_;               ///< by class: what came last
};

/// Colour of a message: that of its origin at level 0 (definition 6.1). A node of level k > 0
/// starts with whole neighbourhoods, so with equally many messages of each colour; at level 0 every
/// colour has N/7. So the pieces of any level are equally long.
unsigned colour(const Topology& topology, Node origin) {
  const Node weight =
      topology.digit(origin, 0) + 2 * topology.digit(origin, 1) + 3 * topology.digit(origin, 2);
  return weight % 7;
}

std::vector<Node> piece(const Topology& topology, const std::vector<Node>& held, unsigned c) {
  std::vector<Node> chosen;
  for (const Node origin : held) {
    if (colour(topology, origin) == c) chosen.push_back(origin);
  }
  return chosen;
}

/// Adds the rounds to a schedule and remembers who holds what.
class Planner {
 public:
  explicit Planner(Schedule& schedule) : schedule_(schedule), holdings_(schedule) {}

  void add(const Step& step, unsigned i) {
    ++round_;
    const bool pieces =
        step.kind == StepKind::HandOutPieces || step.kind == StepKind::ExchangePieces;
    std::vector<std::pair<Route, std::vector<Node>>> sent;
    for (Route& route : routes(schedule_.topology(), kPaperCode, i, step)) {
      std::vector<Node> origins = carried(step.kind, route);
      if (pieces) {
        std::vector<Message> messages;
        for (const Node origin : origins) messages.push_back({origin});
        schedule_.add(round_, route.path, messages);
      } else {
        schedule_.add_everything(round_, route.path);
      }
      sent.emplace_back(std::move(route), std::move(origins));
    }
    for (const auto& [route, origins] : sent) {
      holdings_.receive(route.path.back(), route.path[route.path.size() - 2], origins);
    }
  }

 private:
  /// In round 3-a a neighbour receives the piece of its own colour; in round 3-b it sends that on
  /// as it came (one run in its store), and the code vertex sends piece 0.
  std::vector<Node> carried(StepKind kind, const Route& route) {
    const Node source = route.path.front();
    if (kind == StepKind::HandOutPieces) {
      return piece(schedule_.topology(), held_by(source), route.to_colour);
    }
    if (kind != StepKind::ExchangePieces) return held_by(source);
    if (route.from_colour != 0) return holdings_.last_arrival(source);
    return piece(schedule_.topology(), held_by(source), 0);
  }

  /// Routes come source by source: the last answer also serves the next route.
  const std::vector<Node>& held_by(Node x) {
    if (x != last_source_ || round_ != last_round_) {
      last_source_ = x;
      last_round_ = round_;
      last_held_ = holdings_.of(x);
    }
    return last_held_;
  }

  Schedule& schedule_;
  Holdings holdings_;
  std::uint32_t round_ = 0;
  Node last_source_ = kNoNode;
  std::uint32_t last_round_ = 0;
  std::vector<Node> last_held_;
};

/// The lists of the pieces limit the size: 7^i classes x 6 ports x N/7 messages.
std::optional<std::string> why_no_halves(const Request& request) {
  if (auto why = why_no_torus(request)) return why;
  if (exponent(request.topology) > 2) {
    return "it lists its messages, which fits up to torus:49x49x49";
  }
  return std::nullopt;
}

Formula formula_of_halves(const Request& request) {
  return {"5i", 5 * std::uint64_t{exponent(request.topology)}};
}

Schedule plan_halves(const Request& request) {
  const unsigned i = exponent(request.topology);
  Schedule schedule = delmas_perennes::empty_schedule(request.topology, kPaperCode, i);
  Planner planner(schedule);
  for (const Step& step : steps(kPaperCode, i, /*split=*/true)) planner.add(step, i);
  return schedule;
}

}  // namespace

const Algorithm kDelmasPerennesSplit = {
    .name = "delmas-perennes-split",
    .source = "Delmas-Perennes 1996, section 6",
    .summary = "the same for large messages: the last round of each level in two, 7 pieces",
    .serves = every({Collective::Gossip}, {PortModel::All}, {Duplex::Full}),
    .needs = why_no_halves,
    .formula = formula_of_halves,
    .make = plan_halves,
    .switching = Switching::Circuit,
    .combining = true,
};

}  // namespace gossamer
