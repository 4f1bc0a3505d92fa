#include "faults/reference.hpp"

#include <map>

namespace gossamer::test {

namespace {

using Link = std::pair<Node, Node>;  // seen from the first

struct Reference {
  const Schedule& schedule;
  const FaultSet& faults;
  const Rules& rules;
  ReferenceOutcome outcome;
  std::map<Link, std::set<Node>> exchanged;

  std::set<Node> new_to(std::uint32_t round, Node from, Node to) {
    std::set<Node> origins;
    const auto& held = outcome.held[from];
    if (schedule.initiator) {
      if (held.count(schedule.initiator->node) == 0) return origins;
      if (round < schedule.initiator->join) {
        if (exchanged[{from, to}].count(schedule.initiator->node) == 0) {
          origins.insert(schedule.initiator->node);
        }
        origins.erase(to);
        return origins;
      }
    }
    for (const Node origin : held) {
      if (origin == to || exchanged[{from, to}].count(origin) != 0) continue;
      if (!rules.offered || rules.offered(round, from, origin)) origins.insert(origin);
    }
    return origins;
  }

  void arrive(std::uint32_t round, Node from, Node to, std::set<Node>& origins) {
    exchanged[{from, to}].insert(origins.begin(), origins.end());
    const bool broken = round >= faults.from_round;
    if (broken && faults.silent(from, to)) origins.clear();
    if (broken && faults.dead(to)) return;
    if (rules.deaf && rules.deaf(round, to)) return;
    outcome.held[to].insert(origins.begin(), origins.end());
    exchanged[{to, from}].insert(origins.begin(), origins.end());
  }

  void play() {
    const auto transfers = schedule.transfers();
    for (const Transfer& t : transfers) {
      if (outcome.carried.size() == static_cast<std::size_t>(&t - transfers.data())) judge(t.round);
      const auto index = static_cast<std::size_t>(&t - transfers.data());
      arrive(t.round, schedule.path(t)[0], schedule.path(t)[1], outcome.carried[index]);
    }
  }

  /// All transfers of a round, before any of them takes place.
  void judge(std::uint32_t round) {
    for (const Transfer& t : schedule.transfers()) {
      if (t.round != round) continue;
      outcome.carried.push_back(new_to(round, schedule.path(t)[0], schedule.path(t)[1]));
    }
  }
};

}  // namespace

ReferenceOutcome reference_play(const Schedule& schedule, const FaultSet& faults,
                                const Rules& rules) {
  Reference reference{schedule, faults, rules, {}, {}};
  const Node n = schedule.topology().nodes();
  const bool gossip = schedule.collective() == Collective::Gossip;
  auto& outcome = reference.outcome;
  outcome.held.resize(n);
  for (Node x = 0; x < n; ++x) {
    if (gossip || x == schedule.root) outcome.held[x].insert(x);
  }
  reference.play();
  for (Node x = 0; x < n; ++x) {
    for (Node origin = 0; origin < n; ++origin) {
      if (faults.dead(x) || faults.dead(origin) || (!gossip && origin != schedule.root)) continue;
      if (outcome.held[x].count(origin) == 0) outcome.missing.push_back({x, origin});
    }
  }
  return outcome;
}

}  // namespace gossamer::test
