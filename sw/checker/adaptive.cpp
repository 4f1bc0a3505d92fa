#include "adaptive/adaptive.hpp"

#include <optional>

#include "checker/rules.hpp"
#include "schedule/chunks.hpp"
#include "schedule/members.hpp"

namespace gossamer::checking {
namespace {

/// A flag for each origin.
using Flags = std::vector<char>;

/// A transfer of this round: what its source sends, from what it knows.
struct Sent {
  std::size_t index = 0;
  Node from = 0, to = 0;
  std::vector<Node> origins;
};

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
    const auto transfers = schedule_.transfers();
    std::vector<Sent> round;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      round.push_back(send(i));
      const bool last = i + 1 == transfers.size() || transfers[i + 1].round != transfers[i].round;
      if (!last) continue;
      for (const Sent& sent : round) arrive(sent);
      round.clear();
    }
    count();
    return std::move(replay_);
  }

 private:
  Flags& exchanged(Node at, Node with) {
    const Topology& topology = schedule_.topology();
    return exchanged_[std::size_t{at} * topology.ports() + topology.port_to(at, with)];
  }

  Sent send(std::size_t index) {
    const Transfer& t = schedule_.transfers()[index];
    Sent sent{index, schedule_.path(t)[0], schedule_.path(t)[1], {}};
    if (schedule_.initiator && !held_[sent.from][schedule_.initiator->node]) return sent;
    for (Node origin = 0; origin < nodes_; ++origin) {
      if (!held_[sent.from][origin] || exchanged(sent.from, sent.to)[origin]) continue;
      if (origin != sent.to && offered(t.round, sent.from, origin)) sent.origins.push_back(origin);
    }
    return sent;
  }

  bool offered(std::uint32_t round, Node node, Node origin) const {
    if (!offers_) return true;
    for (const Node o : offers_->at(round, node)) {
      if (o == origin) return true;
    }
    return false;
  }

  void arrive(const Sent& sent) {
    for (const Node origin : sent.origins) exchanged(sent.from, sent.to)[origin] = 1;
    const FaultSet& faults = schedule_.faults;
    const bool broken = schedule_.transfers()[sent.index].round >= faults.from_round;
    if (broken && faults.silent(sent.from, sent.to)) return;
    replay_.carried[sent.index] = sent.origins.size();
    replay_.transmissions += sent.origins.size();
    if (broken && faults.dead(sent.to)) return;
    for (const Node origin : sent.origins) {
      held_[sent.to][origin] = 1;
      exchanged(sent.to, sent.from)[origin] = 1;
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
