#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "schedule/schedule.hpp"

namespace delmas_test {

using gossamer::Node;
using gossamer::Request;
using gossamer::Schedule;
using gossamer::Topology;
using gossamer::Transfer;

inline Request gossip_on(const std::string& topology) {
  return {Topology::parse(topology),
          gossamer::Collective::Gossip,
          gossamer::PortModel::All,
          gossamer::Duplex::Full,
          /*root=*/0,
          /*cycle=*/{}};
}

/// A node of a torus with coordinates given as whole numbers, negative ones included.
inline Node node_at(const Topology& torus, int x1, int x2, int x3) {
  const int n = static_cast<int>(torus.factors()[0].nodes);
  const auto digit = [n](int x) { return static_cast<Node>(((x % n) + n) % n); };
  return digit(x1) + torus.stride(1) * digit(x2) + torus.stride(2) * digit(x3);
}

/// x1 + 2 x2 + 3 x3.
inline Node weight(const Topology& torus, Node x) {
  return torus.digit(x, 0) + 2 * torus.digit(x, 1) + 3 * torus.digit(x, 2);
}

inline std::string first_fault(const gossamer::CheckReport& report) {
  return report.ok() ? "none" : gossamer::to_string(report.faults.front());
}

struct RoundSums {
  std::size_t hops = 0;      ///< of the longest path
  std::size_t messages = 0;  ///< most on one path
};

/// Plays a schedule node by node, every orbit expanded, with plain sets: small schedules only.
/// Checks arcs, disjointness and that messages are held before they are sent.
class Play {
 public:
  explicit Play(const Schedule& schedule) : schedule_(schedule) {
    for (Node x = 0; x < schedule.topology().nodes(); ++x) held_.push_back({x});
    for (std::size_t t = 0; t < schedule.transfers().size();) t = play_round(t);
  }

  const std::vector<std::set<Node>>& held() const { return held_; }
  const std::vector<RoundSums>& rounds() const { return rounds_; }

 private:
  std::size_t play_round(std::size_t t) {
    const auto transfers = schedule_.transfers();
    const std::uint32_t round = transfers[t].round;
    const std::vector<std::set<Node>> before = held_;
    arcs_.clear();
    rounds_.emplace_back();
    for (; t < transfers.size() && transfers[t].round == round; ++t) {
      for (const Node by : schedule_.symmetry().elements()) play(transfers[t], by, before);
    }
    return t;
  }

  void play(const Transfer& transfer, Node by, const std::vector<std::set<Node>>& before) {
    const Topology& topology = schedule_.topology();
    std::vector<Node> path;
    for (const Node x : schedule_.path(transfer)) path.push_back(topology.translate(x, by));
    for (std::size_t h = 0; h + 1 < path.size(); ++h) {
      if (topology.port_to(path[h], path[h + 1]) == gossamer::kNoPort) FAIL("no link");
      if (!arcs_.insert({path[h], path[h + 1]}).second) FAIL("an arc is used twice");
    }
    std::set<Node> sent = before[path.front()];
    if (transfer.carry == gossamer::Carry::Listed) {
      sent.clear();
      for (const auto& message : schedule_.messages(transfer)) {
        sent.insert(topology.translate(message.origin, by));
      }
      for (const Node origin : sent) {
        if (before[path.front()].count(origin) == 0) FAIL("sends what it does not hold");
      }
    }
    rounds_.back().hops = std::max(rounds_.back().hops, path.size() - 1);
    rounds_.back().messages = std::max(rounds_.back().messages, sent.size());
    held_[path.back()].insert(sent.begin(), sent.end());
  }

  const Schedule& schedule_;
  std::vector<std::set<Node>> held_;
  std::vector<RoundSums> rounds_;
  std::set<std::pair<Node, Node>> arcs_;
};

}  // namespace delmas_test
