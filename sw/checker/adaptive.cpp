#include "adaptive/adaptive.hpp"

#include <optional>

#include "checker/rules.hpp"
#include "schedule/chunks.hpp"
#include "schedule/members.hpp"

namespace gossamer::checking {
namespace {

/// A flag for each origin.
using Flags = std::vector<char>;

class AdaptiveReplay {
 public:
  explicit AdaptiveReplay(const Schedule& schedule)
      : schedule_(schedule),
        nodes_(schedule.topology().nodes()),
        held_(nodes_, Flags(nodes_, 0)),
        exchanged_(std::size_t{nodes_} * schedule.topology().ports(), Flags(nodes_, 0)) {
    if (schedule.initiator) offers_ = offers(schedule);
    for (Node x = 0; x < nodes_; ++x) {
      for_each_initial(schedule, x, [&](const Message& m) { held_[x][m.origin] = 1; });
    }
    replay_.carried.assign(schedule.transfers().size(), 0);
  }

  Replay run() {
    for (auto rest = schedule_.transfers(); !rest.empty();) {
      const auto round = schedule_.transfers_of(rest.front().round);
      std::vector<std::vector<Node>> sent;
      for (const Transfer& t : round) sent.push_back(origins_sent(t));
      for (std::size_t i = 0; i < round.size(); ++i) arrive(round[i], sent[i]);
      rest = rest.subspan(round.size());
    }
    count();
    return std::move(replay_);
  }

 private:
  Flags& exchanged(Node at, Node with) {
    const Topology& topology = schedule_.topology();
    return exchanged_[std::size_t{at} * topology.ports() + topology.port_to(at, with)];
  }

  /// What the source sends, from what it knows as the round begins.
  std::vector<Node> origins_sent(const Transfer& t) {
    const Node from = schedule_.path(t)[0], to = schedule_.path(t)[1];
    std::vector<Node> origins;
    if (schedule_.initiator && !held_[from][schedule_.initiator->node]) return origins;
    for (Node origin = 0; origin < nodes_; ++origin) {
      if (!held_[from][origin] || exchanged(from, to)[origin]) continue;
      if (origin != to && offered(t.round, from, origin)) origins.push_back(origin);
    }
    return origins;
  }

  bool offered(std::uint32_t round, Node node, Node origin) const {
    if (!offers_) return true;
    for (const Node o : offers_->at(round, node)) {
      if (o == origin) return true;
    }
    return false;
  }

  void arrive(const Transfer& t, const std::vector<Node>& origins) {
    const Node from = schedule_.path(t)[0], to = schedule_.path(t)[1];
    for (const Node origin : origins) exchanged(from, to)[origin] = 1;
    const FaultSet& faults = schedule_.faults;
    const bool broken = t.round >= faults.from_round;
    if (broken && faults.silent(from, to)) return;
    replay_.carried[static_cast<std::size_t>(&t - schedule_.transfers().data())] = origins.size();
    replay_.transmissions += origins.size();
    if (broken && faults.dead(to)) return;
    for (const Node origin : origins) {
      held_[to][origin] = 1;
      exchanged(to, from)[origin] = 1;
    }
  }

  void count() {
    for (Node x = 0; x < nodes_; ++x) {
      if (schedule_.faults.dead(x)) continue;
      for_each_expected(schedule_, x, [&](const Message& m) {
        if (schedule_.faults.dead(m.origin)) return true;
        ++replay_.expected;
        if (!held_[x][m.origin]) replay_.missing.push_back({x, m.origin});
        return true;
      });
    }
  }

  const Schedule& schedule_;
  Node nodes_;
  std::optional<Offers> offers_;  ///< only with an initiator
  std::vector<Flags> held_;       ///< by node
  std::vector<Flags> exchanged_;  ///< by node and port
  Replay replay_;
};

}  // namespace

Replay replay_adaptive(const Schedule& schedule) { return AdaptiveReplay(schedule).run(); }

}  // namespace gossamer::checking
