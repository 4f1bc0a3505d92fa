#include <utility>

#include "algorithms/common/all.hpp"
#include "algorithms/delmas_perennes/delmas_perennes.hpp"

namespace gossamer {
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
    const Run& last = last_[symmetry_.class_of(x)];
    const std::vector<Node>& log = logs_[symmetry_.class_of(x)][last.log];
    return moved({log.begin() + last.begin, log.end()}, symmetry_.shift(x));
  }

  /// `origins` arrive at `x` through the port towards its neighbour `last_hop`.
  void receive(Node x, Node last_hop, const std::vector<Node>& origins) {
    const std::vector<Node> local = moved(origins, topology_.negate(symmetry_.shift(x)));
    const Node c = symmetry_.class_of(x);
    const std::size_t number = 1 + topology_.port_to(x, last_hop);
    std::vector<Node>& log = logs_[c][number];
    last_[c] = {number, static_cast<std::ptrdiff_t>(log.size())};
    log.insert(log.end(), local.begin(), local.end());
  }

 private:
  struct Run {
    std::size_t log = 0;
    std::ptrdiff_t begin = 0;
  };

  std::vector<Node> moved(std::vector<Node> origins, Node by) const {
    if (by == 0) return origins;
    for (Node& origin : origins) origin = topology_.translate(origin, by);
    return origins;
  }

  const Topology& topology_;
  const Symmetry& symmetry_;
  std::vector<std::vector<std::vector<Node>>> logs_;  ///< class, 0 or 1 + port, arrival
  std::vector<Run> last_;                         ///< by class
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
    std::vector<std::pair<Route, std::vector<Node>>> sent;
    for (Route& route : routes(schedule_.topology(), kPaperCode, i, step)) {
      std::vector<Node> origins = carried(step.kind, route);
      add_transfer(step.kind, route.path, origins);
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

  void add_transfer(StepKind kind, const std::vector<Node>& path,
                    const std::vector<Node>& origins) {
    const bool pieces = kind == StepKind::HandOutPieces || kind == StepKind::ExchangePieces;
    if (!pieces) return schedule_.add_everything(round_, path);
    std::vector<Message> messages;
    messages.reserve(origins.size());
    for (const Node origin : origins) messages.push_back({.origin = origin});
    schedule_.add(round_, path, messages);
  }

  Schedule& schedule_;
  Holdings holdings_;
  std::uint32_t round_ = 0;
  Node last_source_ = kNoNode;
  std::uint32_t last_round_ = 0;
  std::vector<Node> last_held_;
};

/// The lists of the pieces limit the size: 7^i classes x 6 ports x N/7 messages.
std::optional<std::string> refuses(const Request& request) {
  if (auto why = why_no_torus(request)) return why;
  if (exponent(request.topology) > 2) {
    return "it lists its messages, which fits up to torus:49x49x49";
  }
  return std::nullopt;
}

Formula formula(const Request& request) {
  return {"5i", 5 * std::uint64_t{exponent(request.topology)}};
}

Schedule plan(const Request& request) {
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
    .needs = refuses,
    .formula = formula,
    .make = plan,
    .switching = Switching::Circuit,
    .combining = true,
};

}  // namespace gossamer
