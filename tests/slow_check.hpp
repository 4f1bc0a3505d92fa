#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

/// A second implementation of the rules of docs/use/schedule-format.md, as simple as possible: every
/// orbit expanded, sets for everything, every transfer against every other. It shares no code with
/// the checker.
namespace gossamer::test {

struct SlowCheck {
  bool legal = true;  ///< rules 1 to 7: every transfer may be sent
  std::uint64_t rounds = 0, delta_sum = 0, tau_sum = 0, transmissions = 0, delivered = 0,
                expected = 0;
  /// Messages of each transfer, and its arrival, in the order of the expanded schedule.
  std::vector<std::vector<Message>> carried;
};

using OwnOrder = std::function<std::vector<Message>(Node)>;

class SlowChecker {
 public:
  /// A schedule without orbits, faults and adaptive transfers. `in_store` gives the order in which
  /// a node holds its own messages, which matters for "everything".
  explicit SlowChecker(const Schedule& schedule, OwnOrder in_store = {})
      : s_(schedule), n_(schedule.topology().nodes()), in_store_(std::move(in_store)) {}

  SlowCheck run() {
    held_.resize(n_);
    order_.assign(n_, std::vector<std::vector<Message>>(s_.topology().ports() + 1));
    for (Node x = 0; x < n_; ++x) {
      auto mine = own(x);
      if (in_store_) {
        const auto ordered = in_store_(x);
        if (!std::ranges::is_permutation(mine, ordered)) result_.legal = false;
        mine = ordered;
      }
      for (const Message& m : mine) hold(x, 0, m);
    }
    for (std::uint32_t round = 1; round <= last_round() + 2; ++round) play(round);
    for (Node x = 0; x < n_; ++x) {
      for (const Message& m : wanted(x)) {
        ++result_.expected;
        result_.delivered += held_[x].count(m);
      }
    }
    return result_;
  }

 private:
  struct Hop {
    std::uint32_t round;
    Node from, to;
    bool operator==(const Hop&) const = default;
  };

  bool pipelined() const { return s_.model().switching == Switching::Pipelined; }
  bool half() const { return s_.model().duplex == Duplex::Half; }
  std::uint32_t end_of(const Transfer& t) const {
    return pipelined() ? t.round + t.path_size - 2 : t.round;
  }
  std::uint32_t last_round() const {
    std::uint32_t last = 0;
    for (const Transfer& t : s_.transfers()) last = std::max(last, end_of(t));
    return last;
  }

  std::vector<Message> own(Node x) const {
    std::vector<Message> all;
    for (Node d = 0; d < n_; ++d) {
      if (s_.collective() == Collective::TotalExchange && d != x) all.push_back({x, d});
      if (s_.collective() == Collective::Scatter && x == s_.root && d != x) all.push_back({x, d});
    }
    if (s_.collective() == Collective::Gossip) all = {{x, kNoNode}};
    if (s_.collective() == Collective::Broadcast && x == s_.root) all = {{x, kNoNode}};
    if (s_.collective() == Collective::Gather && x != s_.root) all = {{x, s_.root}};
    return all;
  }
  std::vector<Message> wanted(Node x) const {
    std::vector<Message> all;
    for (Node y = 0; y < n_; ++y) {
      for (const Message& m : own(y)) {
        if (y != x && (m.destination == x || m.destination == kNoNode)) all.push_back(m);
      }
    }
    return all;
  }

  /// Log 0: its own; log p + 1: what came in at port p. Single-port nodes have one log.
  void hold(Node x, std::size_t log, const Message& m) {
    if (s_.model().ports == PortModel::Single) log = 0;
    if (held_[x].insert(m).second) order_[x][log].push_back(m);
  }

  std::vector<Hop> hops(const Transfer& t) const {
    std::vector<Hop> all;
    const auto path = s_.path(t);
    for (std::uint32_t h = 0; h + 1 < path.size(); ++h) {
      all.push_back({pipelined() ? t.round + h : t.round, path[h], path[h + 1]});
    }
    return all;
  }

  bool path_is_good(const Transfer& t) const {
    const auto path = s_.path(t);
    if (path.size() < 2 || path.front() == path.back()) return false;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      bool linked = false;
      for (Port p = 0; p < s_.topology().ports(); ++p) {
        const Endpoint e = s_.topology().peer(path[i], p);
        linked = linked || (e.connected() && e.node == path[i + 1]);
      }
      if (!linked || (i > 0 && path[i - 1] == path[i + 1])) return false;
    }
    return s_.model().switching != Switching::Packet || path.size() == 2;
  }

  /// Do two transfers, or two hops of one, conflict?
  bool clash(const Transfer& a, const Transfer& b) const {
    const auto one = hops(a), other = hops(b);
    for (std::size_t i = 0; i < one.size(); ++i) {
      for (std::size_t j = &a == &b ? i + 1 : 0; j < other.size(); ++j) {
        if (one[i] == other[j]) return true;
        const Hop back{other[j].round, other[j].to, other[j].from};
        if (half() && one[i] == back) return true;
      }
    }
    if (s_.model().ports == PortModel::All) return false;
    const Node from_a = s_.path(a).front(), to_a = s_.path(a).back();
    const Node from_b = s_.path(b).front(), to_b = s_.path(b).back();
    if (&a != &b && a.round == b.round && from_a == from_b) return true;
    if (&a != &b && end_of(a) == end_of(b) && to_a == to_b) return true;
    if (!half()) return false;
    return (a.round == end_of(b) && from_a == to_b) || (b.round == end_of(a) && from_b == to_a);
  }

  bool load_is_good(const Transfer& t) const {
    if (t.carry == Carry::Everything) {
      const std::size_t messages = held_[s_.path(t).front()].size();
      return s_.model().combining && (pipelined() ? messages == 1 : messages > 0);
    }
    const auto messages = s_.messages(t);
    const std::set<Message> once(messages.begin(), messages.end());
    if (messages.empty() || once.size() != messages.size()) return false;
    const bool one = !s_.model().combining || pipelined();
    if (one && messages.size() != 1) return false;
    return std::ranges::all_of(messages, [&](const Message& m) {
      if (m.origin >= n_) return false;
      const auto theirs = own(m.origin);
      return std::ranges::find(theirs, m) != theirs.end() &&
             held_[s_.path(t).front()].count(m) != 0;
    });
  }

  void play(std::uint32_t round) {
    std::uint64_t longest = 0, most = 0;
    const auto transfers = s_.transfers();
    for (const Transfer& t : transfers) {
      if (t.round != round) continue;
      for (const Transfer& other : transfers) {
        if (&other <= &t && path_is_good(t) && path_is_good(other) && clash(t, other)) {
          result_.legal = false;
        }
      }
      if (!path_is_good(t) || !load_is_good(t)) result_.legal = false;
      std::vector<Message> messages(s_.messages(t).begin(), s_.messages(t).end());
      if (t.carry == Carry::Everything) {
        for (const auto& log : order_[s_.path(t).front()]) {
          messages.insert(messages.end(), log.begin(), log.end());
        }
      }
      result_.carried.push_back(messages);
      const std::uint64_t length = t.path_size - 1;
      result_.rounds = std::max<std::uint64_t>(result_.rounds, end_of(t));
      result_.transmissions += length * messages.size();
      longest = std::max(longest, length);
      most = std::max<std::uint64_t>(most, messages.size());
    }
    result_.delta_sum += longest;
    result_.tau_sum += most;
    for (std::size_t i = 0; i < result_.carried.size(); ++i) {
      const Transfer& t = transfers[i];
      // A pipelined message spends two rounds in the store.
      if (end_of(t) + (pipelined() ? 2 : 0) != round || t.path_size < 2) continue;
      const auto path = s_.path(t);
      for (const Message& m : result_.carried[i]) {
        hold(path.back(), s_.topology().port_to(path.back(), path[path.size() - 2]) + 1, m);
      }
    }
  }

  const Schedule& s_;
  const Node n_;
  OwnOrder in_store_;
  std::vector<std::set<Message>> held_;
  std::vector<std::vector<std::vector<Message>>> order_;  ///< by node and log: first copies
  SlowCheck result_;
};

inline SlowCheck slow_check(const Schedule& schedule, const OwnOrder& in_store = {}) {
  const Schedule written_out =
      schedule.symmetry().order() == 1 ? schedule : without_orbits(schedule);
  return SlowChecker(written_out, in_store).run();
}

}  // namespace gossamer::test
